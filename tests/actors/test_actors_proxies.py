"""Ask and tell proxies (C7)."""

from collections.abc import Callable
from threading import Event, Thread
from time import monotonic

import pykka
import pytest
from tests.actors.actors_support import Note, Team, Worker, ref_of, wait_for_end

from cardwright.actors import (
    ActorAddress,
    ActorAddressProxy,
    ActorDeadError,
    ActorSystem,
    Akgent,
    BaseConfig,
    SelfAskError,
    Timeout,
)
from cardwright.actors.proxies import AskProxy, ask_proxy
from cardwright.actors.refs import ASK_TIMEOUT


class Curious(Akgent):
    """Has every kind of member that a proxy meets."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type] # the keywords of the base
        self.plain = [1]
        self.callback: Callable[[int], int] = lambda value: value * 2
        self.looked_at = 0
        self.gate = Event()

    @property
    def expensive(self) -> int:
        """A proxy that introspects its target runs this."""
        self.looked_at += 1
        return self.looked_at

    @staticmethod
    def helper(value: int) -> int:
        return value + 1

    @classmethod
    def label(cls) -> str:
        return cls.__name__

    def _private(self) -> None:
        raise AssertionError

    def wait(self) -> str:
        self.gate.wait(5)
        return "done"

    def slow_ask(self) -> None:
        raise Timeout("from inside")

    def tell_self(self) -> str:
        self.proxy_tell(self.myAddress, Curious).helper(1)
        return "told"

    def ask_other_about_me(self, other: "Curious") -> object:
        return other


@pytest.fixture
def curious(system: ActorSystem) -> Curious:
    address = system.createActor(Curious, config=BaseConfig(name="@Curious"))
    return system.proxy_ask(address, Curious)


def test_methods_and_attributes(curious: Curious) -> None:
    assert curious.helper(1) == 2
    assert curious.label() == "Curious"
    assert curious.plain == [1]
    assert curious.callback(4) == 8
    assert curious.config.name == "@Curious"
    assert curious.helper.__name__ == "helper"
    assert "@Curious" in repr(curious)


def test_construction_looks_at_nothing(curious: Curious) -> None:
    assert curious.looked_at == 0
    assert (curious.expensive, curious.expensive) == (1, 2)


def test_private_and_missing_names_are_attribute_errors(curious: Curious) -> None:
    with pytest.raises(AttributeError, match="private"):
        curious._private()
    with pytest.raises(AttributeError, match="no_such"):
        curious.no_such  # type: ignore[attr-defined] # noqa: B018 - the mistake under test
    assert not hasattr(curious, "no_such")


def test_missing_names_are_no_failure_of_the_actor(team: Team) -> None:
    address, worker = team.worker()
    assert not hasattr(worker, "no_such")
    worker.bump()
    assert "ErrorMessage" not in team.kinds(address)


def test_tell_returns_at_once_and_futures_for_attributes(system: ActorSystem) -> None:
    address = system.createActor(Curious)
    ask, tell = system.proxy_ask(address, Curious), system.proxy_tell(address, Curious)
    gate = ask.gate
    started = monotonic()
    assert tell.wait() is None
    assert monotonic() - started < 1
    gate.set()
    future: object = tell.plain
    assert isinstance(future, pykka.Future)
    assert future.get(timeout=5) == [1]


def test_an_actor_asking_itself_is_refused_at_once(team: Team) -> None:
    address, worker = team.worker("@Narcissus")
    started = monotonic()
    with pytest.raises(SelfAskError, match="@Narcissus"):
        worker.ask_self()
    assert monotonic() - started < 2
    assert worker.bump() == 1
    del address


def test_an_actor_may_tell_itself(curious: Curious) -> None:
    assert curious.tell_self() == "told"


def test_timeout_abandons_the_wait_not_the_work(system: ActorSystem) -> None:
    address = system.createActor(Curious, config=BaseConfig(name="@Slow"))
    patient = system.proxy_ask(address, Curious)
    gate = patient.gate
    hasty = system.proxy_ask(address, Curious, timeout=0.05)
    with pytest.raises(Timeout, match=r"'@Slow' to wait within 0\.05 s"):
        hasty.wait()
    gate.set()
    assert patient.wait() == "done"


def test_a_timeout_of_the_handler_is_an_answer(curious: Curious) -> None:
    with pytest.raises(Timeout, match="from inside"):
        curious.slow_ask()


def test_asks_have_a_default_timeout(system: ActorSystem) -> None:
    address = system.createActor(Curious)
    assert ASK_TIMEOUT == 30.0
    assert ask_proxy(address, AskProxy)._timeout == 30.0
    assert ask_proxy(address, AskProxy, None)._timeout is None


def test_dead_and_inert_addresses(system: ActorSystem) -> None:
    address = system.createActor(Curious, config=BaseConfig(name="@Gone"))
    proxy = system.proxy_ask(address, Curious)
    with pytest.raises(RuntimeError, match="no live address"):
        system.proxy_ask(ActorAddressProxy(address.serialize()))
    proxy.stop()
    wait_for_end(address)
    with pytest.raises(ActorDeadError, match="@Gone"):
        proxy.helper(1)
    for make in (system.proxy_ask, system.proxy_tell):
        with pytest.raises(ActorDeadError, match="@Gone"):
            make(address)


def test_a_stop_answers_those_who_wait(system: ActorSystem) -> None:
    address = system.createActor(Curious)
    proxy = system.proxy_ask(address, Curious)
    gate = proxy.gate
    system.proxy_tell(address, Curious).wait()
    ref = ref_of(address)
    stopping = ref.stop(block=False)
    waiting: object = system.proxy_tell(address, Curious).plain
    gate.set()
    assert stopping.get(timeout=5) is True
    assert isinstance(waiting, pykka.Future)
    with pytest.raises(ActorDeadError):
        waiting.get(timeout=5)


def test_a_proxy_does_not_keep_its_actor(system: ActorSystem) -> None:
    import gc

    address = system.createActor(Worker)
    proxy = system.proxy_ask(address, Worker)
    assert proxy.bump() == 1
    proxy.stop()
    ref = ref_of(address)
    assert ref.finished.wait(5)
    gc.collect()
    assert ref.actor is None


def test_calls_from_one_sender_keep_their_order(system: ActorSystem) -> None:
    address = system.createActor(Worker)
    tell, ask = system.proxy_tell(address, Worker), system.proxy_ask(address, Worker)
    for _ in range(200):
        tell.bump()
    system.tell(address, Note(text="count"))
    assert ask.bump() == 202


def test_attributes_cannot_be_set(curious: Curious) -> None:
    with pytest.raises(AttributeError, match="call a method"):
        curious.plain = [2]
    assert curious.plain == [1]


def test_many_writers_lose_nothing(team: Team) -> None:
    address, worker = team.worker()
    writers = [Thread(target=write, args=(team, address)) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(30)
    assert worker.count_of("count") == 8 * 50


def write(team: Team, address: ActorAddress) -> None:
    mine = team.system.proxy_ask(address, Worker)
    counts = [mine.bump() for _ in range(50)]
    assert counts == sorted(set(counts))
