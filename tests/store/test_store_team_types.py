"""Stored data that does not fit any more: types gone or renamed, pieces unreadable."""

import logging
from collections.abc import Callable, Iterator
from typing import cast
from uuid import UUID, uuid4

import pytest
from tests.store.team_members import (
    Counter,
    Keeper,
    Memory,
    asked,
    hired,
)

from cardwright.actors.addresses import ActorAddressImpl
from cardwright.store import (
    CorruptStoreError,
    NewEvent,
)
from cardwright.store.teams import (
    InertMember,
    Teams,
    read_history,
)


@pytest.fixture
def teams(url: str) -> Iterator[Teams]:
    with Teams(url) as opened:
        yield opened


def test_an_unreadable_snapshot_is_made_up_for_by_the_log(
    teams: Teams, caplog: pytest.LogCaptureFixture
) -> None:
    team = teams.create()
    hired(team, Keeper, "@A")
    asked(teams, team, "@A", Keeper).befriend(team.orchestrator)
    team.stop()
    stream = str(team.team_id)
    (key,) = read_history(teams.store, stream).states
    lease = teams.store.acquire_lease(stream, "test", ttl=5)
    last = teams.store.get_max_sequence(stream)
    assert teams.store.save_snapshot(stream, key, last, "{}", epoch=lease.epoch)
    teams.store.release_lease(lease)
    again = teams.resume(team.team_id)
    assert "unreadable" in caplog.text
    assert asked(teams, again, "@A", Keeper).notes() == []


def test_a_log_of_something_else_is_refused(teams: Teams) -> None:
    team = teams.create()
    team.stop()
    new = rewritten(teams, team.team_id, lambda text: text.replace("message", "massage"))
    last = teams.store.get_max_sequence(str(new))
    junk = [NewEvent('{"state_of": "x", "name": "y", "patch": {"~": {"a": {"@": 3}}}}')]
    teams.store.append(str(new), junk, expected_sequence=last)
    with pytest.raises(CorruptStoreError, match=f"Event {last + 1}"):
        teams.resume(new)
    assert teams.store.current_lease(str(new)) is None


def rewritten(teams: Teams, team_id: UUID, change: Callable[[str], str]) -> UUID:
    """Copy a stored team under a new id, as an older version might have written it."""
    new = uuid4()
    old_record = teams.store.load_team(str(team_id))

    def fix(text: str) -> str:
        return change(text).replace(str(team_id), str(new))

    teams.store.create_team(str(new), fix(old_record.payload))
    events = [NewEvent(fix(event.payload)) for event in teams.store.read(str(team_id))]
    teams.store.append(str(new), events, expected_sequence=0)
    return new


@pytest.mark.parametrize(
    "vanished", ["team_members.Keeper", "team_members.Memory", "config.BaseConfig"]
)
def test_a_vanished_type_is_an_inert_stand_in(
    teams: Teams, vanished: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its class, its state or its configuration is gone: the rest of the team goes on."""
    team = teams.create()
    hired(team, Keeper, "@A")
    hired(team, Counter, "#Counter", "ToolActor")
    asked(teams, team, "@A", Keeper).befriend(team.orchestrator)
    asked(teams, team, "#Counter", Counter).count()
    team.stop()

    def change(text: str) -> str:
        return text.replace(vanished, "gone.Gone") if '"name":"@A"' in text else text

    new = rewritten(teams, team.team_id, change)
    before = read_history(teams.store, str(new))
    with caplog.at_level(logging.WARNING):
        again = teams.resume(new)
    assert "@A stays inert" in caplog.text
    assert asked(teams, again, "#Counter", Counter).count() == 2
    stand_in = cast("ActorAddressImpl", again.member("@A"))
    assert stand_in.ref.actor_class is InertMember
    again.stop()
    after = read_history(teams.store, str(new))
    (member,) = (it for it in before.members.values() if it.name == "@A")
    assert after.members[member.agent_id] == member
    assert after.states[member.agent_id] == before.states[member.agent_id]
    assert stand_in.serialize()["__actor_type__"] == member.actor_type


def test_a_renamed_type_loads_as_its_successor(teams: Teams) -> None:
    from cardwright.actors import register_type

    register_type(Keeper, "old.place.Note_Keeper")
    register_type(Memory, "old.place.OldMemory")
    team = teams.create()
    hired(team, Keeper, "@A")
    asked(teams, team, "@A", Keeper).befriend(team.orchestrator)
    team.stop()
    module = Keeper.__module__
    new = rewritten(
        teams,
        team.team_id,
        lambda text: text.replace(f"{module}.Keeper", "old.place.Note_Keeper").replace(
            f"{module}.Memory", "old.place.OldMemory"
        ),
    )
    again = teams.resume(new)
    address = cast("ActorAddressImpl", again.member("@A"))
    assert address.ref.actor_class is Keeper
    asked(teams, again, "@A", Keeper).notes()
