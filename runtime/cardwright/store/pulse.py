"""The pulse of a store: who waits for which stream, and how they are woken."""

import threading
from weakref import WeakSet


class Pulse:
    """Wakes the waiting subscribers of a stream. A pulse says *look*, never what happened."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # A subscription that nobody closed takes its waker along.
        self._waiting: dict[str, WeakSet[threading.Event]] = {}

    def join(self, stream: str) -> threading.Event:
        """Return an event that is set whenever the stream may have changed."""
        waker = threading.Event()
        with self._lock:
            self._waiting = {name: wakers for name, wakers in self._waiting.items() if wakers}
            self._waiting.setdefault(stream, WeakSet()).add(waker)
        return waker

    def leave(self, stream: str, waker: threading.Event) -> None:
        """Forget a waker; unknown ones are no matter."""
        with self._lock:
            if (wakers := self._waiting.get(stream)) is not None:
                wakers.discard(waker)

    def beat(self, stream: str) -> None:
        """Wake the subscribers of one stream."""
        with self._lock:
            for waker in self._waiting.get(stream, ()):
                waker.set()

    def beat_all(self) -> None:
        """Wake everybody: pulses may have been missed, or the store is closing."""
        with self._lock:
            for wakers in self._waiting.values():
                for waker in wakers:
                    waker.set()
