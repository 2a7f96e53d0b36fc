"""Slow external work off the thread of a shared actor: one worker per key, results in a cache.

Seven rules, all of them kept here: the cache actor never does the slow call; one worker per key,
which stops itself; its name starts with `#`; requests in flight are not repeated; failures are
remembered for a while; the cache is bounded, least recently used first; callers poll with a bound
and always have a degraded answer.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, ClassVar, Final

from cardwright.actors import ActorAddress, Akgent, BaseConfig, BaseState, SerializableBaseModel
from cardwright.actors.proxies import tell_proxy

__all__ = [
    "CACHE_CAPACITY",
    "NEGATIVE_TTL_S",
    "WORKER_KEY_CHARACTERS",
    "WORKER_NAME_PREFIX",
    "WORKER_ROLE",
    "WORKER_TIMEOUT_S",
    "DeferredPayload",
    "DeferredResultActor",
    "DeferredWorker",
    "poll_deferred",
]

logger = logging.getLogger(__name__)

# Values and remembered failures that one cache holds.
CACHE_CAPACITY: Final = 128
# Seconds for which a failure is not tried again.
NEGATIVE_TTL_S: Final = 60.0
# Seconds for the work of one worker; below the 30 s that a stopping team waits.
WORKER_TIMEOUT_S: Final = 20.0
WORKER_NAME_PREFIX: Final = "#defer-"
WORKER_ROLE: Final = "ToolActor"
# How much of a key its worker's name shows.
WORKER_KEY_CHARACTERS: Final = 12


class DeferredPayload(SerializableBaseModel):
    """What a worker is asked to do. No `Message`, so no turn of a worker is reported."""

    deferred_key: Any


def poll_deferred[T](
    fetch: Callable[[], T | None], attempts: int = 5, delay: float = 0.4
) -> T | None:
    """Return the first value of `fetch` that is not None, or None after `attempts` calls.

    Args:
        fetch: asks for the value; anything but None counts, falsy values too.
        attempts: how often to ask at most; 0 or less never asks.
        delay: seconds between two calls.
    """
    for attempt in range(attempts):
        if attempt:
            sleep(delay)
        if (value := fetch()) is not None:
            return value
    return None


class DeferredWorker(Akgent, ABC):
    """Does one slow piece of work, tells its parent the outcome, and stops."""

    # It is gone with the work: a resumed team does not bring it back.
    ephemeral: ClassVar[bool] = True
    # Seconds for the whole of `produce`.
    timeout_s: ClassVar[float] = WORKER_TIMEOUT_S

    _began: float | None = None

    @abstractmethod
    def produce(self, payload: DeferredPayload) -> object:
        """Return the result; None means that there is none.

        Give `time_left()` as the time-out to whatever client does the work.
        """

    def time_left(self) -> float:
        """Return the seconds that are left of `timeout_s`, never less than 0."""
        began = monotonic() if self._began is None else self._began
        return max(began + self.timeout_s - monotonic(), 0.0)

    def receiveMsg_DeferredPayload(self, message: DeferredPayload) -> None:
        """Do the work, report it, and stop whatever happened."""
        self._began = monotonic()
        try:
            self._work(message)
        finally:
            self.stop()

    def _work(self, payload: DeferredPayload) -> None:
        key = payload.deferred_key
        try:
            value = self.produce(payload)
        except BaseException as error:
            logger.info("%r has no result for %r.", self, key, exc_info=True)
            self._tell("fail", key, f"{type(error).__name__}: {error}")
            if not isinstance(error, Exception):
                raise
            return
        if value is None:
            self._tell("fail", key, "The work gave no result.")
        else:
            self._tell("deliver", key, value)

    def _tell(self, method: str, key: object, outcome: object) -> None:
        if self.parent is None:
            logger.warning("%r has no parent to tell its result.", self)
            return
        try:
            getattr(tell_proxy(self.parent), method)(key, outcome)
        except Exception:
            logger.warning("%r cannot tell its result.", self, exc_info=True)


@dataclass(frozen=True, slots=True)
class _Slot[V]:
    """A value, or a failure until `expires` (seconds of the monotonic clock)."""

    value: V | None = None
    expires: float | None = None

    def is_live(self) -> bool:
        return self.expires is None or monotonic() < self.expires


class DeferredResultActor[ConfigType: BaseConfig, StateType: BaseState, K: Hashable, V](
    Akgent[ConfigType, StateType], ABC
):
    """Keeps results that workers fetch; it answers at once and never does slow work itself.

    Nothing of the cache is stored. A subclass that sets its state in `on_start` does so before it
    calls this one.
    """

    cache_capacity: ClassVar[int] = CACHE_CAPACITY
    negative_ttl_s: ClassVar[float] = NEGATIVE_TTL_S

    def on_start(self) -> None:
        """Publish the state from now on, and start with an empty cache."""
        self.state.observer(self)
        self._slots: OrderedDict[K, _Slot[V]] = OrderedDict()
        self._in_flight: dict[K, ActorAddress] = {}

    @abstractmethod
    def worker_class(self) -> type[DeferredWorker]:
        """Return the class of the workers."""

    def get(self, key: K) -> V | None:
        """Return the value of `key` if it is there; unknown, awaited or failed gives None."""
        slot = self._slots.get(key)
        if slot is None or slot.expires is not None:
            return None
        self._slots.move_to_end(key)
        return slot.value

    def request(self, key: K, payload: DeferredPayload) -> ActorAddress | None:
        """Have a worker fetch the value of `key`.

        Args:
            key: under which the result is kept, whatever the payload says.
            payload: what the worker is asked to do; copied.

        Returns:
            The worker, or None if none is needed (known, awaited, failed lately) or none starts.
        """
        if self._is_settled(key):
            return None
        try:
            worker = self._spawn(key, payload)
        except Exception as error:
            logger.exception("%r cannot start a worker for %r.", self, key)
            self.fail(key, f"{type(error).__name__}: {error}")
            return None
        self._in_flight[key] = worker
        return worker

    def deliver(self, key: K, value: V) -> None:
        """Keep the value that a worker found."""
        self._in_flight.pop(key, None)
        self._keep(key, _Slot(value))

    def fail(self, key: K, error: str) -> None:
        """Remember for `negative_ttl_s` seconds that there is no value."""
        logger.debug("%r: no result for %r: %s", self, key, error)
        self._in_flight.pop(key, None)
        self._keep(key, _Slot(expires=monotonic() + self.negative_ttl_s))

    def _is_settled(self, key: K) -> bool:
        slot = self._slots.get(key)
        if slot is not None:
            if slot.is_live():
                return True
            del self._slots[key]
        worker = self._in_flight.get(key)
        if worker is not None and not worker.is_alive():
            # It was ended before it could tell. Should its result be on its way, that replaces it.
            self.fail(key, "The worker stopped without a result.")
        return worker is not None

    def _spawn(self, key: K, payload: DeferredPayload) -> ActorAddress:
        name = f"{WORKER_NAME_PREFIX}{str(key)[:WORKER_KEY_CHARACTERS]}"
        # Never get-or-create: names need not be unique, and each key has its own worker.
        worker = self.createActor(
            self.worker_class(), config=BaseConfig(name=name, role=WORKER_ROLE)
        )
        worker.tell(payload.model_copy(update={"deferred_key": key}))
        return worker

    def _keep(self, key: K, slot: _Slot[V]) -> None:
        self._slots[key] = slot
        self._slots.move_to_end(key)
        while len(self._slots) > self.cache_capacity:
            self._slots.popitem(last=False)
