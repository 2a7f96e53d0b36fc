"""Locks that die with their process: one writer of a tree at a time, of whatever team."""

import errno
import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

PATIENCE_SECONDS = 10.0
_PAUSE_SECONDS = 0.001


class TreeLock:
    """Holds a tree against all other writers; its holder may take it again."""

    def __init__(self, private: Path, patience: float = PATIENCE_SECONDS) -> None:
        """A lock for one thread.

        Args:
            private: Private folder of the tree; made if need be.
            patience: Seconds to wait for others.
        """
        private.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = private / "lock"
        self._patience = patience
        self._opened: int | None = None

    @contextmanager
    def __call__(self) -> Generator[None]:
        """Hold the tree.

        Raises:
            OSError: Somebody else held it all the time (`ESTALE`: nothing was changed).
        """
        if self._opened is not None:
            yield
            return
        self._opened = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _wait_for(self._opened, monotonic() + self._patience)
            yield
        finally:
            # A child that is being started may hold a copy of the descriptor for a moment.
            fcntl.flock(self._opened, fcntl.LOCK_UN)
            os.close(self._opened)
            self._opened = None


def _wait_for(opened: int, deadline: float) -> None:
    while not try_lock(opened):
        if monotonic() > deadline:
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))
        sleep(_PAUSE_SECONDS)


def try_lock(opened: int) -> bool:
    """Lock an open file for as long as it is open; False if somebody else has it."""
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
