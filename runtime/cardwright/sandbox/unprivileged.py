"""How a sandbox that root starts becomes an unprivileged user outside, too."""

import ctypes
import os
import platform
import subprocess
import sys
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Self, final

from .starter import Starter

__all__ = ["MappedTree"]

_PROGRAM: Final = Path(__file__).with_name("idmapped_tree.py")
_FIRST_USER: Final = 0x70000000
"""Far from the users of systems and from the ranges that container engines hand out."""
_USERS: Final = 0x00FFFFFE
_START_S: Final = 10.0
_SETGROUPS: Final = {"x86_64": 116, "aarch64": 159}


@final
class MappedTree:
    """A mount of a tree whose owner is an unprivileged user of its own, for as long as it is open.

    Each tree has its own user: sandboxes of different trees can do nothing to each other. The
    mount is in a namespace that only one thread of this process is in, the one that starts them.
    """

    def __init__(self, keeper: int, place: str, users: int) -> None:
        """Take over the namespace of the process `keeper`, and `users`, one of its descriptors.

        Raises:
            OSError: it is gone, or this process may not.
        """
        self.place = place
        self.users = os.open(f"/proc/{keeper}/fd/{users}", os.O_RDONLY | os.O_CLOEXEC)
        """Descriptor of a user namespace in which nobody is that unprivileged user."""
        self.starter = Starter()
        """Who sees it."""
        try:
            self.starter.do(partial(_enter, keeper))
        except OSError:
            self.close()
            raise

    @classmethod
    def opened(cls, tree: Path) -> Self | None:
        """Open one, or return None: not root, or the system or its file system cannot."""
        if os.geteuid() != 0 or sys.platform != "linux" or platform.machine() not in _SETGROUPS:
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
        try:
            place, _, users = _first_line(keeper).rpartition(" ")
            return cls(keeper.pid, place, int(users)) if place else None
        except OSError:
            return None
        finally:
            _end(keeper)

    def close(self) -> None:
        """Unmount it, by ending the thread that sees it."""
        self.starter.end()
        with suppress(OSError):
            os.close(self.users)


def _enter(keeper: int) -> None:
    """Have this thread, alone of its process, see what the process `keeper` sees."""
    os.unshare(os.CLONE_FS)
    namespace = os.open(f"/proc/{keeper}/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.setns(namespace, os.CLONE_NEWNS)
    finally:
        os.close(namespace)
    # What it starts belongs to none of root's groups. The call of the C library is for all threads.
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(_SETGROUPS[platform.machine()], 0, None):
        raise OSError(ctypes.get_errno(), "setgroups")


def _end(keeper: "subprocess.Popen[bytes]") -> None:
    for pipe in (keeper.stdin, keeper.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    keeper.kill()
    keeper.wait()


def _first_line(keeper: "subprocess.Popen[bytes]") -> str:
    import select

    pipe = keeper.stdout
    if pipe is None or not select.select([pipe], [], [], _START_S)[0]:
        return ""
    return pipe.readline().decode().strip()
