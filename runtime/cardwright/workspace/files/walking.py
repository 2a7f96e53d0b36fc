"""The way from the root to an entry, one descriptor per step, so no link leads astray."""

import errno
import os
from collections import deque
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from unicodedata import normalize

from .errors import PathEscapeError
from .facts import Facts
from .paths import parts_of

MAX_LINKS = 40
DIRECTORY = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Passing through a directory needs no right to list it, where the system can tell the two apart.
PASSING = DIRECTORY | getattr(os, "O_PATH", os.O_RDONLY)
LISTING = DIRECTORY | os.O_RDONLY


@dataclass(slots=True)
class Place:
    """A name in an open directory of the tree.

    `parent` is a descriptor of the innermost existing directory, `name` the entry in it, `missing`
    the directories that would have to be made below it first. The root has the name ".".
    """

    parent: int
    name: str
    path: str
    missing: tuple[str, ...] = ()

    def facts(self) -> Facts | None:
        """What is there now, links not followed; `None` for nothing."""
        if self.missing:
            return None
        try:
            found = os.stat(self.name, dir_fd=self.parent, follow_symlinks=False)
        except FileNotFoundError:
            return None
        return Facts.of(found)


@dataclass(slots=True)
class _Trail:
    """The directories on the way, outermost first, and the names still to be walked."""

    roots: tuple[str, ...]
    descriptors: list[int]
    opened: list[int]
    """Every descriptor that has to be closed."""
    todo: deque[str]
    names: list[str] = field(default_factory=list[str])
    links: int = 0

    def enter(self, name: str) -> None:
        opened = os.open(name, PASSING, dir_fd=self.descriptors[-1])
        self.opened.append(opened)
        self.descriptors.append(opened)
        self.names.append(name)

    def known_as(self, name: str) -> str:
        """The entry that `name` means: itself, or the one of another Unicode form."""
        if name.isascii() or _is_there(name, self.descriptors[-1]):
            return name
        try:
            opened = os.open(".", LISTING, dir_fd=self.descriptors[-1])
        except OSError:
            return name
        try:
            entries = os.listdir(opened)  # noqa: PTH208 - a path may be moved
        finally:
            os.close(opened)
        wanted = normalize("NFC", name)
        alike = [entry for entry in entries if normalize("NFC", entry) == wanted]
        return alike[0] if len(alike) == 1 else name

    def leave(self) -> None:
        if not self.names:
            raise PathEscapeError("the path climbs above the root of the workspace")
        self.names.pop()
        self.descriptors.pop()

    def follow(self, name: str) -> bool:
        """Queue the target of the link `name`; False if it is no link."""
        try:
            target = os.readlink(name, dir_fd=self.descriptors[-1])
        except OSError:
            return False
        self.links += 1
        if self.links > MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        parts = parts_of(target, self.roots)
        if target.startswith("/"):
            del self.names[:], self.descriptors[1:]
        self.todo.extendleft(reversed(parts))
        return True

    def place(self, name: str, missing: tuple[str, ...] = ()) -> Place:
        path = "/".join((*self.names, *missing, name))
        return Place(self.descriptors[-1], name, path, missing)

    def here(self) -> Place:
        """The innermost directory itself."""
        if not self.names:
            return Place(self.descriptors[0], ".", "")
        return Place(self.descriptors[-2], self.names[-1], "/".join(self.names))


@contextmanager
def reaching(
    root: str, roots: tuple[str, ...], path: str, *, follow: bool = True
) -> Generator[Place]:
    """The place that `path` names; nothing needs to be there.

    Args:
        root: Directory of the tree.
        roots: Spellings of it that absolute paths and links may use.
        path: As a model spells it.
        follow: Whether a link at the end is followed.

    Raises:
        OSError: A part is no directory, cannot be passed, or the links lead in a circle.
        PathEscapeError: The path leads out of the tree.
        InvalidPathError: No file can have this path.
    """
    todo = deque(parts_of(path, roots))
    # Resolved when the tree was opened: by now a link there would be somebody's trick.
    opened = [os.open(root, PASSING)]
    try:
        yield _walked(_Trail(roots, opened[:], opened, todo), follow=follow)
    finally:
        for each in reversed(opened):
            os.close(each)


def _walked(trail: _Trail, *, follow: bool) -> Place:
    missing: list[str] = []
    while trail.todo:
        name = trail.todo.popleft() if missing else trail.known_as(trail.todo.popleft())
        if name == "..":
            if missing:
                missing.pop()
            else:
                trail.leave()
        elif missing:
            missing.append(name)
        elif trail.todo:
            if not _stepped(trail, name):
                missing.append(name)
        elif not (follow and trail.follow(name)):
            return trail.place(name)
    return trail.place(missing[-1], tuple(missing[:-1])) if missing else trail.here()


def _is_there(name: str, directory: int) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return False
    return True


def _stepped(trail: _Trail, name: str) -> bool:
    """Enter the directory `name`, through a link if it is one; False if nothing is there."""
    try:
        trail.enter(name)
    except FileNotFoundError:
        return False
    except OSError as error:
        if error.errno not in {errno.ENOTDIR, errno.ELOOP} or not trail.follow(name):
            raise
    return True


@contextmanager
def listing(place: Place) -> Generator[int]:
    """A descriptor of the directory at `place` that can be listed."""
    if place.missing:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    opened = os.open(place.name, LISTING, dir_fd=place.parent)
    try:
        yield opened
    finally:
        with suppress(OSError):
            os.close(opened)
