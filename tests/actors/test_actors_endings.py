"""Unusual ends: nobody is waited for who never came, and everybody hears who went."""

import gc
import threading
import weakref
from collections.abc import Callable
from threading import Event
from typing import override
from uuid import UUID

import pytest
from pykka._envelope import Envelope
from pykka.messages import _ActorStop
from tests.actors.actors_support import WAIT, Team, Worker, ref_of, wait_for_end

from cardwright.actors import (
    ActorDeadError,
    ActorSystem,
    Akgent,
    BaseConfig,
    EventSubscriber,
    Orchestrator,
)
from cardwright.actors.inbox import Inbox
from cardwright.actors.messages import StartMessage, StopMessage


def test_an_actor_whose_thread_cannot_start_is_no_member(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        if thread.name.startswith("Worker-"):
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refused)
        with pytest.raises(RuntimeError, match="new thread"):
            team.root.createActor(Worker, config=BaseConfig(name="@Ghost"))
    assert team.root.get_team_member("@Ghost") is None
    assert team.root.count_messages(message_type=StartMessage) == 2
    assert team.root.count_messages(message_type=StopMessage) == 1
    # Nobody is waited for.
    assert team.root.stop(30.0).wait(WAIT)


class Quitter(Orchestrator):
    """Ends in unusual ways."""

    def leave(self) -> None:
        raise SystemExit

    def raw(self) -> None:
        self._stop_self()

    @override
    def on_stop(self) -> None:
        """Forgets the base."""


class Listener(EventSubscriber):
    def __init__(self) -> None:
        self.ended = Event()

    @override
    def on_stop(self, team_id: UUID) -> None:
        self.ended.set()


class InlineListener(Listener):
    inline = True


@pytest.mark.parametrize("kind", [Listener, InlineListener])
@pytest.mark.parametrize("end", [Quitter.leave, Quitter.raw])
def test_subscribers_hear_of_the_end_however_the_orchestrator_ends(
    system: ActorSystem, kind: type[Listener], end: Callable[[Quitter], None]
) -> None:
    address = system.createActor(Quitter, config=BaseConfig(name="@Q"))
    listener = kind()
    system.proxy_ask(address, Quitter).subscribe(listener)
    getattr(system.proxy_tell(address, Quitter), end.__name__)()
    assert listener.ended.wait(WAIT)
    left = [it for it in threading.enumerate() if it.name == "@Q-subscribers"]
    for thread in left:
        thread.join(WAIT)
        assert not thread.is_alive()


class Payload:
    """Something large in a failing turn."""


class Failing(Akgent):
    def fail(self, payload: Payload) -> None:
        assert payload is not None
        raise ValueError("no")


def test_a_failed_ask_keeps_nothing_once_it_is_dealt_with(system: ActorSystem) -> None:
    address = system.createActor(Failing)
    proxy = system.proxy_ask(address, Failing)
    gc.collect()
    gc.disable()
    try:
        payload = Payload()
        watched = weakref.ref(payload)
        with pytest.raises(ValueError, match="no") as caught:
            proxy.fail(payload)
        del payload, caught
        # The actor has left that turn.
        assert proxy.config.name
        assert watched() is None
    finally:
        gc.enable()


class Stubborn(Orchestrator):
    @override
    def stop(self, grace_timeout: float = 30.0) -> Event:  # type: ignore[override] # as the orchestrator's own
        raise ValueError("not now")


def test_one_team_that_refuses_to_stop_does_not_keep_the_others_running() -> None:
    system = ActorSystem()
    for kind in (Stubborn, Orchestrator):
        address = system.createActor(kind, config=BaseConfig(name=f"@{kind.__name__}"))
        listener = Listener()
        system.proxy_ask(address, Orchestrator).subscribe(listener)
    system.shutdown()
    assert listener.ended.wait(WAIT)
    assert not system.directory.living()


def test_the_state_of_who_has_stopped_is_not_kept(team: Team) -> None:
    address, worker = team.worker()
    assert worker.bump() == 1
    assert address.agent_id in team.root.get_states()
    ref_of(address).cast("stop")
    wait_for_end(address)
    assert address.agent_id not in team.root.get_states()


def test_who_was_heard_is_not_told_that_the_actor_was_dead(
    system: ActorSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = system.createActor(Failing)
    ref = ref_of(address)
    put, others = Inbox.put, Envelope("of somebody else")

    def slow(inbox: Inbox, envelope: Envelope[object]) -> None:
        put(inbox, envelope)
        if inbox is ref.inbox and envelope is not others:
            # The actor stops, and somebody else is about to learn that.
            assert ref.finished.wait(WAIT)
            put(inbox, others)

    with monkeypatch.context() as patched:
        patched.setattr(Inbox, "put", slow)
        ref.deliver(_ActorStop())
    assert not ref.is_alive()


def test_who_was_not_heard_is_told_whoever_emptied_the_inbox(
    system: ActorSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = ref_of(system.createActor(Failing))
    put = Inbox.put

    def slow(inbox: Inbox, envelope: Envelope[object]) -> None:
        if inbox is ref.inbox and envelope.message == "late":
            put(inbox, Envelope(_ActorStop()))
            assert ref.finished.wait(WAIT)
            put(inbox, envelope)
            ref.refuse_pending()
        else:
            put(inbox, envelope)

    with monkeypatch.context() as patched:
        patched.setattr(Inbox, "put", slow)
        with pytest.raises(ActorDeadError):
            ref.deliver("late")
