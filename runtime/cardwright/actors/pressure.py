"""Makes a team wait while what it tells of itself is not recorded and delivered as fast."""

from __future__ import annotations

from threading import Condition, get_ident
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sized

__all__ = ["BACKLOG", "Pressure"]

# Things told and not yet recorded and delivered, after which those who tell more have to wait.
BACKLOG: Final = 10_000


class Pressure:
    """Counts what waits for one orchestrator and its subscribers; holds back whoever adds to it.

    The threads that reduce the backlog are exempt: they would wait for themselves.
    """

    __slots__ = ("_changed", "_closed", "_exempt", "_inbox", "_undelivered", "waiting")

    def __init__(self, inbox: Sized, undelivered: Sized) -> None:
        """Watch an inbox and what waits for delivery."""
        self._inbox = inbox
        self._undelivered = undelivered
        self._changed = Condition()
        self._exempt: set[int] = set()
        self._closed = False
        # How many wait now: looked at often, so without a lock.
        self.waiting = 0

    def exempt(self) -> None:
        """Never hold this thread back."""
        self._exempt.add(get_ident())

    def is_high(self) -> bool:
        """Tell whether too much waits."""
        return len(self._inbox) + len(self._undelivered) > BACKLOG

    def hold_back(self) -> None:
        """Wait until half of the backlog is gone, or nobody works on it any more."""
        if self._closed or get_ident() in self._exempt:
            return
        with self._changed:
            self.waiting += 1
            try:
                self._changed.wait_for(self._is_relieved)
            finally:
                self.waiting -= 1

    def relieve(self) -> None:
        """Let those who wait go on, if the backlog allows; call after reducing it."""
        if self.waiting and self._is_relieved():
            with self._changed:
                self._changed.notify_all()

    def close(self) -> None:
        """Hold nobody back from now on."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _is_relieved(self) -> bool:
        return self._closed or len(self._inbox) + len(self._undelivered) <= BACKLOG // 2
