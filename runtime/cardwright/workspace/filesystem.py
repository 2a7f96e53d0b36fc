"""One tree for code of the host: uploads, exports, other tools. No agent's view is asked.

What is written here is whole, durable and contained, and waits for no command: while one holds the
tree it is refused. To the agents it is a change from outside, which the gate tells them about.
"""

import errno
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from cardwright.sandbox.roots import tree_root

from .editing import TextForm, decode_text, encode_text, normalise_endings, unified
from .files import (
    Blob,
    Change,
    Entry,
    Kind,
    Overtaken,
    PathEscapeError,
    Publisher,
    RunClaim,
    Tree,
    TreeLock,
    make_directory,
)
from .files.tree import entries_of, read_at
from .files.walking import listing
from .refusals import Refusal

ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One name in a directory; links count as what they lead to inside the tree."""

    name: str
    is_dir: bool
    size: int


@dataclass(frozen=True, slots=True)
class WriteEntry:
    """The whole new content of one file."""

    path: str
    data: bytes


class WorkspaceBusyError(OSError):
    """A command holds the tree: nothing was changed, and the same may be tried again soon."""

    def __init__(self, text: str) -> None:
        super().__init__(errno.EBUSY, text)


@runtime_checkable
class Filesystem(Protocol):
    """Files below one root, by paths relative to it; errors are those of the system.

    A path that leads out of the root is a `PathEscapeError`, which is a `PermissionError`.
    """

    def read(self, path: str) -> str:
        """The text of a file; a `ValueError` if it is none."""
        ...

    def read_bytes(self, path: str) -> bytes:
        """The content of a file."""
        ...

    def write(self, path: str, data: bytes | str) -> None:
        """Create or replace a file in one moment; parents are made, text becomes UTF-8."""
        ...

    def delete(self, path: str) -> None:
        """Delete a file, or a link itself."""
        ...

    def list(self, path: str = "") -> "list[FileEntry]":
        """The entries of a directory, by name."""
        ...

    def mkdir(self, path: str) -> None:
        """Make a directory and its parents; one that exists is left."""
        ...

    def exists(self, path: str) -> bool:
        """Whether something is there, links followed."""
        ...


class Workspace:
    """The `Filesystem` of one tree; any thread may use it."""

    def __init__(
        self,
        tree: Tree,
        publisher: Publisher | None = None,
        lock: TreeLock | None = None,
        busy: Callable[[], str | None] | None = None,
    ) -> None:
        """Lend a tree.

        Args:
            tree: Which.
            publisher: Writes; one of its own when left out, made when it is first needed.
            lock: Orders the writers of the tree; it must be that of `publisher`.
            busy: Why nothing may change now, if so; asked while the lock is held. Without it, the
                commands of all teams are heeded.
        """
        self.tree = tree
        self._publisher = publisher
        self._lock = lock or TreeLock(tree.private)
        self._busy = busy or (lambda: _claimed(tree))
        self._threads = RLock()

    @property
    def root(self) -> str:
        """Absolute path of the tree."""
        return str(self.tree.root)

    def read(self, path: str) -> str:
        """The text of a file, whose line breaks stay as they are.

        Raises:
            ValueError: It is no text in UTF-8, or UTF-16 and UTF-32 with a byte order mark.
            OSError: It is not there, no file, outside, or the system refuses.
        """
        return _decoded(path, self.read_bytes(path))[0]

    def read_bytes(self, path: str) -> bytes:
        """The content of a file.

        Raises:
            OSError: It is not there, no file, outside, or the system refuses.
        """
        return self._blob(path).data

    def write(self, path: str, data: bytes | str) -> None:
        """Create or replace a file in one moment, through links inside the tree.

        Raises:
            WorkspaceBusyError: A command holds the tree.
            OSError: It is a directory, outside, or the system refuses.
        """
        self.write_many([WriteEntry(path, data.encode() if isinstance(data, str) else data)])

    def write_many(self, entries: Sequence[WriteEntry]) -> None:
        """Create or replace several files, all or none; of one file the last entry counts.

        Raises:
            WorkspaceBusyError: A command holds the tree.
            OSError: One is a directory, outside, or the system refuses; nothing was written.
        """
        with self._held():
            for _ in range(ATTEMPTS):
                changes = {change.path: change for change in map(self._change, entries)}
                try:
                    self._publishing().publish(list(changes.values()))
                except Overtaken:
                    continue
                return
            raise OSError(errno.ESTALE, os.strerror(errno.ESTALE))

    def delete(self, path: str) -> None:
        """Delete a file, or a link itself.

        Raises:
            WorkspaceBusyError: A command holds the tree.
            OSError: Nothing is there, it is a directory, outside, or the system refuses.
        """
        self._discard(path, directories=False)

    def remove(self, path: str) -> None:
        """Delete what is at the path, a directory with all that is in it.

        Raises:
            WorkspaceBusyError: A command holds the tree.
            ValueError: It is the root.
            OSError: Nothing is there, it is outside, or the system refuses.
        """
        self._discard(path, directories=True)

    def list(self, path: str = "") -> "list[FileEntry]":
        """The entries of a directory, by name.

        Raises:
            OSError: It is not there, no directory, outside, or the system refuses.
        """
        with self.tree.place(path) as place, listing(place) as opened:
            return [self._described(entry) for entry in entries_of(opened, place.path)]

    def mkdir(self, path: str) -> None:
        """Make a directory and its parents; one that exists is left.

        Raises:
            WorkspaceBusyError: A command holds the tree.
            OSError: A file is there, it is outside, or the system refuses.
        """
        with self._held():
            make_directory(self.tree, path)

    def exists(self, path: str) -> bool:
        """Whether something is there, links followed.

        Raises:
            PathEscapeError: The path leads out of the tree.
        """
        try:
            with self.tree.place(path) as place:
                return place.facts() is not None
        except PathEscapeError:
            raise
        except (OSError, ValueError):
            return False

    def close(self) -> None:
        """Let go of what writing needed; it is made again when it is needed."""
        with self._threads:
            if self._publisher is not None:
                self._publisher.close()
                self._publisher = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @contextmanager
    def _held(self) -> Generator[None]:
        with self._threads, self._lock():
            if (busy := self._busy()) is not None:
                raise WorkspaceBusyError(busy)
            yield

    def _publishing(self) -> Publisher:
        if self._publisher is None:
            self._publisher = Publisher(self.tree, self._lock)
        return self._publisher

    def _blob(self, path: str) -> Blob:
        for _ in range(ATTEMPTS):
            with self.tree.place(path) as place:
                if (blob := read_at(place)) is not None:
                    return blob
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))

    def _change(self, entry: WriteEntry) -> Change:
        with self.tree.place(entry.path) as place:
            there = place.facts()
            if place.name == "." or (there is not None and there.kind is Kind.DIRECTORY):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            before = None if there is None else read_at(place)
            return Change(place.path, before, entry.data)

    def _discard(self, path: str, *, directories: bool) -> None:
        with self._held(), self.tree.place(path, follow=False) as place:
            facts = place.facts()
            if place.name == ".":
                raise ValueError("the root of a workspace cannot be removed")
            if facts is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            if facts.kind is Kind.DIRECTORY and not directories:
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            self._publishing().discard(place)

    def _described(self, entry: Entry) -> FileEntry:
        facts = self.tree.within(entry) if entry.kind is Kind.LINK else entry
        is_dir = facts is not None and facts.kind is Kind.DIRECTORY
        return FileEntry(entry.name, is_dir, 0 if facts is None or is_dir else facts.size)


def get_workspace(name: str) -> Workspace:
    """Open the tree `name`, the `workspace_id` of a card; it is made if it does not exist.

    Raises:
        ValueError: It is not the name of a tree.
        OSError: The system refuses.
    """
    root = tree_root(name)
    root.mkdir(parents=True, exist_ok=True)
    return Workspace(Tree(root))


def write_and_diff(files: Filesystem, path: str, content: str) -> str:
    """Write the whole text of a file and return the unified difference, "" if there is none.

    An existing text keeps its encoding, its byte order mark and its line endings.

    Raises:
        ValueError: What is there is no text.
        OSError: As for `Filesystem.write`.
    """
    before, form = "", TextForm()
    if files.exists(path):
        before, form = _decoded(path, files.read_bytes(path))
        content = normalise_endings(content, form.newline)
    files.write(path, encode_text(content, form))
    return unified(path, before, content)


def _decoded(path: str, data: bytes) -> tuple[str, TextForm]:
    try:
        return decode_text(data)
    except Refusal as refused:
        raise ValueError(f"{path}: {refused}") from refused


def _claimed(tree: Tree) -> str | None:
    other = RunClaim(tree.private).other()
    if other is None:
        return None
    return (
        f"workspace busy: a command of {other.holder} works in it. Reading still works; try again"
        " in a few seconds."
    )
