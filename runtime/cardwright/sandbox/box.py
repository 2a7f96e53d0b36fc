"""A sandbox of bubblewrap for the commands of one tree, one after the other."""

import contextlib
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, final
from uuid import uuid4

from .bubblewrap import View, arguments
from .cgroups import ControlGroup
from .config import ExecResult
from .folders import identity_of
from .limits import Limits, bounds, impose
from .namespaces import NamespaceLeftovers
from .pipes import Pipes
from .running import Launch, Process, run
from .seccomp import seccomp_program
from .starter import Starter
from .unprivileged import MappedTree
from .watchdog import ending_members, forget, on_death

__all__ = ["Box", "Wanted", "forbids_nesting"]

_START_S: Final = 10.0
_NOT_FOUND: Final = 127


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a class of actors asks for."""

    limits: Limits
    network: bool
    readable: Sequence[str]
    maps_owner: bool


@final
class Box:
    """What the commands of one tree share: a mapped mount and a control group, if they can be."""

    def __init__(self, root: Path, wanted: Wanted, mapped: MappedTree | None) -> None:
        self._root = root
        self._wanted = wanted
        self._group = ControlGroup.made(wanted.limits)
        self._mark = uuid4().hex
        # A sandbox dies with its parent by itself, but for a moment while it starts.
        on_death(self._mark, ending_members(self._group, self._mark))
        self._show(mapped)

    def close(self) -> None:
        """Let go of the mount and the group."""
        self._hide()
        forget(self._mark)
        self._group.remove()

    def run(
        self,
        argv: Sequence[str],
        folder: str,
        timeout: float,
        cancelled: Callable[[], bool] = bool,
    ) -> ExecResult:
        """Run a command in the folder that the sandbox calls `folder`."""
        if self._identity != identity_of(self._root):
            # The folder of the tree was replaced: what is mounted is the old one.
            self._hide()
            self._show(MappedTree.opened(self._root) if self._mapped else None)
        users = self._mapped.users if self._mapped else None
        with Pipes(_program(), users) as pipes:
            launch = Launch(
                argv=[_binary(), *pipes.words(), "--", *argv],
                environment={},
                timeout=timeout,
                cancelled=cancelled,
                leftovers=lambda process: NamespaceLeftovers(process, pipes.first),
                descriptors=pipes.theirs(),
                starter=self._starter.start,
                begun=lambda process: self._begin(process, pipes, folder),
                mark=self._mark,
            )
            return _as_shells_say(run(launch), argv[0])

    def _show(self, mapped: MappedTree | None) -> None:
        self._identity = identity_of(self._root)
        self._mapped = mapped
        self._arguments = self._shown()
        self._starter = mapped.starter if mapped else Starter()
        self._joined = self._starter.do(self._group.join)

    def _hide(self) -> None:
        self._starter.do(self._group.leave)
        self._starter.end()
        if self._mapped is not None:
            self._mapped.close()

    def _begin(self, process: Process, pipes: Pipes, folder: str) -> None:
        """Bound bubblewrap while it waits for its arguments, then have it go on."""
        pipes.hand_over()
        # One that is gone says why itself.
        with contextlib.suppress(ProcessLookupError, BrokenPipeError):
            impose(process.pid, self._bounds())
            if self._mapped is not None:
                self._admit(process.pid)
            pipes.give([*self._arguments, "--chdir", folder])
            if self._mapped is None and (first := pipes.first(_START_S)):
                self._admit(first)
                if os.geteuid() != 0:
                    # Only now: inside, nothing but its own processes counts for its user.
                    impose(first, {resource.RLIMIT_NPROC: self._wanted.limits.processes})
                pipes.let_go()

    def _admit(self, process: int) -> None:
        if not self._joined:
            self._group.admit(process)

    def _bounds(self) -> dict[int, int]:
        found = bounds(self._wanted.limits, address_space=not self._group.bounds_memory)
        if self._mapped is not None:
            # The kernel does not count the processes of root's own user, but those of this one.
            found[resource.RLIMIT_NPROC] = self._wanted.limits.processes
        return found

    def _shown(self) -> Sequence[str]:
        """The arguments that all commands have in common."""
        mapped = self._mapped
        view = View(
            tree=mapped.place if mapped else str(self._root.resolve()),
            network=self._wanted.network,
            nested=not forbids_nesting(),
            users=mapped.users if mapped else None,
            of_root=os.geteuid() == 0 and not mapped,
            readable=self._wanted.readable,
        )
        return arguments(view, self._wanted.limits)


def _as_shells_say(result: ExecResult, program: str) -> ExecResult:
    """Tell a program that is not installed from one that failed."""
    if result.exit_code != 1 or not result.stderr.startswith(f"bwrap: execvp {program}: "):
        return result
    return result.model_copy(
        update={"exit_code": _NOT_FOUND, "stderr": result.stderr.removeprefix("bwrap: execvp ")}
    )


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
