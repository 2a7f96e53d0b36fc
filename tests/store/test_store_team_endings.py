"""However a team ends, nobody waits for ever, nothing is kept, and the others end too."""

import gc
import weakref
from collections.abc import Iterator
from threading import Event
from typing import ClassVar, override
from uuid import UUID

import pytest
from tests.store.team_members import Keeper, Note, asked, hired

from cardwright.actors import ActorSystem, EventSubscriber, Orchestrator
from cardwright.actors.addresses import ActorAddressImpl
from cardwright.store import EventStore, StoreError, StoreUnavailableError, open_store
from cardwright.store.teams import History, TeamNotStoredError, Teams


@pytest.fixture
def store(sqlite_url: str) -> Iterator[EventStore]:
    with open_store(sqlite_url) as opened:
        yield opened


class Stuck(Orchestrator):
    """Can be kept from answering, or ended by one of its own methods."""

    gate: ClassVar[Event] = Event()

    def hang(self) -> None:
        self.gate.wait()

    def leave(self) -> None:
        raise SystemExit


def test_stop_does_not_wait_for_ever_for_an_orchestrator_that_hangs(store: EventStore) -> None:
    Stuck.gate.clear()
    with Teams(store) as teams:
        team = teams.create(orchestrator=Stuck)
        teams.system.proxy_tell(team.orchestrator, Stuck).hang()
        try:
            with pytest.raises(TeamNotStoredError):
                team.stop(0.2, 0.2)
        finally:
            Stuck.gate.set()
    assert store.current_lease(str(team.team_id)) is None


def test_an_orchestrator_that_is_ended_leaves_a_stored_team(store: EventStore) -> None:
    with Teams(store) as teams:
        team = teams.create(orchestrator=Stuck)
        hired(team, Keeper, "@A")
        teams.system.proxy_tell(team.orchestrator, Stuck).leave()
        team.persister.join(10)
        assert team.ended
        assert store.current_lease(str(team.team_id)) is None
        assert teams.resume(team.team_id).member("@A") is not None


class Listener(EventSubscriber):
    def __init__(self) -> None:
        self.ended = Event()

    @override
    def on_stop(self, team_id: UUID) -> None:
        self.ended.set()


def _refused() -> None:
    raise TeamNotStoredError("no")


def test_one_team_that_cannot_be_stored_does_not_keep_the_others_running(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    Stuck.gate.clear()
    system = ActorSystem()
    teams = Teams(store, system)
    stuck = teams.create(orchestrator=Stuck)
    listener = Listener()
    teams.create(subscribers=[listener])
    system.proxy_tell(stuck.orchestrator, Stuck).hang()
    monkeypatch.setattr(stuck, "stop", _refused)
    try:
        with pytest.raises(TeamNotStoredError):
            teams.close()
        assert listener.ended.is_set()
    finally:
        Stuck.gate.set()
        system.shutdown()


def test_a_team_that_could_not_be_deleted_can_be_resumed_at_once(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise StoreUnavailableError("away")

    with Teams(store) as teams:
        team = teams.create()
        team.stop()
        with monkeypatch.context() as patched:
            patched.setattr(store, "delete_stream", away)
            with pytest.raises(StoreUnavailableError):
                teams.delete(team.team_id)
        assert teams.show(team.team_id).state == "stopped"


def test_a_resumed_team_does_not_keep_what_it_was_made_of(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[weakref.ref[History]] = []

    class Watched(History):
        __slots__ = ("__weakref__",)

        def __init__(self, **kwargs: bool) -> None:
            super().__init__(**kwargs)  # type: ignore[arg-type] # as it is called
            made.append(weakref.ref(self))

    with Teams(store) as teams:
        team = teams.create()
        hired(team, Keeper, "@A")
        team.stop()
        monkeypatch.setattr("cardwright.store.teams.history.History", Watched)
        again = teams.resume(team.team_id)
        gc.collect()
        assert [it() for it in made] == [None]
        assert len(again.root.get_messages()) > 2


def test_who_asks_a_lost_team_again_and_again_gathers_no_frames(store: EventStore) -> None:
    with ActorSystem() as system:
        team = Teams(store, system).create()
        team.lose(StoreError("taken over"))
        lengths: set[int] = set()
        for _ in range(4):
            with pytest.raises(StoreError, match="taken over") as caught:
                team.persister.flush(1)
            lengths.add(len(caught.traceback))
        assert len(lengths) == 1


def test_a_member_that_was_left_behind_is_not_taken_for_its_successor(store: EventStore) -> None:
    Keeper.gate.clear()
    Keeper.entered.clear()
    with Teams(store) as teams:
        team = teams.create()
        stuck = hired(team, Keeper, "@A")
        teams.system.tell(stuck, Note(text="half done"))
        assert Keeper.entered.wait(5)
        team.stop(0.2)
        assert stuck.is_alive()
        again = teams.resume(team.team_id)
        assert asked(teams, again, "@A", Keeper).notes() == []
        Keeper.gate.set()
        assert isinstance(stuck, ActorAddressImpl)
        assert stuck.ref.finished.wait(5)
        successor = again.member("@A")
        assert successor == stuck
        assert asked(teams, again, "@A", Keeper).notes() == []
        assert teams.system.get_actor(stuck) is not None
