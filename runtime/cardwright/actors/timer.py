"""A clock of idleness that running tasks hold still."""

from collections.abc import Callable
from threading import Lock
from threading import Timer as ThreadTimer

__all__ = ["Timer"]


class Timer:
    """Calls back once nothing has run for a while."""

    def __init__(self, delay: float, timeout_callback: Callable[[], None]) -> None:
        """Call `timeout_callback` on a daemon thread, `delay` seconds after the last activity."""
        self._delay = delay
        self._callback = timeout_callback
        self._lock = Lock()
        self._timer: ThreadTimer | None = None
        self._armed = 0
        self._running = 0
        self._closed = False

    @property
    def running(self) -> int:
        """How many tasks are running."""
        return self._running

    def start(self) -> None:
        """Start the clock, anew if it was running; nothing once closed."""
        with self._lock:
            self._arm()

    def cancel(self) -> None:
        """Stop the clock; `start` or the end of a task starts it again."""
        with self._lock:
            self._disarm()

    def close(self) -> None:
        """Stop the clock for good; tasks are still counted."""
        with self._lock:
            self._closed = True
            self._disarm()

    def task_started(self) -> None:
        """Count a task and stop the clock."""
        with self._lock:
            self._running += 1
            self._disarm()

    def task_completed(self) -> None:
        """Count a task out; start the clock when none is left."""
        with self._lock:
            self._running = max(self._running - 1, 0)
            if self._running == 0:
                self._arm()

    def _arm(self) -> None:
        self._disarm()
        if self._closed:
            return
        self._armed += 1
        self._timer = ThreadTimer(self._delay, self._fire, args=(self._armed,))
        self._timer.daemon = True
        self._timer.start()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _fire(self, armed: int) -> None:
        with self._lock:
            # Cancelled or armed anew between going off and taking the lock: not our turn.
            due = self._timer is not None and armed == self._armed
            if due:
                self._timer = None
        if due:
            self._callback()
