"""Who joins a team before anybody listens is stored all the same."""

from collections.abc import Iterator
from time import sleep
from typing import ClassVar, override

import pytest
from tests.store.team_members import Counter, Keeper, asked, hired

from cardwright.actors import BaseConfig, Orchestrator
from cardwright.store import open_store
from cardwright.store.teams import Teams, read_history


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
    assert team.member("@A") is not None
    team.flush()
    stored = read_history(teams.store, str(team.team_id))
    assert [it.name for it in stored.members.values()] == ["@Orchestrator", "@A"]
    (member,) = [it for it in stored.members.values() if it.name == "@A"]
    assert member.agent_id in stored.states
