"""Reading access to one tree."""

import errno
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import NotRegularError, refusing
from .facts import Blob, Entry, Facts, Identity, Kind
from .walking import Place, listing, reaching

READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# How often an entry that turns into something else while it is opened is looked up anew.
ATTEMPTS = 5
PRIVATE = ".cardwright"
"""Sibling of all trees; no tree can have its name, which starts with a dot."""


class Tree:
    """One directory; nothing it answers comes from outside, whatever links and paths say."""

    def __init__(self, root: Path, aliases: tuple[str, ...] = ()) -> None:
        """`root` must exist; `aliases` are absolute paths that stand for it, such as a mount."""
        self.root = root.resolve(strict=True)
        self.name = self.root.name
        self.private = self.root.parent / PRIVATE / self.name
        self._roots = tuple({str(self.root), os.path.abspath(root), *aliases})  # noqa: PTH100 - keeps links

    @contextmanager
    def place(self, path: str, *, follow: bool = True) -> Generator[Place]:
        """The open directory and the name that `path` leads to; errors of the system pass."""
        with reaching(str(self.root), self._roots, path, follow=follow) as place:
            yield place

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


def read_at(place: Place, limit: int | None = None) -> Blob | None:
    """The file at `place`; `None` if it turned into something else meanwhile."""
    facts = place.facts()
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
    with os.fdopen(opened, "rb", buffering=0) as file:
        found = Facts.of(os.fstat(opened))
        if found.kind is not Kind.FILE:
            return None
        return Blob(place.path, _content(file.fileno(), limit), found)


def _content(descriptor: int, limit: int | None) -> bytes:
    """Everything, or the first `limit` bytes, of an open file."""
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        # A read of so many bytes makes room for all of them first.
        if limit is None or os.fstat(descriptor).st_size < limit:
            return file.read()
        return file.read(limit)


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
