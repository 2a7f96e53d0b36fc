"""One staged change appears in the tree, or is taken back."""

import errno
import hashlib
import os
import stat
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from .facts import Facts, Kind, content_sha
from .manifest import Step
from .swapping import move, move_new, swap
from .tree import PIECE, READING, Tree
from .walking import LISTING, PASSING, Place

EMPTY_DIRECTORY = "directory without a file"
"""Stands for the digest of a directory that holds at most further directories."""


class Overtaken(Exception):  # noqa: N818 - judged anew, not reported
    """The file changed between the check and the change; nothing was changed."""


class Stepper:
    """Moves files between the tree and one open staging folder."""

    def __init__(self, tree: Tree, staging: int) -> None:
        self._tree = tree
        self._ours = staging

    def take(self, step: Step, made: list[str], before: bytes | None = None) -> None:
        """Take one staged step.

        Args:
            step: What to do.
            made: Collects the directories that had to be made, outermost first.
            before: What the step's digest of that name is of, if that is at hand.

        Raises:
            Overtaken: The file is not as the step expects it.
            OSError: The system refuses.
        """
        with self._tree.place(step.path, follow=False) as place:
            if place.path != step.path or (place.missing and step.before is not None):
                raise Overtaken(step.path)
            try:
                with inner(place, made) as parent:
                    self._put(step, (parent, place.name), before)
                    sync(parent)
            except BaseException:
                unmake(self._tree, made)
                raise

    def _put(self, step: Step, target: tuple[int, str], before: bytes | None) -> None:
        try:
            if step.before is None:
                move_new((self._ours, step.new), target)
            else:
                self._displace(step, target, before)
        except (FileExistsError, FileNotFoundError):
            raise Overtaken(step.path) from None

    def _displace(self, step: Step, target: tuple[int, str], before: bytes | None) -> None:
        new, old = (self._ours, step.new), (self._ours, step.old)
        if step.after is None:
            move(target, old)
        else:
            swap(new, target, old)
        if _holds(*old, before) or digest_at(*old) == step.before:
            return
        if step.after is None:
            move_new(old, target)
        else:
            self._put_back(step, target)
        raise Overtaken(step.path)

    def _put_back(self, step: Step, target: tuple[int, str]) -> None:
        """Put what was displaced in the place of what we put there, and of nothing else.

        Raises:
            FileNotFoundError: Somebody has removed it, and it stays so.
        """
        back, out, expected = step.old, step.new, step.after
        while True:
            placed = digest_at(self._ours, back)
            swap((self._ours, back), target, (self._ours, out))
            if digest_at(self._ours, out) == expected:
                return
            # Somebody has saved meanwhile: theirs is the newest.
            back, out, expected = out, back, placed

    def take_back(self, step: Step, made: Sequence[str] = ()) -> None:
        """Undo a step that was taken, and the directories that it made.

        What somebody has made of the file since is theirs and stays.
        """
        with self._tree.place(step.path, follow=False) as place:
            target = (place.parent, place.name)
            with suppress(FileExistsError, FileNotFoundError):
                if step.after is None:
                    self._restore(step, target)
                elif digest_at(*target) == step.after:
                    undo = self._withdraw if step.before is None else self._put_back
                    undo(step, target)
            sync(place.parent)
        unmake(self._tree, made)

    def _restore(self, step: Step, target: tuple[int, str]) -> None:
        if digest_at(*target) == EMPTY_DIRECTORY:  # made for a later step
            move(target, (self._ours, step.new))
        move_new((self._ours, step.old), target)

    def _withdraw(self, step: Step, target: tuple[int, str]) -> None:
        out = (self._ours, step.new)
        move(target, out)
        if digest_at(*out) != step.after:  # saved since we looked
            move_new(out, target)

    def state(self, step: Step) -> str | None:
        """Digest of what is in the tree now; `None` for nothing."""
        try:
            with self._tree.place(step.path, follow=False) as place:
                if place.path != step.path or place.missing:
                    return None
                return digest_at(place.parent, place.name)
        except OSError:
            return None


def unmake(tree: Tree, made: Sequence[str]) -> None:
    """Remove directories that were made for nothing, unless somebody uses them."""
    for path in reversed(made):
        with suppress(OSError), tree.place(path, follow=False) as place:
            os.rmdir(place.name, dir_fd=place.parent)


@contextmanager
def inner(place: Place, made: list[str]) -> Generator[int]:
    """A descriptor of the directory that holds `place`; missing ones are made and collected."""
    if not place.missing:
        yield place.parent
        return
    with ExitStack() as closing:
        parent = place.parent
        above = place.path.split("/")[: -1 - len(place.missing)]
        for name in place.missing:
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=parent)
                made.append("/".join((*above, name)))
                sync(parent)
            above.append(name)
            parent = os.open(name, PASSING, dir_fd=parent)
            closing.callback(os.close, parent)
        yield parent


def sync(directory: int) -> None:
    """Make the names in a directory durable."""
    opened = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=directory)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def digest_at(directory: int, name: str) -> str | None:
    """Digest of a file's content or of a link's target; `None` for nothing."""
    try:
        facts = Facts.of(os.stat(name, dir_fd=directory, follow_symlinks=False))
    except FileNotFoundError:
        return None
    if facts.kind is Kind.LINK:
        return content_sha(link_data(directory, name))
    if facts.kind is Kind.DIRECTORY and not _holds_a_file(directory, name):
        return EMPTY_DIRECTORY
    if facts.kind is not Kind.FILE:
        return "neither file nor link"
    opened = os.open(name, READING, dir_fd=directory)
    with os.fdopen(opened, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _holds(directory: int, name: str, data: bytes | None) -> bool:
    """Whether that is a file with just these bytes: comparing is quicker than a digest."""
    if data is None:
        return False
    try:
        opened = os.open(name, READING, dir_fd=directory)
    except OSError:
        return False
    try:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode) or found.st_size != len(data):
            return False
        return _reads(opened, data)
    finally:
        os.close(opened)


def _reads(opened: int, data: bytes) -> bool:
    """Whether an open file holds just `data`, of which little is in memory twice."""
    rest = memoryview(data)
    piece = memoryview(bytearray(min(len(rest) + 1, PIECE)))
    while count := os.readv(opened, [piece]):
        if count > len(rest) or piece[:count] != rest[:count]:
            return False
        rest = rest[count:]
    return not rest


def _holds_a_file(directory: int, name: str) -> bool:
    """Whether anything but directories is below a directory; what cannot be listed counts."""
    try:
        opened = os.open(name, LISTING, dir_fd=directory)
    except OSError:
        return True
    try:
        with os.scandir(opened) as entries:
            return any(
                not entry.is_dir(follow_symlinks=False) or _holds_a_file(opened, entry.name)
                for entry in entries
            )
    finally:
        os.close(opened)


def link_data(directory: int, name: str) -> bytes:
    """What stands for the content of a link: a text no file is mistaken for by accident."""
    return b"\0link to\0" + os.fsencode(os.readlink(name, dir_fd=directory))


def make_directory(tree: Tree, path: str) -> str:
    """Make a directory and its parents; an existing one is left. Returns its canonical path.

    Raises:
        FileExistsError: A file is there.
        OSError: The system refuses.
    """
    with tree.place(path) as place:
        facts = place.facts()
        if facts is not None and facts.kind is not Kind.DIRECTORY:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        if facts is None:
            made: list[str] = []
            try:
                with inner(place, made) as parent, suppress(FileExistsError):
                    os.mkdir(place.name, dir_fd=parent)
                    sync(parent)
            except OSError:
                unmake(tree, made)
                raise
        return place.path
