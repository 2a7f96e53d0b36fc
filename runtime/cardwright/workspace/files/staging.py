"""A private folder where files are finished before they appear in the tree."""

import errno
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from .facts import Facts, Identity
from .locking import TreeLock, try_lock

LOCK = "lock"
_CREATE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC


class Staging:
    """The folder of one writer; a lock tells the next start whether its owner still lives."""

    def __init__(self, private: Path, lock: TreeLock) -> None:
        """Make the folder below `private`, which is made too."""
        base = staging_base(private)
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder = base / uuid4().hex
        with lock():
            self.folder.mkdir(mode=0o700)
            self._lock = os.open(self.folder / LOCK, _CREATE, 0o600)
            try_lock(self._lock)
        self.descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def stage(self, name: str, data: bytes, *, like: Facts | None, group: int | None) -> Identity:
        """Write a finished, durable file, and say which it is.

        Args:
            name: Its name in the folder.
            data: Its content.
            like: The file it will replace, whose owner and mode it gets.
            group: Group of a new file, where the directory decides it.
        """
        opened = os.open(name, _CREATE, 0o666, dir_fd=self.descriptor)
        try:
            _write_all(opened, data)
            if like is not None:
                with suppress(PermissionError):
                    _own(opened, like)
                os.fchmod(opened, like.mode)
            elif group is not None:
                with suppress(PermissionError):
                    os.fchown(opened, -1, group)
            os.fsync(opened)
            found = os.fstat(opened)
            return Identity(found.st_dev, found.st_ino)
        finally:
            os.close(opened)

    def make_executable(self, name: str) -> None:
        """Let everybody run a staged file who may read it."""
        mode = stat.S_IMODE(os.stat(name, dir_fd=self.descriptor).st_mode)
        os.chmod(name, mode | (mode & 0o444) >> 2, dir_fd=self.descriptor)

    def clear(self) -> None:
        """Remove everything that was staged."""
        for name in os.listdir(self.descriptor):  # noqa: PTH208 - a path may be moved
            if name == LOCK:
                continue
            try:
                os.unlink(name, dir_fd=self.descriptor)
            except OSError:
                shutil.rmtree(name, ignore_errors=True, dir_fd=self.descriptor)

    def close(self) -> None:
        """Give the folder up and remove it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """Give the folder up as it is; the next start looks after it."""
        for opened in (self.descriptor, self._lock):
            with suppress(OSError):
                os.close(opened)


def staging_base(private: Path) -> Path:
    """Where the folders of all writers of a tree are."""
    return private / "staging"


def abandoned(private: Path) -> list[Path]:
    """Folders whose writer is gone. Hold the tree lock."""
    base = staging_base(private)
    if not base.is_dir():
        return []
    return [folder for folder in sorted(base.iterdir()) if _is_abandoned(folder)]


def _is_abandoned(folder: Path) -> bool:
    try:
        opened = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError as error:
        return error.errno == errno.ENOENT
    try:
        return try_lock(opened)
    finally:
        os.close(opened)


def _write_all(opened: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(opened, rest) :]


def _own(opened: int, like: Facts) -> None:
    found = os.fstat(opened)
    if (found.st_uid, found.st_gid) != like.owner:
        os.fchown(opened, *like.owner)
