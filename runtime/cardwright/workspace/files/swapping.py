"""Putting a finished file into place without losing what was there."""

import ctypes
import errno
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final

_NOREPLACE: Final = 1
_EXCHANGE: Final = 2
_UNSUPPORTED: Final = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}


type _Call = Callable[[int, bytes, int, bytes, int], int]


@cache
def _renameat2() -> _Call | None:
    """The system's call that can exchange two names; `None` where there is none."""
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "renameat2"):
        return None
    name = (ctypes.c_int, ctypes.c_char_p)
    library.renameat2.argtypes = [*name, *name, ctypes.c_uint]
    return library.renameat2


def _renamed(source: tuple[int, str], target: tuple[int, str], flags: int) -> bool:
    """Whether the system did it; False if it cannot do such a thing here."""
    call = _renameat2()
    if call is None:
        return False
    if call(source[0], os.fsencode(source[1]), target[0], os.fsencode(target[1]), flags) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number))


def move_new(source: tuple[int, str], target: tuple[int, str]) -> None:
    """Move to a free name.

    Args:
        source: Descriptor of a directory, and a name in it.
        target: As `source`; nothing may be there.

    Raises:
        FileExistsError: Something is at `target`.
    """
    if _renamed(source, target, _NOREPLACE):
        return
    os.link(source[1], target[1], src_dir_fd=source[0], dst_dir_fd=target[0], follow_symlinks=False)
    os.unlink(source[1], dir_fd=source[0])


def swap(new: tuple[int, str], target: tuple[int, str], old: tuple[int, str]) -> None:
    """Put `new` at `target`, and what was there at `old`; at no moment is `target` absent.

    Raises:
        FileNotFoundError: Nothing is at `target`.
    """
    if _renamed(new, target, _EXCHANGE):
        os.rename(new[1], old[1], src_dir_fd=new[0], dst_dir_fd=old[0])
        return
    with suppress(FileNotFoundError):
        os.unlink(old[1], dir_fd=old[0])  # of an attempt that was cut short
    try:
        os.link(target[1], old[1], src_dir_fd=target[0], dst_dir_fd=old[0], follow_symlinks=False)
    except (PermissionError, IsADirectoryError):
        # A directory has no second name: here it is away for a moment.
        move(target, old)
    os.rename(new[1], target[1], src_dir_fd=new[0], dst_dir_fd=target[0])


def move(source: tuple[int, str], target: tuple[int, str]) -> None:
    """Move, replacing what is at `target`."""
    os.rename(source[1], target[1], src_dir_fd=source[0], dst_dir_fd=target[0])
