"""A tree in memory for tests that write much, and helpers shared by the workspace tests."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

_SHARED = Path("/dev/shm")


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder where fsync costs nothing, if the machine has one."""
    base = _SHARED if _SHARED.is_dir() and os.access(_SHARED, os.W_OK) else None
    folder = Path(mkdtemp(prefix="cardwright-test-", dir=base))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def files_below(folder: Path) -> dict[str, bytes]:
    """Every regular file below a folder, by relative path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }
