"""A sandbox of bubblewrap for the commands of one tree, one after the other."""

import contextlib
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import final

from .bubblewrap import View, arguments
from .cgroups import ControlGroup
from .config import ExecResult
from .folders import identity_of
from .limits import Limits, limited
from .namespaces import NamespaceLeftovers
from .running import Launch, run, start
from .seccomp import seccomp_program
from .unprivileged import MappedTree
from .watchdog import forget

__all__ = ["Box", "Wanted", "forbids_nesting"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a class of actors asks for."""

    limits: Limits
    network: bool
    readable: Sequence[str]
    maps_owner: bool


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A sandbox in which a shell waits to be told its command."""

    process: "subprocess.Popen[bytes]"
    report: int
    mark: str

    @property
    def leftovers(self) -> NamespaceLeftovers:
        """All its processes."""
        return NamespaceLeftovers(self.process, self.report)

    def tell(self, script: str) -> None:
        """Have it do that; one that cannot any more says why itself."""
        if self.process.stdin is not None:
            with contextlib.suppress(OSError), self.process.stdin as pipe:
                pipe.write(os.fsencode(script))

    def end(self) -> None:
        """End it, whatever it does."""
        self.leftovers.end()
        forget(self.mark)
        os.close(self.report)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


@final
class Box:
    """What the commands of one tree share: a mapped mount and a control group, if they can be."""

    def __init__(self, root: Path, wanted: Wanted, mapped: MappedTree | None) -> None:
        self._root = root.resolve()
        self._limits = wanted.limits
        self._wanted = wanted
        self._group = ControlGroup.made(wanted.limits)
        self._mapped = mapped
        self._identity = identity_of(self._root)
        self._waiting: _Waiting | None = None

    def close(self) -> None:
        """End what waits, and let go of the mount and the group."""
        self._discard()
        if self._mapped is not None:
            self._mapped.close()
        self._group.remove()

    def prepare(self) -> None:
        """Have a sandbox wait for the next command, so that it need not wait for a sandbox."""
        if self._waiting is None:
            self._waiting = self._started()

    def run(
        self,
        argv: Sequence[str],
        folder: str,
        timeout: float,
        cancelled: Callable[[], bool] = bool,
    ) -> ExecResult:
        """Run a command in the folder that the sandbox calls `folder`."""
        waiting = self._taken()
        waiting.tell(f"exec </dev/null; cd {shlex.quote(folder)} && exec {shlex.join(argv)}\n")
        launch = Launch(
            argv=(),
            environment={},
            timeout=timeout,
            cancelled=cancelled,
            leftovers=lambda _: waiting.leftovers,
            mark=waiting.mark,
        )
        try:
            return run(launch, waiting.process)
        finally:
            os.close(waiting.report)

    def _taken(self) -> "_Waiting":
        """Return the sandbox that waits, or a new one if it does not live or shows another tree."""
        if self._identity != identity_of(self._root):
            self._show_anew()
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.process.poll() is None:
            return waiting
        self._discard(waiting)
        return self._started()

    def _show_anew(self) -> None:
        """The folder of the tree was replaced: what was mounted is the old one."""
        self._discard()
        self._identity = identity_of(self._root)
        if self._mapped is not None:
            self._mapped.close()
            self._mapped = MappedTree.opened(self._root)

    def _discard(self, waiting: "_Waiting | None" = None) -> None:
        waiting = waiting or self._waiting
        self._waiting = None
        if waiting is not None:
            waiting.end()

    def _started(self) -> "_Waiting":
        report, told = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        given = [_readable_pipe(self._arguments()), *_filter()]
        command = [
            *self._before(),
            *(_binary(), "--args", str(given[0]), "--info-fd", str(told)),
            *(("--seccomp", str(given[1])) if given[1:] else ()),
            *("--", *self._inside(), "/bin/sh"),
        ]
        launch = Launch(
            argv=command,
            environment={"PATH": os.environ.get("PATH", os.defpath)},
            timeout=0,
            # It dies with its parent by itself, but for a moment while it starts.
            group=self._group,
            leftovers=lambda process: NamespaceLeftovers(process, report),
            descriptors=(*given, told),
            stdin=subprocess.PIPE,
        )
        try:
            return _Waiting(start(launch), report, launch.mark)
        except OSError:
            os.close(report)
            raise

    def _before(self) -> Sequence[str]:
        """Words before bubblewrap: join the group; root also becomes who runs it."""
        if os.geteuid() != 0:
            return self._limited(processes=False) if self._group.folders else ()
        entering = () if self._mapped is None else self._mapped.entering()
        # The kernel does not count the processes of root's own user.
        return (*self._limited(processes=self._mapped is not None), *entering)

    def _inside(self) -> Sequence[str]:
        """Words before the command: inside, only its own processes count for its user."""
        if os.geteuid() == 0:
            return ()
        return limited(self._limits, address_space=self._bounds_each(), processes=True)

    def _limited(self, *, processes: bool) -> Sequence[str]:
        return limited(
            self._limits,
            address_space=self._bounds_each(),
            processes=processes,
            entrances=self._group.entrances,
        )

    def _bounds_each(self) -> bool:
        return not self._group.bounds_memory

    def _arguments(self) -> bytes:
        view = View(
            tree=self._mapped.place if self._mapped else str(self._root),
            network=self._wanted.network,
            nested=not forbids_nesting(),
            readable=self._wanted.readable,
        )
        return b"".join(os.fsencode(word) + b"\0" for word in arguments(view, self._limits))


def _readable_pipe(content: bytes) -> int:
    """Return a descriptor to read that from: arguments which no list of processes shows."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(content)
    return reading


def _filter() -> list[int]:
    program = _program()
    return [] if program is None else [_readable_pipe(program)]


@cache
def _program() -> bytes | None:
    return seccomp_program()


@cache
def _binary() -> str:
    return shutil.which("bwrap") or "bwrap"


@cache
def forbids_nesting() -> bool:
    """Whether this bubblewrap (0.8 and newer) can keep a sandbox from making user namespaces."""
    helped = subprocess.run([_binary(), "--help"], capture_output=True, check=False)
    return b"--disable-userns" in helped.stdout + helped.stderr
