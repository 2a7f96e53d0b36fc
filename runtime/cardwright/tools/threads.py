"""Daemon threads for synchronous bodies.

The executors of the standard library are joined when the process ends, so one body that never
returns would keep it alive. These threads are not.
"""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final

type Work = Callable[[], None]
"""Must not raise."""

_IDLE_SECONDS: Final = 1.0


class Threads:
    """Runs each piece of work on a thread of its own; idle threads are used again."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._idle: list[SimpleQueue[Work]] = []

    def run(self, work: Work, label: str = "") -> None:
        """Start `work` at once; the thread carries `label` in its name meanwhile."""
        named = _named(self._name, label, work)
        with self._lock:
            inbox = self._idle.pop() if self._idle else None
        if inbox is not None:
            inbox.put(named)
            return
        threading.Thread(target=self._serve, args=(named,), name=self._name, daemon=True).start()

    def _serve(self, work: Work | None) -> None:
        inbox: SimpleQueue[Work] = SimpleQueue()
        while work is not None:
            work()
            work = None  # an idle thread keeps nothing of what it ran
            with self._lock:
                self._idle.append(inbox)
            work = self._wait(inbox)

    def _wait(self, inbox: "SimpleQueue[Work]") -> Work | None:
        try:
            return inbox.get(timeout=_IDLE_SECONDS)
        except Empty:
            pass
        with self._lock:
            if inbox in self._idle:
                self._idle.remove(inbox)
                return None
        return inbox.get()


def _named(base: str, label: str, work: Work) -> Work:
    def run() -> None:
        thread = threading.current_thread()
        thread.name = f"{base}:{label}" if label else base
        work()
        thread.name = base

    return run


UNBOUNDED: Final = Threads("cardwright-tool")
"""For bodies that no pool bounds."""
