"""Commands in namespaces of their own, made by bubblewrap for each of them."""

import logging
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final, override

from .actor import SandboxActor
from .box import Box, Wanted
from .config import ExecResult
from .folders import INSIDE, inner_folder
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

    _box: Box | None = None

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
    def _wanted(cls) -> Wanted:
        return Wanted(cls.limits, cls.network, cls.readable, cls.maps_owner)

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


def _working(root: Path, wanted: Wanted) -> Box:
    """Return a box in which a command ran.

    Raises:
        RuntimeError: none does.
    """
    mapped = MappedTree.opened(root) if wanted.maps_owner else None
    try:
        return _tried(Box(root, wanted, mapped))
    except RuntimeError as error:
        if mapped is None:
            raise
        # The unprivileged user may be kept from what root may do, such as making namespaces.
        logger.warning("A sandbox of root stays root's user outside, without privileges: %s", error)
        return _tried(Box(root, wanted, None))


def _tried(box: Box) -> Box:
    tried = box.run(["true"], str(INSIDE), _PROBE_S)
    if tried.exit_code:
        box.close()
        raise RuntimeError(f"bubblewrap does not run here: {tried.stderr.strip()}")
    return box


def _obstacle(wanted: Wanted) -> str:
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
    alone = wanted.network or seen.stdout.strip() == _LOOPBACK_ONLY
    if alone and not seen.exit_code:
        return ""
    return "bubblewrap does not run here: it does not isolate"


def _looked(box: Box, secret: Path) -> ExecResult:
    try:
        return box.run(["sh", "-c", _LOOK, "sh", str(secret)], str(INSIDE), _PROBE_S)
    finally:
        box.close()
