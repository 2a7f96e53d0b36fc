"""Ending all processes of a command, not only the one that was started."""

import contextlib
import os
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Final, override

from .cgroups import ControlGroup

__all__ = ["RUN_VARIABLE", "GroupLeftovers", "Leftovers", "SessionLeftovers", "wait_gone"]

RUN_VARIABLE: Final = "CARDWRIGHT_SANDBOX_RUN"
"""Marks the processes of one run in their environment, which a double fork does not shake off."""

# Parent of the threads of the kernel.
_KERNEL: Final = b"2"
_GRACE_S: Final = 5.0
_PAUSE_S: Final = 0.005
# Looks in a row that must find nothing: a process that forks may be missed by one.
_CLEAN_LOOKS: Final = 2


class Leftovers(ABC):
    """Knows the processes of one run and ends them."""

    @abstractmethod
    def end(self) -> bool:
        """Kill all of them, wait until they are gone, and tell whether they are."""


@dataclass(frozen=True, slots=True)
class _Process:
    pid: int
    parent: int
    group: int
    session: int


@dataclass(frozen=True, slots=True)
class GroupLeftovers(Leftovers):
    """The processes of one group: of a client whose own work happens elsewhere."""

    leader: int

    @override
    def end(self) -> bool:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader, signal.SIGKILL)
        return True


@dataclass(frozen=True, slots=True)
class SessionLeftovers(Leftovers):
    """The processes of a session, those that carry its mark, and whatever descends from them.

    For commands that run on the host itself. A control group knows those that shook off both.
    """

    process: "subprocess.Popen[bytes]"
    mark: str
    group: ControlGroup

    @override
    def end(self) -> bool:
        deadline = monotonic() + _GRACE_S
        clean = 0
        while clean < _CLEAN_LOOKS:
            found = self._found()
            clean = 0 if found else clean + 1
            for pid in found:
                _signal(pid, signal.SIGKILL)
            if found and monotonic() > deadline:
                return False
            if found:
                sleep(_PAUSE_S)
        return True

    def _found(self) -> set[int]:
        self._end_group()
        if self.group.folders:
            # It knows all of them, and looking through those of the whole machine takes time.
            return self.group.processes()
        processes = list(_processes())
        mine = {one.pid for one in processes if self._is_mine(one)}
        if mine:
            mine |= _descendants(processes, mine)
        return mine - {os.getpid()}

    def _end_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def _is_mine(self, one: _Process) -> bool:
        if self.process.pid in (one.pid, one.group, one.session):
            return True
        return one.pid > 1 and self.mark.encode() in _read(f"/proc/{one.pid}/environ")


def wait_gone(descriptors: Iterable[int]) -> bool:
    """Wait for the processes of these pidfds to be gone and tell whether they are."""
    import select

    deadline = monotonic() + _GRACE_S
    for descriptor in descriptors:
        left = max(deadline - monotonic(), 0.0)
        if not select.select([descriptor], [], [], left)[0]:
            return False
    return True


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _processes() -> Iterator[_Process]:
    """Living processes; none where there is no /proc."""
    try:
        names = os.listdir("/proc")  # noqa: PTH208 - a Path for each of them costs more than the look
    except OSError:
        return
    for name in names:
        if name.isdecimal() and (process := _process(name)) is not None:
            yield process


def _process(pid: str) -> _Process | None:
    text = _read(f"/proc/{pid}/stat")
    if not text:
        return None
    # The name in parentheses may hold anything, a closing parenthesis included.
    state, *numbers = text[text.rindex(b")") + 2 :].split()[:4]
    if state in (b"Z", b"X") or numbers[0] == _KERNEL:
        return None
    return _Process(int(pid), *map(int, numbers))


def _read(path: str) -> bytes:
    """Return what a file of /proc holds, nothing if its process is gone; hundreds are read."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        # Whole, for what is looked for here: the kernel gives it page by page.
        return os.read(descriptor, 1 << 17)
    except OSError:
        return b""
    finally:
        os.close(descriptor)


def _descendants(processes: Iterable[_Process], roots: set[int]) -> set[int]:
    found = set(roots)
    known = list(processes)
    while more := {one.pid for one in known if one.parent in found} - found:
        found |= more
    return found
