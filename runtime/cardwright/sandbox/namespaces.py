"""Ending a process namespace, and with it every process that it holds."""

import contextlib
import json
import os
import signal
import subprocess
from dataclasses import dataclass
from typing import Final, override

from .processes import Leftovers, wait_gone

__all__ = ["NamespaceLeftovers"]

_REPORT_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class NamespaceLeftovers(Leftovers):
    """The processes behind bubblewrap: they end with the first process of their namespace.

    Whatever they do (sessions of their own, double forks, ignored signals), none leaves it.
    """

    process: "subprocess.Popen[bytes]"
    report: int
    """Where bubblewrap says who that first process is; closed when it was read."""

    @override
    def end(self) -> bool:
        first = self._first()
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

    def _first(self) -> int | None:
        """Return a pidfd of the first process, or None if there is none any more."""
        try:
            told = os.read(self.report, _REPORT_BYTES)
        except (BlockingIOError, OSError):
            return None
        with contextlib.suppress(ValueError, KeyError, ProcessLookupError):
            return os.pidfd_open(json.loads(told)["child-pid"])
        return None
