"""Ways to trouble a store on SQLite from outside."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

PAGE = 4096


def hold_lock(path: Path, how: str) -> subprocess.Popen[str]:
    """Another process that keeps the database locked until it is killed."""
    script = (
        "import sqlite3, sys, time\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "[c.execute(line) for line in sys.argv[2].split(';')]\n"
        "print('locked', flush=True)\n"
        "time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, path, how], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "locked\n"
    return process


@contextlib.contextmanager
def locked(path: Path, how: str = "BEGIN IMMEDIATE") -> Generator[None]:
    process = hold_lock(path, how)
    try:
        yield
    finally:
        process.kill()
        process.communicate()


def overwrite(path: Path, offset: int, content: bytes) -> None:
    """Change bytes behind the store's back, in the same file."""
    with path.open("r+b") as file:
        file.seek(offset, os.SEEK_SET if offset >= 0 else os.SEEK_END)
        file.write(content)
