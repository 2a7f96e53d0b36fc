"""A live tail of one stream."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Self, override

from cardwright.store.pulse import Pulse
from cardwright.store.records import StoredEvent

type Fetch = Callable[[int], list[StoredEvent]]
"""Returns the next page of events behind a number; empty if there are none yet."""


class Subscription(Iterator[StoredEvent]):
    """Iterates over the events of a stream, waiting for those to come; nothing lost, nothing twice.

    An error leaves the position as it was: iterate on when its cause is gone. Use it from one
    thread and close it, from any thread, to end the iteration; it is a context manager too.
    """

    def __init__(
        self, stream: str, after: int, fetch: Fetch, pulse: Pulse, poll_seconds: float
    ) -> None:
        """Follow `stream` behind number `after`; made by `EventStore.subscribe`."""
        self.stream = stream
        self.position = after
        """The number of the last event that was handed out."""
        self._fetch = fetch
        self._pulse = pulse
        self._poll_seconds = poll_seconds
        self._page: deque[StoredEvent] = deque()
        self._closed = threading.Event()
        self._waker = pulse.join(stream)

    def next(self, timeout: float | None = None) -> StoredEvent | None:
        """Return the next event; `None` after `timeout` seconds without one, or once closed.

        Raises:
            StreamGone: the stream was deleted.
            StaleCursorError: the stream ends before the position.
            StoreUnavailableError: the database is away for now; call again.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while not self._closed.is_set():
            if self._page or self._refill():
                event = self._page.popleft()
                self.position = event.sequence
                return event
            pause = self._poll_seconds
            if deadline is not None:
                pause = min(pause, deadline - time.monotonic())
            if pause <= 0:
                return None
            self._waker.wait(pause)
        return None

    def _refill(self) -> bool:
        # Cleared before looking: what is stored after the look sets it again.
        self._waker.clear()
        self._page.extend(self._fetch(self.position))
        return bool(self._page)

    @override
    def __next__(self) -> StoredEvent:
        event = self.next()
        if event is None:
            raise StopIteration
        return event

    def close(self) -> None:
        """End the iteration, also the one that is waiting right now."""
        self._closed.set()
        self._waker.set()
        self._pulse.leave(self.stream, self._waker)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()
