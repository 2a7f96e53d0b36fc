"""Results kept outside the tree, found by the content that they were made from.

Entries are whole or absent: written aside, renamed, checked when read. Any number of processes may
share a folder; when it cannot be used, everything is made anew.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import time
from uuid import uuid4

from cardwright.workspace.files import Tree

MOST_BYTES = 256 * 1024 * 1024
MOST_ENTRIES = 2000
STALE_SECONDS = 3600.0
UNFINISHED = ".tmp"
_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True, slots=True)
class ContentCache:
    """Bytes under keys; the least recently used go first when it is full."""

    folder: Path
    most_bytes: int = MOST_BYTES
    most_entries: int = MOST_ENTRIES

    @classmethod
    def of(cls, tree: Tree) -> "ContentCache":
        """The cache of a tree."""
        return cls(tree.private / "cache")

    def get(self, key: str) -> bytes | None:
        """What was put under `key`; `None` if there is nothing or it is damaged."""
        path = self.folder / key
        try:
            data = path.read_bytes()
        except OSError:
            return None
        kept = data[_DIGEST:]
        if hashlib.sha256(kept).digest() != data[:_DIGEST]:
            return None
        with suppress(OSError):
            os.utime(path)
        return kept

    def put(self, key: str, data: bytes) -> None:
        """Keep `data`; silently not, if the folder cannot be used or the data alone fill it."""
        if len(data) > self.most_bytes // 2:
            return
        unfinished = self.folder / f"{uuid4().hex}{UNFINISHED}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                unfinished.write_bytes(hashlib.sha256(data).digest() + data)
                unfinished.replace(self.folder / key)
            finally:
                unfinished.unlink(missing_ok=True)
            self._make_room()
        except OSError:
            return

    def _make_room(self) -> None:
        """Remove the oldest entries beyond the bounds, and what killed writers left."""
        entries: list[tuple[float, int, str]] = []
        with os.scandir(self.folder) as scan:
            for item in scan:
                with suppress(OSError):
                    found = item.stat(follow_symlinks=False)
                    if not item.name.endswith(UNFINISHED):
                        entries.append((found.st_mtime, found.st_size, item.path))
                    elif found.st_mtime < time() - STALE_SECONDS:
                        Path(item.path).unlink()
        entries.sort()
        size = sum(entry[1] for entry in entries)
        surplus = len(entries) - self.most_entries
        for number, (_, bytes_, path) in enumerate(entries):
            if number >= surplus and size <= self.most_bytes:
                return
            with suppress(OSError):
                Path(path).unlink()
            size -= bytes_


def key_of(kind: str, sha: str, *options: object) -> str:
    """The key of a result made from the content with hash `sha` in the way `options` say."""
    how = hashlib.sha256(repr(options).encode()).hexdigest()[:16]
    return f"{kind}-{sha}-{how}"
