"""Operations on a backend: at once in this process, or step by step on the thread of a server."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Final, cast

from cardwright.actors.later import Later
from cardwright.core import RetriableError

from .models import CollectionRecord
from .protocol import VectorStore

MAX_WAITING: Final = 1_000
"""Operations that may wait for a server; more are refused."""
_JOIN_S: Final = 1.0


class Shelf:
    """A backend, made when it is first used, with the collections that are open there.

    Used by one thread at a time, as the backend itself.
    """

    def __init__(self, make: Callable[[], VectorStore]) -> None:
        """Make nothing yet."""
        self._make = make
        self._store: VectorStore | None = None
        self._opened: set[str] = set()

    @property
    def store(self) -> VectorStore:
        """The backend; making it raises what is missing for it."""
        if self._store is None:
            self._store = self._make()
        return self._store

    def open(self, name: str, record: CollectionRecord) -> VectorStore:
        """The backend with that collection open in it."""
        if name not in self._opened:
            self.store.create_collection(name, record)
            self._opened.add(name)
        return self.store

    def close(self) -> None:
        """Close what was made."""
        if self._store is not None:
            self._store.close()


type Step = Callable[[Shelf], object]
"""What may block: runs where the backend is used, and touches nothing of the actor."""
type Operation[T] = Generator[Step, object, T]
"""Runs on the actor's thread, and yields its steps: the steps of others never come in between."""


def step[R](work: Callable[[Shelf], R]) -> Generator[Step, object, R]:
    """One step of an operation; `yield from` it gives, or raises, what comes of it."""
    return cast("R", (yield work))


def at_once[T](operation: Operation[T], shelf: Shelf) -> T:
    """Carry out an operation on the calling thread."""
    try:
        work = operation.send(None)
        while True:
            try:
                found = work(shelf)
            except Exception as error:  # noqa: BLE001 - raised where the operation stands
                work = operation.throw(error)
            else:
                work = operation.send(found)
    except StopIteration as end:
        return cast("T", end.value)


@dataclass(frozen=True, slots=True)
class _Job:
    operation: Operation[object]
    later: Later[object]


@dataclass(frozen=True, slots=True)
class _Outcome:
    value: object = None
    error: BaseException | None = None


class Lane:
    """Carries out operations one after the other, their steps on a thread of its own.

    So a server that is slow or hangs holds up nobody but those who wait for that server, and who
    puts, removes and searches finds everything in that order. All methods are for the actor's
    thread.
    """

    def __init__(
        self, name: str, make: Callable[[], VectorStore], wake: Callable[[Lane], None]
    ) -> None:
        """Start nothing yet.

        Args:
            name: of the backend, for the texts.
            make: makes the backend, on the lane's thread.
            wake: has `advance` called on the actor's thread; called on the lane's.
        """
        self._name = name
        self._shelf = Shelf(make)
        self._wake = wake
        self._waiting: deque[_Job] = deque()
        self._current: _Job | None = None
        self._steps: SimpleQueue[Step | None] = SimpleQueue()
        self._outcomes: SimpleQueue[_Outcome] = SimpleQueue()
        self._thread: Thread | None = None

    def require_room(self) -> None:
        """Refuse when too much waits already.

        Raises:
            RetriableError: it does.
        """
        if len(self._waiting) >= MAX_WAITING:
            raise RetriableError(
                f"{len(self._waiting)} operations wait for {self._name} already: "
                "it is slow or does not answer; try again later"
            )

    def is_last(self, later: Later[None]) -> bool:
        """Whether an operation waits, and is the last to do so."""
        return bool(self._waiting) and self._waiting[-1].later is later

    def submit[T](self, operation: Operation[T]) -> Later[T]:
        """Carry out an operation behind those that wait."""
        later: Later[T] = Later()
        job = _Job(cast("Operation[object]", operation), cast("Later[object]", later))
        self._waiting.append(job)
        self._start_next()
        return later

    def advance(self) -> None:
        """Take up what the thread has done since."""
        with suppress(Empty):
            while True:
                self._resume(self._outcomes.get_nowait())

    def drain(self, seconds: float) -> None:
        """Finish what waits, as far as there is time."""
        deadline = monotonic() + seconds
        with suppress(Empty):
            while self._current is not None:
                self._resume(self._outcomes.get(timeout=max(deadline - monotonic(), 0.0)))

    def close(self, reason: Exception) -> None:
        """Give up what waits, and let the thread close the backend when its step has ended."""
        idle = self._current is None
        left = [*([] if self._current is None else [self._current]), *self._waiting]
        self._waiting.clear()
        for job in left:
            job.operation.close()
            job.later.fail(reason)
        self._steps.put(None)
        if idle and self._thread is not None:
            self._thread.join(_JOIN_S)

    def _start_next(self) -> None:
        while self._current is None and self._waiting:
            self._current = self._waiting.popleft()
            self._go_on(_Outcome())

    def _resume(self, outcome: _Outcome) -> None:
        self._go_on(outcome)
        self._start_next()

    def _go_on(self, outcome: _Outcome) -> None:
        """Continue the current operation until its next step, or its end."""
        job = self._current
        if job is None:
            return
        error = outcome.error
        try:
            operation = job.operation
            work = operation.send(outcome.value) if error is None else operation.throw(error)
        except StopIteration as end:
            self._current = None
            job.later.answer(end.value)
        except Exception as failure:  # noqa: BLE001 - an answer to whoever waits
            self._current = None
            job.later.fail(failure)
        else:
            self._hand_over(work)

    def _hand_over(self, work: Step) -> None:
        if self._thread is None:
            self._thread = Thread(target=self._run, name=f"cardwright-{self._name}", daemon=True)
            self._thread.start()
        self._steps.put(work)

    def _run(self) -> None:
        while (work := self._steps.get()) is not None:
            try:
                outcome = _Outcome(work(self._shelf))
            except BaseException as error:  # noqa: BLE001 - raised where the operation stands
                outcome = _Outcome(error=error)
            self._outcomes.put(outcome)
            self._wake(self)
        self._shelf.close()
