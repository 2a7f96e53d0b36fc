"""Who joins a team before anybody listens is stored all the same."""

from collections.abc import Iterator
from time import sleep
from typing import ClassVar, override
from uuid import uuid4

import pytest
from tests.store.team_members import Counter, Keeper, asked, hired

from cardwright.actors import BaseConfig, Orchestrator
from cardwright.actors.messages import Message
from cardwright.bench import LocalTeam
from cardwright.store import TeamNotFoundError, open_store
from cardwright.store.teams import TeamProcess, Teams, read_history


@pytest.fixture
def teams(sqlite_url: str) -> Iterator[Teams]:
    with open_store(sqlite_url) as store, Teams(store) as opened:
        yield opened


class Upgraded(Keeper):
    """Shares a counter from its next version on."""

    shares: ClassVar[bool] = False

    @override
    def on_start(self) -> None:
        super().on_start()
        if self.shares and self.orchestrator is not None:
            config = BaseConfig(name="#Counter", role="ToolActor")
            self.proxy_ask(self.orchestrator, Orchestrator).getChildrenOrCreate(Counter, config)


def test_who_is_created_while_a_team_is_rebuilt_is_stored_with_its_state(
    teams: Teams, monkeypatch: pytest.MonkeyPatch
) -> None:
    team = teams.create()
    hired(team, Upgraded, "@A")
    team.stop()
    monkeypatch.setattr(Upgraded, "shares", True)
    again = teams.resume(team.team_id)
    assert [asked(teams, again, "#Counter", Counter).count() for _ in range(3)] == [1, 2, 3]
    again.stop()
    third = teams.resume(team.team_id)
    assert asked(teams, third, "#Counter", Counter).count() == 4


class Populated(Orchestrator):
    """Hires before it has time for anything else."""

    @override
    def on_start(self) -> None:
        super().on_start()
        if not self.restoring:
            sleep(0.2)
            self.createActor(Keeper, config=BaseConfig(name="@A", role="Keeper"))


def test_whom_an_orchestrator_creates_when_it_starts_is_stored(teams: Teams) -> None:
    team = teams.create(orchestrator=Populated)
    assert asked(teams, team, "@A", Keeper).notes() == []
    team.flush()
    stored = read_history(teams.store, str(team.team_id))
    assert [it.name for it in stored.members.values()] == ["@Orchestrator", "@A"]
    (member,) = [it for it in stored.members.values() if it.name == "@A"]
    assert member.agent_id in stored.states


class Census(Message):
    """Its field is named like the key of a change of state in the log."""

    state_of: str


def test_a_message_is_no_change_of_a_state_whatever_its_fields_are_called(teams: Teams) -> None:
    team = teams.create()
    team.root.emitMessage(Census(state_of="the nation"))
    team.stop()
    again = teams.resume(team.team_id)
    (census,) = again.root.get_messages(message_type=Census)
    assert isinstance(census, Census)
    assert census.state_of == "the nation"


def test_a_team_whose_process_died_before_it_began_can_be_created_again(sqlite_url: str) -> None:
    team_id = uuid4()
    with open_store(sqlite_url) as store, Teams(store) as teams:
        store.create_team(str(team_id), TeamProcess(team_id=team_id).dump())
        with pytest.raises(TeamNotFoundError):
            teams.resume(team_id)
        store.create_team(str(team_id), TeamProcess(team_id=team_id).dump())
    with LocalTeam(store=sqlite_url, team_id=team_id) as team:
        assert team.orchestrator.is_alive()
    with LocalTeam(store=sqlite_url, team_id=team_id) as team:
        assert team.orchestrator.is_alive()
