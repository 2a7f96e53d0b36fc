"""T11: deferred results."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from time import monotonic
from typing import ClassVar, cast, override

import pytest

from cardwright.actors import (
    ActorAddress,
    ActorAddressImpl,
    ActorSystem,
    Akgent,
    BaseConfig,
    BaseState,
    Orchestrator,
)
from cardwright.actors.messages import StartMessage
from cardwright.core.deferred import (
    CACHE_CAPACITY,
    NEGATIVE_TTL_S,
    WORKER_ROLE,
    WORKER_TIMEOUT_S,
    DeferredPayload,
    DeferredResultActor,
    DeferredWorker,
    poll_deferred,
)

WAIT = 5.0


class Errand(DeferredPayload):
    """What to fetch; `hold` names a gate to wait for."""

    word: str = ""
    hold: str = ""


# Gates by name: workers run in this process.
gates: dict[str, Event] = {}
started: list[str] = []


class Fetcher(DeferredWorker):
    """Echoes the word of an errand in capitals."""

    @override
    def produce(self, payload: DeferredPayload) -> object:
        assert isinstance(payload, Errand)
        started.append(str(payload.deferred_key))
        if payload.hold:
            gates[payload.hold].wait(WAIT)
        match payload.word:
            case "nothing":
                return None
            case "broken":
                raise OSError("no net")
            case "fatal":
                raise SystemExit(1)
            case "left":
                return self.time_left()
            case word:
                return word.upper()


class HalfBuilt(Fetcher):
    """Cannot be constructed."""

    def __init__(self, **kwargs: object) -> None:
        raise RuntimeError("no worker today")


class Stillborn(Fetcher):
    """Dies before it gets its payload."""

    def on_start(self) -> None:
        raise RuntimeError("cannot start")


class Cache(DeferredResultActor[BaseConfig, BaseState, str, object]):
    """A cache of capitals."""

    worker: ClassVar[type[DeferredWorker]] = Fetcher

    @override
    def worker_class(self) -> type[DeferredWorker]:
        return self.worker

    def expire(self) -> None:
        """Let the failures of the past be over."""
        self._slots = type(self._slots)(
            (key, type(slot)(slot.value, None if slot.expires is None else 0.0))
            for key, slot in self._slots.items()
        )


class Small(Cache):
    """Holds two."""

    cache_capacity = 2


class Unlucky(Cache):
    """Its workers cannot be made."""

    worker: ClassVar[type[DeferredWorker]] = HalfBuilt


class Doomed(Cache):
    """Its workers die at once."""

    worker: ClassVar[type[DeferredWorker]] = Stillborn


@dataclass
class Bench:
    """A team with room for caches."""

    system: ActorSystem
    address: ActorAddress
    root: Orchestrator

    def cache[C: Cache](self, kind: type[C], name: str = "#Cache") -> C:
        address = self.root.getChildrenOrCreate(kind, BaseConfig(name=name, role="ToolActor"))
        return self.system.proxy_ask(address, kind)

    def workers(self) -> list[StartMessage]:
        starts = self.root.get_messages(message_type=StartMessage)
        found = [cast("StartMessage", start) for start in starts]
        return [start for start in found if start.config.name.startswith("#defer-")]


@pytest.fixture
def bench() -> Iterator[Bench]:
    started.clear()
    gates.clear()
    with ActorSystem() as system:
        config = BaseConfig(name="@Orchestrator", role="Orchestrator")
        address = system.createActor(Orchestrator, config=config)
        yield Bench(system, address, system.proxy_ask(address, Orchestrator))
        for gate in gates.values():
            gate.set()


def finished(worker: ActorAddress | None) -> None:
    """Wait until a worker has reported and stopped."""
    assert isinstance(worker, ActorAddressImpl)
    assert worker.ref.finished.wait(WAIT)


def test_t39_one_worker_per_key_and_another_after_eviction(bench: Bench) -> None:
    gates["a"] = Event()
    cache = bench.cache(Small)
    worker = cache.request("k", Errand(deferred_key="k", word="hello", hold="a"))
    assert cache.request("k", Errand(deferred_key="k", word="hello")) is None
    assert cache.request("k", Errand(deferred_key="k", word="hello")) is None
    gates["a"].set()
    finished(worker)
    assert cache.get("k") == "HELLO"
    assert cache.request("k", Errand(deferred_key="k")) is None
    for key in ("x", "y"):
        finished(cache.request(key, Errand(deferred_key=key, word=key)))
    assert cache.get("k") is None
    finished(cache.request("k", Errand(deferred_key="k", word="again")))
    assert cache.get("k") == "AGAIN"
    assert started == ["k", "x", "y", "k"]


def test_t40_the_requested_key_wins(bench: Bench) -> None:
    cache = bench.cache(Cache)
    payload = Errand(deferred_key="other", word="hello")
    finished(cache.request("k", payload))
    assert (cache.get("k"), cache.get("other")) == ("HELLO", None)
    assert payload.deferred_key == "other"


def test_t41_a_worker_that_cannot_start_leaves_no_key_stuck(bench: Bench) -> None:
    cache = bench.cache(Unlucky)
    assert cache.request("k", Errand(deferred_key="k")) is None
    assert cache.get("k") is None
    Unlucky.worker = Fetcher
    try:
        assert cache.request("k", Errand(deferred_key="k", word="now")) is None
        cache.expire()
        finished(cache.request("k", Errand(deferred_key="k", word="now")))
    finally:
        Unlucky.worker = HalfBuilt
    assert cache.get("k") == "NOW"


@pytest.mark.parametrize("word", ["fatal", "stillborn"])
def test_t41_a_worker_that_is_ended_leaves_no_key_stuck(bench: Bench, word: str) -> None:
    cache = bench.cache(Doomed if word == "stillborn" else Cache)
    # A worker may be dead before it is told what to do: then there is none.
    if (worker := cache.request("k", Errand(deferred_key="k", word=word))) is not None:
        finished(worker)
    assert cache.request("k", Errand(deferred_key="k")) is None
    cache.expire()
    Doomed.worker = Fetcher
    try:
        assert cache.request("k", Errand(deferred_key="k")) is not None
    finally:
        Doomed.worker = Stillborn


def test_t42_failures_take_room_and_a_look_keeps_a_value(bench: Bench) -> None:
    cache = bench.cache(Small)
    finished(cache.request("a", Errand(deferred_key="a", word="a")))
    finished(cache.request("b", Errand(deferred_key="b", word="b")))
    assert cache.get("a") == "A"
    finished(cache.request("c", Errand(deferred_key="c", word="nothing")))
    assert (cache.get("a"), cache.get("b")) == ("A", None)
    finished(cache.request("d", Errand(deferred_key="d", word="broken")))
    finished(cache.request("e", Errand(deferred_key="e", word="broken")))
    assert cache.get("a") is None


def test_t43_a_busy_worker_holds_nobody_up(bench: Bench) -> None:
    gates["slow"] = Event()
    cache = bench.cache(Cache)
    other = bench.cache(Cache, "#Other")
    address = bench.root.get_team_member("#Other")
    worker = cache.request("k", Errand(deferred_key="k", word="hello", hold="slow"))
    began = monotonic()
    assert cache.get("k") is None
    assert other.get("k") is None
    assert monotonic() - began < 0.5
    stopped = bench.root.stop()
    finished(address)
    assert monotonic() - began < 1.5
    assert not stopped.is_set()
    gates["slow"].set()
    finished(worker)
    assert stopped.wait(WAIT)


def test_t73_workers_are_marked_as_ephemeral(bench: Bench) -> None:
    cache = bench.cache(Cache)
    finished(cache.request("a rather long key", Errand(deferred_key=0, word="x")))
    (start,) = bench.workers()
    assert start.config.name == "#defer-a rather lon"
    assert start.config.role == WORKER_ROLE == "ToolActor"
    assert start.ephemeral
    assert start.model_dump()["ephemeral"] is True
    (own,) = bench.root.get_messages(bench.root.get_team_member("#Cache"), StartMessage)
    assert isinstance(own, StartMessage)
    assert not own.ephemeral
    assert not Akgent.ephemeral


def test_a_worker_hands_on_what_is_left_of_its_time(bench: Bench) -> None:
    cache = bench.cache(Cache)
    finished(cache.request("k", Errand(deferred_key="k", word="left")))
    left = cache.get("k")
    assert isinstance(left, float)
    assert 0 < left <= WORKER_TIMEOUT_S < 30


def test_no_turn_of_a_worker_is_reported(bench: Bench) -> None:
    cache = bench.cache(Cache)
    worker = cache.request("k", Errand(deferred_key="k", word="x"))
    finished(worker)
    kinds = [type(message).__name__ for message in bench.root.get_messages(worker)]
    assert kinds == ["StartMessage", "StopMessage"]


def test_a_worker_without_a_parent_warns(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    worker = bench.system.createActor(Fetcher)
    with caplog.at_level(logging.WARNING):
        worker.tell(Errand(deferred_key="k", word="x"))
        finished(worker)
    assert "no parent" in caplog.text


def test_the_constants() -> None:
    assert (Cache.cache_capacity, Cache.negative_ttl_s) == (CACHE_CAPACITY, NEGATIVE_TTL_S)
    assert (CACHE_CAPACITY, NEGATIVE_TTL_S, WORKER_TIMEOUT_S) == (128, 60.0, 20.0)


@pytest.mark.parametrize(
    ("attempts", "answers", "expected", "calls"),
    [(5, [None, 0], 0, 2), (3, [None] * 3, None, 3), (0, ["x"], None, 0), (-1, ["x"], None, 0)],
)
def test_polling_is_bounded(
    attempts: int, answers: list[object], expected: object, calls: int
) -> None:
    asked = iter(answers)
    made: list[int] = []

    def fetch() -> object:
        made.append(1)
        return next(asked)

    assert poll_deferred(fetch, attempts, 0.001) == expected
    assert len(made) == calls
