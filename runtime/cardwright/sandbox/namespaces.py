"""Ending a process namespace, and with it every process that it holds."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import override

from .processes import Leftovers, wait_gone

__all__ = ["NamespaceLeftovers"]


@dataclass(frozen=True, slots=True)
class NamespaceLeftovers(Leftovers):
    """The processes behind bubblewrap: they end with the first process of their namespace.

    Whatever they do (sessions of their own, double forks, ignored signals), none leaves it.
    """

    process: "subprocess.Popen[bytes]"
    first: Callable[[], int | None]
    """Says who that first process is, once that is known and as long as it lives."""

    @override
    def end(self) -> bool:
        first = self._opened()
        with contextlib.suppress(ProcessLookupError):
            if first is not None:
                signal.pidfd_send_signal(first, signal.SIGKILL)
        # One that is not known yet is still of the group; alone, it would wait for ever.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        if first is None:
            return True
        try:
            return wait_gone([first])
        finally:
            os.close(first)

    def _opened(self) -> int | None:
        """Return a pidfd of the first process, or None if there is none any more."""
        first = self.first()
        if first is None:
            return None
        with contextlib.suppress(ProcessLookupError):
            opened = os.pidfd_open(first)
            if self.first() == first:
                return opened
            os.close(opened)
        return None
