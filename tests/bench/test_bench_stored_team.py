"""`LocalTeam(store=...)`: the bench goes on where it was."""

import os
import threading
from pathlib import Path
from uuid import uuid4

import pytest

from cardwright.actors import SerializableBaseModel
from cardwright.bench import LocalTeam, RetryRequested
from cardwright.store import LeaseHeldError, StoreError
from cardwright.store.teams import TeamResumedEvent
from cardwright_cards import PlanningTool


class Topic(SerializableBaseModel):
    """What a team is about."""

    name: str


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'team.db'}"


def add_task(team: LocalTeam, number: int) -> object:
    task = {"id": number, "status": "pending", "description": f"t{number}", "owner": "@A"}
    return team.agents["@A"].call("update_planning", update={"create_tasks": [task]})


def test_a_team_goes_on(url: str) -> None:
    team_id = uuid4()
    with LocalTeam(store=url, team_id=team_id, metadata=Topic(name="old")) as team:
        first = team.agent("@A", [PlanningTool()]).address
        add_task(team, 1)
        team.metadata = Topic(name="new")
        assert "Context update 1" in str(team.agents["@A"].context_update())
    with LocalTeam(store=url, team_id=team_id) as team:
        agent = team.agent("@A", [PlanningTool()])
        assert agent.address == first
        assert team.metadata == Topic(name="new")
        assert team.events(TeamResumedEvent) == [TeamResumedEvent(redelivered=0, interrupted=0)]
        # A new conversation gets all of it, under the next number.
        block = str(agent.context_update())
        assert "Context update 2" in block
        assert "#1 [pending] t1" in block
        assert add_task(team, 2) == "Done"
        with pytest.raises(RetryRequested, match="already exists"):
            add_task(team, 1)
        with pytest.raises(ValueError, match="choose another"):
            team.agent("@A", [])
        team.dismiss("@A")
    with LocalTeam(store=url, team_id=team_id) as team:
        # Dismissed is dismissed: this is a new agent.
        assert team.agent("@A", [PlanningTool()]).address != first


def test_a_team_runs_once(url: str) -> None:
    with LocalTeam(store=url) as team:
        running = rf"team {team.team_id} is running in process {os.getpid()} on [^:/]+ \(its lease"
        with pytest.raises(LeaseHeldError, match=running):
            LocalTeam(store=url, team_id=team.team_id)
        team.agent("@A", [PlanningTool()])
        team.flush()
        assert add_task(team, 1) == "Done"
    with pytest.raises(RuntimeError, match="has stopped"):
        _ = team.metadata


def test_an_id_or_a_store_that_is_none_is_told_in_one_line(url: str) -> None:
    for store in (None, url):
        with pytest.raises(ValueError, match=r"^team_id is no UUID: [^\n]*$") as told:
            LocalTeam(team_id="abc", store=store)
        assert "pydantic" not in str(told.value)
    with pytest.raises(
        ValueError, match=r"^a store URL [^\n]* a file is sqlite:///team\.db, [^\n]*$"
    ):
        LocalTeam(store="garden.db")


def test_an_id_may_be_a_text(url: str) -> None:
    with LocalTeam(store=url) as team:
        known = team.team_id
    with LocalTeam(store=url, team_id=str(known)) as team:
        assert team.team_id == known


def test_a_store_that_cannot_be_opened_leaves_no_thread_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    before = set(threading.enumerate())
    with pytest.raises(StoreError):
        LocalTeam(store=f"sqlite:///{tmp_path}/file/team.db")
    assert [thread for thread in threading.enumerate() if thread not in before] == []
