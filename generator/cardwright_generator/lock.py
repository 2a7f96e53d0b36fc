"""One run at a time per project."""

import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover - the other system
    import msvcrt

    def _acquire(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _acquire(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


@contextmanager
def exclusive(root: Path) -> Generator[None]:
    """Wait until no other run works on the project at `root`, then keep others out.

    The lock lies beside the system's temporary files, so that it is never committed, and the
    system releases it when the process dies.
    """
    name = sha256(str(root.resolve()).encode()).hexdigest()[:16]
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    descriptor = os.open(
        Path(tempfile.gettempdir()) / f"cardwright-{owner}-{name}.lock",
        os.O_CREAT | os.O_RDWR,
        0o600,
    )
    try:
        _acquire(descriptor)
        yield
    finally:
        os.close(descriptor)
