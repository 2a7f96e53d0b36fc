"""What reaches a team past its ledger, or is made anew by it, outlives a crash."""

import threading
from collections.abc import Callable, Iterator
from typing import cast

import pytest
from tests.store.team_members import (
    Keeper,
    Note,
    Parent,
    SlowMemory,
    abandon,
    asked,
    hired,
)

from cardwright.actors import ActorAddress
from cardwright.actors.messages import Message, SentMessage
from cardwright.store.teams import RunningTeam, TeamResumedEvent, Teams, read_history


@pytest.fixture(autouse=True)
def _open_gates() -> Iterator[None]:
    Keeper.gate.set()
    Keeper.entered.clear()
    SlowMemory.hold.set()
    yield
    Keeper.gate.set()
    SlowMemory.hold.set()


@pytest.fixture
def teams(url: str) -> Iterator[Teams]:
    with Teams(url) as opened:
        yield opened


def test_children_that_an_actor_creates_when_it_starts_are_not_doubled(teams: Teams) -> None:
    team = teams.create()
    hired(team, Parent, "@Parent")
    asked(teams, team, "@Parent", Keeper).notes()  # it has started
    asked(teams, team, "@Child", Keeper).say("I was here")
    child = cast("ActorAddress", team.member("@Child"))
    teams.system.tell(child, Note(text="kept"))
    assert asked(teams, team, "@Child", Keeper).notes() == ["kept"]
    before = {(it.name, it.agent_id) for it in team.root.get_team()}
    assert len(before) == 4
    for _ in range(2):
        abandon(teams, team)
        team = teams.resume(team.team_id)
        assert {(it.name, it.agent_id) for it in team.root.get_team()} == before
        assert asked(teams, team, "@Child", Keeper).notes() == ["kept"]
    # Whoever is created later is new.
    parent = asked(teams, team, "@Parent", Keeper)
    assert parent.hire("@Child").agent_id not in {agent_id for _, agent_id in before}


@pytest.mark.parametrize("way", ["system", "address", "orchestrator", "another team"])
def test_mail_from_outside_of_the_team_is_not_lost(teams: Teams, way: str) -> None:
    """Nobody told the ledger of it; what is acknowledged is delivered all the same, and once."""
    team = teams.create()
    address = hired(team, Keeper, "@A")
    other = teams.create()
    hired(other, Keeper, "@Other")
    ways: dict[str, Callable[[Message], object]] = {
        "system": lambda note: teams.system.tell(address, note),
        "address": address.tell,
        "orchestrator": lambda note: team.root.send(address, note),
        "another team": lambda note: asked(teams, other, "@Other", Keeper).send(address, note),
    }
    Keeper.gate.clear()
    for text in ("begun", "first", "second"):
        ways[way](Note(text=text))
    assert Keeper.entered.wait(10)
    # The contract: no telemetry of it in the log of the team.
    assert team.root.count_messages(message_type=SentMessage) == 0
    team.flush()
    _kill(teams, team)
    again = teams.resume(team.team_id)
    assert asked(teams, again, "@A", Keeper).notes() == ["first", "second"]
    (notice,) = again.root.get_events(event_class=TeamResumedEvent)
    assert notice.event == TeamResumedEvent(redelivered=2, interrupted=1)
    again.flush()
    assert not read_history(teams.store, str(team.team_id)).mail
    other.flush()
    assert not read_history(teams.store, str(other.team_id)).mail
    other.stop()


def _kill(teams: Teams, team: RunningTeam) -> None:
    """Let go of a team whose member is in the middle of a turn."""
    threading.Timer(0.2, Keeper.gate.set).start()
    abandon(teams, team)


def test_an_event_is_stored_as_it_was_when_it_was_told(teams: Teams) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    keeper = asked(teams, team, "@A", Keeper)
    told: list[object] = [{"a": [1]}, {"b": [1]}]
    for event in told:
        keeper.say(event)
        cast("dict[str, list[int]]", event).update(changed=[2])
    team.flush()
    read = read_history(teams.store, str(team.team_id)).messages
    events = [it["event"] for it in read if "event" in it]
    assert events == [{"a": [1]}, {"b": [1]}]
    assert [it.event for it in team.root.get_events()] == [{"a": [1]}, {"b": [1]}]
