"""Commands in namespaces of their own, made by bubblewrap for each of them."""

import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Final, final, override

from .actor import SandboxActor
from .bubblewrap import View, arguments
from .cgroups import ControlGroup
from .config import ExecResult
from .folders import INSIDE, inner_folder
from .limits import Limits, limited
from .namespaces import NamespaceLeftovers
from .running import Launch, run
from .seccomp import seccomp_program
from .unprivileged import MappedTree

__all__ = ["BwrapSandboxActor"]

logger = logging.getLogger(__name__)

_PROBE_S: Final = 5.0
_MISSING: Final = (
    "bubblewrap is not installed. Install it: apt install bubblewrap, or: dnf install bubblewrap"
)
_LOOK: Final = 'test -w . && test ! -e "$1" && test $(id -u) != 0 && wc -l < /proc/net/dev'
_LOOPBACK_ONLY: Final = "3"
"""Lines of the table of network devices: two of heading, one for loopback."""


class BwrapSandboxActor(SandboxActor):
    """Shows a command the tree, a read-only system, private scratch folders, and nothing else.

    It runs as nobody, without capabilities or network. Where root started it, it is an
    unprivileged user outside, too, if the file system of the tree can map owners; elsewhere it is
    root's user without any of root's privileges.
    """

    readable: ClassVar[Sequence[str]] = ()
    """Further folders of the host that commands may read, such as a Python environment."""

    maps_owner: ClassVar[bool] = True
    """Whether commands that root starts become an unprivileged user outside, if that works."""

    _box: "_Box | None" = None

    @classmethod
    @override
    def obstacle(cls) -> str:
        return _obstacle(cls._wanted())

    @override
    def _start_sandbox(self) -> None:
        if shutil.which("bwrap") is None:
            raise RuntimeError(_MISSING)
        self._box = _working(self.config.root, self._wanted())

    @classmethod
    def _wanted(cls) -> "_Wanted":
        return _Wanted(cls.limits, cls.network, cls.readable, cls.maps_owner)

    @override
    def _stop_sandbox(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None

    @override
    def _exec(self, argv: Sequence[str], cwd: str, timeout: float) -> ExecResult:
        if self._box is None:
            raise RuntimeError("the sandbox was not started")
        return self._box.run(argv, inner_folder(self.config.root, cwd), timeout, self._stops)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a class of actors asks for."""

    limits: Limits
    network: bool
    readable: Sequence[str]
    maps_owner: bool


@final
class _Box:
    """What the commands of one tree share: a mapped mount and a control group, if they can be."""

    def __init__(self, root: Path, wanted: _Wanted, mapped: MappedTree | None) -> None:
        self._root = root.resolve()
        self._limits = wanted.limits
        self._wanted = wanted
        self._group = ControlGroup.made(wanted.limits)
        self._mapped = mapped

    def close(self) -> None:
        if self._mapped is not None:
            self._mapped.close()
        self._group.remove()

    def run(
        self,
        argv: Sequence[str],
        folder: str,
        timeout: float,
        cancelled: Callable[[], bool] = bool,
    ) -> ExecResult:
        report, told = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            words = [word.encode() + b"\0" for word in self._arguments(folder)]
            given = [_readable_pipe(b"".join(words)), *_filter()]
            command = [
                *self._before(),
                *(_binary(), "--args", str(given[0]), "--info-fd", str(told)),
                *(("--seccomp", str(given[1])) if given[1:] else ()),
                "--",
                *self._inside(),
                *argv,
            ]
            return run(
                Launch(
                    argv=command,
                    environment={"PATH": os.environ.get("PATH", os.defpath)},
                    timeout=timeout,
                    cancelled=cancelled,
                    leftovers=lambda process: NamespaceLeftovers(process, report),
                    descriptors=(*given, told),
                )
            )
        finally:
            os.close(report)

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

    def _arguments(self, folder: str) -> list[str]:
        view = View(
            tree=self._mapped.place if self._mapped else str(self._root),
            folder=folder,
            network=self._wanted.network,
            nested=not _forbids_nesting(),
            readable=self._wanted.readable,
        )
        return arguments(view, self._limits)


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
def _forbids_nesting() -> bool:
    """Whether this bubblewrap (0.8 and newer) can keep a sandbox from making user namespaces."""
    helped = subprocess.run([_binary(), "--help"], capture_output=True, check=False)
    return b"--disable-userns" in helped.stdout + helped.stderr


def _working(root: Path, wanted: _Wanted) -> _Box:
    """Return a box in which a command ran.

    Raises:
        RuntimeError: none does.
    """
    mapped = MappedTree.opened(root) if wanted.maps_owner else None
    try:
        return _tried(_Box(root, wanted, mapped))
    except RuntimeError as error:
        if mapped is None:
            raise
        # The unprivileged user may be kept from what root may do, such as making namespaces.
        logger.warning("A sandbox of root stays root's user outside, without privileges: %s", error)
        return _tried(_Box(root, wanted, None))


def _tried(box: _Box) -> _Box:
    tried = box.run(["true"], str(INSIDE), _PROBE_S)
    if tried.exit_code:
        box.close()
        raise RuntimeError(f"bubblewrap does not run here: {tried.stderr.strip()}")
    return box


def _obstacle(wanted: _Wanted) -> str:
    """Run a command that looks around; being installed proves nothing."""
    if shutil.which("bwrap") is None:
        return _MISSING
    with tempfile.TemporaryDirectory(prefix="cardwright-probe-") as folder:
        root, secret = Path(folder, "tree"), Path(folder, "secret")
        root.mkdir()
        secret.touch()
        try:
            seen = _looked(_working(root, wanted), secret)
        except (OSError, RuntimeError) as error:
            return str(error)
    if seen.stdout.strip() == _LOOPBACK_ONLY and not seen.exit_code:
        return ""
    return "bubblewrap does not run here: it does not isolate"


def _looked(box: _Box, secret: Path) -> ExecResult:
    try:
        return box.run(["sh", "-c", _LOOK, "sh", str(secret)], str(INSIDE), _PROBE_S)
    finally:
        box.close()
