"""Running one process to its end or the end of its time, with bounded output."""

import contextlib
import os
import selectors
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import IO, Final
from uuid import uuid4

from .capture import Capture
from .cgroups import ControlGroup
from .config import TIMED_OUT, ExecResult
from .processes import RUN_VARIABLE, Leftovers
from .watchdog import ending_group, ending_members, forget, on_death

__all__ = ["Launch", "Process", "guarded", "here", "run"]

type Process = subprocess.Popen[bytes]

_CHUNK: Final = 64 * 1024
_DRAIN_S: Final = 1.0
# How often to look where the system cannot say that a process has ended.
_LOOK_S: Final = 0.02
_CANCEL_S: Final = 0.2
_CANCELLED: Final = 143
_SIGNALLED: Final = 128


def here(start: Callable[[], Process]) -> Process:
    """Start a process in the thread that wants it."""
    return start()


def _nothing(_process: Process) -> None:
    """For who has nothing to do with it."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One process to start."""

    argv: Sequence[str]
    environment: Mapping[str, str]
    timeout: float
    """Seconds."""
    leftovers: Callable[[Process], Leftovers]
    """Called with the process that was started; returns who ends all that came of it."""
    folder: Path = Path("/")
    cancelled: Callable[[], bool] = bool
    """Asked a few times each second; once it says True the process is ended."""
    descriptors: Sequence[int] = ()
    """Handed on to the process."""
    starter: Callable[[Callable[[], Process]], Process] = here
    """Calls what it is given where processes are to be started."""
    begun: Callable[[Process], None] = _nothing
    """Called with the process as soon as there is one; if that fails, it is ended."""
    group: ControlGroup = field(default_factory=ControlGroup)
    """Where its processes are, if it joins one."""
    mark: str = field(default_factory=lambda: uuid4().hex)
    """In the environment of what comes of it, by which that is found."""


def run(launch: Launch) -> ExecResult:
    """Run the process and end what it left behind.

    Raises:
        OSError: it cannot be started.
    """
    watch = _Watch(_started(launch), launch)
    try:
        launch.begun(watch.process)
        return watch.result()
    finally:
        watch.close()


def guarded(launch: Launch) -> ExecResult:
    """Run the process likewise, and have it ended if the host is killed meanwhile.

    Raises:
        OSError: it cannot be started.
    """
    members = ending_members(launch.group, launch.mark)

    def known(process: Process) -> None:
        on_death(launch.mark, f"{ending_group(process.pid)}; {members}")

    on_death(launch.mark, members)
    try:
        return run(replace(launch, begun=known))
    finally:
        forget(launch.mark)


def _started(launch: Launch) -> Process:
    def start() -> Process:
        return subprocess.Popen(
            launch.argv,
            cwd=launch.folder,
            env={**launch.environment, RUN_VARIABLE: launch.mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # No controlling terminal to inject input into, and a group to signal.
            start_new_session=True,
            pass_fds=launch.descriptors,
        )

    return launch.starter(start)


@dataclass(slots=True)
class _Watch:
    """Reads what one process prints until it has ended."""

    process: Process
    launch: Launch
    _leftovers: Leftovers = field(init=False)
    _selector: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    _output: tuple[Capture, Capture] = field(default_factory=lambda: (Capture(), Capture()))
    _ended: int | None = None
    """Readable once the process has ended, where the system offers that."""
    _cancelled: bool = False

    def __post_init__(self) -> None:
        for pipe, capture in zip(self._pipes(), self._output, strict=True):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, capture)
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._ended = os.pidfd_open(self.process.pid)
                self._selector.register(self._ended, selectors.EVENT_READ)
        self._leftovers = self.launch.leftovers(self.process)

    def result(self) -> ExecResult:
        timed_out = not self._ended_before(monotonic() + self.launch.timeout)
        self._finish()
        stdout, stderr = (capture.text() for capture in self._output)
        code, note = _exit_code(self.process.returncode), ""
        if timed_out:
            code, note = TIMED_OUT, f"timed out after {self.launch.timeout:g} s\n"
        elif self._cancelled:
            code, note = _CANCELLED, "ended before it was done: the workspace stops\n"
        if note:
            stderr += _line_break(stderr) + note
        return ExecResult(stdout=stdout, stderr=stderr, exit_code=code, timed_out=timed_out)

    def close(self) -> None:
        """Let go of everything; a process that still lives is ended."""
        if self.process.returncode is None:
            self._finish()
        self._selector.close()
        for pipe in self._pipes():
            pipe.close()
        if self._ended is not None:
            os.close(self._ended)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        stdout, stderr = self.process.stdout, self.process.stderr
        if stdout is None or stderr is None:
            raise RuntimeError("the process was started without pipes")
        return stdout, stderr

    def _ended_before(self, deadline: float) -> bool:
        while self.process.poll() is None:
            left = deadline - monotonic()
            if left <= 0:
                return False
            self._read(min(left, _CANCEL_S if self._ended is not None else _LOOK_S))
            if self.launch.cancelled():
                self._cancelled = True
                break
        return True

    def _finish(self) -> None:
        """End all that is left, then read what they wrote before."""
        self._leftovers.end()
        self.process.kill()
        self.process.wait()
        if self._ended is not None:
            with contextlib.suppress(KeyError):
                self._selector.unregister(self._ended)
        deadline = monotonic() + _DRAIN_S
        while self._selector.get_map() and monotonic() < deadline:
            self._read(_LOOK_S)

    def _read(self, wait: float) -> None:
        for key, _ in self._selector.select(wait):
            if key.data is None:
                continue
            try:
                data = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            if data:
                key.data.add(data)
            else:
                self._selector.unregister(key.fileobj)


def _exit_code(code: int) -> int:
    """Say `128 + n` for the signal n, as shells do."""
    return _SIGNALLED - code if code < 0 else code


def _line_break(text: str) -> str:
    return "" if not text or text.endswith("\n") else "\n"
