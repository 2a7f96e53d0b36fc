"""What the tree says about its entries."""

import hashlib
import os
import stat
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Self


class Kind(StrEnum):
    """What an entry is, links not followed."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    OTHER = "other"

    @classmethod
    def of(cls, mode: int) -> Self:
        """The kind that the mode of an entry tells."""
        if stat.S_ISREG(mode):
            return cls("file")
        if stat.S_ISDIR(mode):
            return cls("directory")
        return cls("link") if stat.S_ISLNK(mode) else cls("other")


@dataclass(frozen=True, slots=True)
class Identity:
    """Which file it is, whatever it is called."""

    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Facts:
    """State of one entry at one moment."""

    kind: Kind
    size: int
    mtime_ns: int
    ctime_ns: int
    mode: int
    links: int
    owner: tuple[int, int]
    identity: Identity

    @classmethod
    def of(cls, found: os.stat_result) -> Self:
        """The facts that a stat call tells."""
        return cls(
            kind=Kind.of(found.st_mode),
            size=found.st_size,
            mtime_ns=found.st_mtime_ns,
            ctime_ns=found.st_ctime_ns,
            mode=stat.S_IMODE(found.st_mode),
            links=found.st_nlink,
            owner=(found.st_uid, found.st_gid),
            identity=Identity(found.st_dev, found.st_ino),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a directory; `path` is relative to the root of the tree."""

    name: str
    path: str
    kind: Kind
    size: int
    mtime_ns: int
    identity: Identity


@dataclass(frozen=True)
class Blob:
    """The bytes of a file with where they were found; `path` is canonical, links resolved."""

    path: str
    data: bytes
    facts: Facts
    known_sha: str | None = None
    """Digest of the bytes where it is known, because they equal others."""

    @cached_property
    def sha(self) -> str:
        """Hex SHA-256 of the bytes."""
        return self.known_sha or content_sha(self.data)


def content_sha(data: bytes) -> str:
    """Hex SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()
