"""Between the orchestrator, which must not be slowed down, and the thread that stores."""

from collections import deque
from threading import Condition
from time import monotonic
from typing import Any, NamedTuple

from cardwright.actors import ActorAddress
from cardwright.actors.changes import Snapshot
from cardwright.actors.messages import Message

LIMIT = 10_000
"""Messages that may wait; then the orchestrator waits, and with it the team."""


class StateNote(NamedTuple):
    """A state that was published, not written out."""

    sender: ActorAddress
    state: Snapshot[Any]


type Told = Message | StateNote


class Numbered(NamedTuple):
    """A message, or a state, in the order in which the orchestrator had it."""

    number: int
    message: Told


class Intake:
    """A bounded queue that hands out all that waits at once."""

    def __init__(self, limit: int = LIMIT) -> None:
        """Start empty."""
        self._limit = limit
        self._waiting: deque[Numbered] = deque()
        self._changed = Condition()
        self._count = 0
        self._closed = False

    @property
    def count(self) -> int:
        """How many messages were put."""
        with self._changed:
            return self._count

    @property
    def closed(self) -> bool:
        """Whether nothing more comes."""
        return self._closed

    def put(self, message: Told) -> None:
        """Append a message; waits while the queue is full. Once closed, it is not taken."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._waiting) < self._limit)
            if self._closed:
                return
            self._count += 1
            self._waiting.append(Numbered(self._count, message))
            self._changed.notify_all()

    def take(self, timeout: float | None, most: int) -> list[Numbered]:
        """Wait for messages (or the end) and return them, `most` at a time."""
        deadline = None if timeout is None else monotonic() + timeout
        with self._changed:
            while not self._waiting and not self._closed:
                left = None if deadline is None else deadline - monotonic()
                if left is not None and left <= 0:
                    break
                self._changed.wait(left)
            taken = [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]
            self._changed.notify_all()
            return taken

    def close(self) -> None:
        """Take no more; whoever waits goes on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
