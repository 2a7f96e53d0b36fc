"""How a sandbox that root starts becomes an unprivileged user outside, too."""

import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

__all__ = ["MappedTree"]

_PROGRAM: Final = Path(__file__).with_name("idmapped_tree.py")
_FIRST_USER: Final = 0x70000000
"""Far from the users of systems and from the ranges that container engines hand out."""
_USERS: Final = 0x00FFFFFF
_START_S: Final = 10.0


class MappedTree:
    """A mount of a tree whose owner is an unprivileged user of its own, for as long as it is open.

    Each tree has its own user: sandboxes of different trees can do nothing to each other.
    """

    def __init__(self, keeper: "subprocess.Popen[bytes]", place: str, user: int) -> None:
        """Take over `keeper`, the process whose mount namespace holds the mount."""
        self._keeper = keeper
        self.place = place
        self.user = user

    @classmethod
    def opened(cls, tree: Path) -> Self | None:
        """Open one, or return None: not root, or the system or its file system cannot."""
        if os.geteuid() != 0 or sys.platform != "linux" or shutil.which("nsenter") is None:
            return None
        tree = tree.resolve()
        user = _FIRST_USER + (zlib.crc32(bytes(tree)) & _USERS)
        keeper = subprocess.Popen(
            # Isolated and without site packages: nothing of the environment is imported as root.
            [sys.executable, "-I", "-S", str(_PROGRAM), str(tree), str(user)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        place = _first_line(keeper)
        opened = cls(keeper, place, user)
        if place:
            return opened
        opened.close()
        return None

    def entering(self) -> Sequence[str]:
        """Return the words that go before a command so that it runs there, as that user."""
        namespace = f"--mount=/proc/{self._keeper.pid}/ns/mnt"
        return ("nsenter", namespace, "-S", str(self.user), "-G", str(self.user), "--")

    def close(self) -> None:
        """Unmount it, by ending the process that holds it."""
        for pipe in (self._keeper.stdin, self._keeper.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._keeper.kill()
        self._keeper.wait()


def _first_line(keeper: "subprocess.Popen[bytes]") -> str:
    import select

    pipe = keeper.stdout
    if pipe is None or not select.select([pipe], [], [], _START_S)[0]:
        return ""
    return pipe.readline().decode().strip()
