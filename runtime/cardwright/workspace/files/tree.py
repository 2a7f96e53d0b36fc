"""Reading access to one tree."""

import errno
import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from .errors import NotRegularError, refusing
from .facts import Blob, Entry, Facts, Identity, Kind
from .walking import Place, listing, reaching

READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# How often an entry that turns into something else while it is opened is looked up anew.
ATTEMPTS = 5
PIECE = 64 * 1024
"""Bytes that are read at once where the size of a file is not known."""
_LARGEST = 1 << 30
PRIVATE = ".cardwright"
"""Sibling of all trees; no tree can have its name, which starts with a dot."""


class Tree:
    """One directory; nothing it answers comes from outside, whatever links and paths say."""

    def __init__(self, root: Path, aliases: tuple[str, ...] = ()) -> None:
        """`root` must exist; `aliases` are absolute paths that stand for it, such as a mount."""
        self.root = root.resolve(strict=True)
        self._root = str(self.root)
        self.name = self.root.name
        self.private = self.root.parent / PRIVATE / self.name
        self._roots = tuple({str(self.root), os.path.abspath(root), *aliases})  # noqa: PTH100 - keeps links

    def place(self, path: str, *, follow: bool = True) -> AbstractContextManager[Place]:
        """The open directory and the name that `path` leads to; errors of the system pass."""
        return reaching(self._root, self._roots, path, follow=follow)

    def read(self, path: str, *, limit: int | None = None) -> Blob:
        """The file at `path`, links inside the tree followed.

        Args:
            path: Relative to the root.
            limit: Most bytes to read; everything when left out.

        Raises:
            Refusal: It is not there, no file, outside, or the system refuses.
        """
        with refusing(path):
            for _ in range(ATTEMPTS):
                with self.place(path) as place:
                    blob = read_at(place, limit)
                if blob is not None:
                    return blob
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    def facts(self, path: str) -> Facts | None:
        """What `path` leads to, links followed; `None` for nothing.

        Raises:
            Refusal: The path is outside, passes through a file, or the system refuses.
        """
        with refusing(path), self.place(path) as place:
            return place.facts()

    def locate(self, path: str) -> str:
        """Canonical path of what `path` leads to, "" for the root; nothing needs to be there.

        Raises:
            Refusal: As for `facts`.
        """
        with refusing(path), self.place(path) as place:
            return place.path

    def scan(self, path: str = "") -> list[Entry]:
        """The entries of one directory, sorted by name, links not followed.

        Raises:
            Refusal: It is not there, no directory, outside, or the system refuses.
        """
        with refusing(path), self.place(path) as place, listing(place) as opened:
            return entries_of(opened, place.path)

    def walk(
        self,
        path: str = "",
        *,
        enter: Callable[[Entry], bool] | None = None,
        skipped: list[str] | None = None,
    ) -> Iterator[Entry]:
        """Everything below a directory, parents first, sorted in each directory.

        Args:
            path: Where to begin.
            enter: Asked before a directory is opened; links are never entered.
            skipped: Collects directories that could not be listed.

        Raises:
            Refusal: As for `scan`, about `path` itself.
        """
        pending = list(reversed(self.scan(path)))
        while pending:
            entry = pending.pop()
            yield entry
            if entry.kind is not Kind.DIRECTORY or (enter is not None and not enter(entry)):
                continue
            try:
                pending.extend(reversed(self._scan_plain(entry.path)))
            except OSError:
                if skipped is not None:
                    skipped.append(entry.path)

    def _scan_plain(self, path: str) -> list[Entry]:
        with self.place(path, follow=False) as place:
            # What was a directory a moment ago may be a link by now: `place.path` tells.
            if place.path != path:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            with listing(place) as opened:
                return entries_of(opened, path)

    @contextmanager
    def open_directory(self, path: str = "") -> Generator[int]:
        """A descriptor of a contained directory, for a child process to start in.

        Raises:
            Refusal: As for `scan`.
        """
        with refusing(path), self.place(path) as place, listing(place) as opened:
            yield opened

    def within(self, entry: Entry) -> Facts | None:
        """What the link `entry` leads to; `None` if that is nothing, a circle or outside."""
        try:
            with self.place(entry.path) as place:
                return place.facts()
        except (OSError, ValueError):
            return None


def read_at(place: Place, limit: int | None = None, facts: Facts | None = None) -> Blob | None:
    """The file at `place`; `None` if it turned into something else meanwhile.

    Args:
        place: Where it is.
        limit: Most bytes to read; everything when left out.
        facts: What was just found there; looked up when left out.
    """
    facts = facts or place.facts()
    if facts is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if facts.kind is Kind.DIRECTORY:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if facts.kind is Kind.LINK:
        return None
    if facts.kind is Kind.OTHER:
        raise NotRegularError
    try:
        opened = os.open(place.name, READING, dir_fd=place.parent)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOENT, errno.ENXIO}:
            return None
        raise
    try:
        found = Facts.of(os.fstat(opened))
        if found.kind is not Kind.FILE:
            return None
        return Blob(place.path, content_of(opened, limit, found.size), found)
    finally:
        os.close(opened)


def content_of(descriptor: int, limit: int | None = None, size: int = PIECE) -> bytes:
    """Everything, or the first `limit` bytes, of an open file that is about `size` long."""
    pieces: list[bytes] = []
    left = sys.maxsize if limit is None else limit
    # The first read gets all of a file that does not grow, the last one finds its end.
    while left and (piece := os.read(descriptor, min(left, max(size + 1, PIECE), _LARGEST))):
        pieces.append(piece)
        left -= len(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def entries_of(opened: int, path: str) -> list[Entry]:
    """Entries of an open directory, sorted by name; those that vanish meanwhile are left out."""
    prefix = f"{path}/" if path else ""
    found: list[Entry] = []
    with os.scandir(opened) as scan:
        for item in scan:
            try:
                status = item.stat(follow_symlinks=False)
            except OSError:
                continue
            found.append(
                Entry(
                    item.name,
                    prefix + item.name,
                    Kind.of(status.st_mode),
                    status.st_size,
                    status.st_mtime_ns,
                    Identity(status.st_dev, status.st_ino),
                )
            )
    found.sort(key=lambda entry: entry.name)
    return found
