"""Changes appear in the tree whole, all of a batch or none, and never over what nobody has seen."""

import logging
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .facts import Blob, Identity, content_sha
from .locking import TreeLock
from .manifest import Step, forget, must_be_undone, remember
from .staging import Staging
from .steps import EMPTY_DIRECTORY, Stepper, sync
from .swapping import move
from .tree import Tree
from .walking import Place

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Change:
    """What to make of one file: new `data`, or `None` to delete it.

    `before` is what the change was judged against: the file, or the link itself, or `None`.
    `executable` is asked of new files only; others keep their mode. `emptied` says that a
    directory is in the way, in which the rest of the batch leaves no file.
    """

    path: str
    before: Blob | None
    data: bytes | None
    executable: bool = False
    emptied: bool = False

    @cached_property
    def sha(self) -> str | None:
        """Hex SHA-256 of the new data, `None` for a deletion."""
        return None if self.data is None else content_sha(self.data)


@dataclass(slots=True)
class _Taken:
    """A step that has been taken, with the directories it made."""

    step: Step
    made: list[str] = field(default_factory=list[str])


class Publisher:
    """The writing side of a tree; one per actor."""

    def __init__(self, tree: Tree, lock: TreeLock | None = None) -> None:
        """Begin to write; `lock` is held for each publication, and may be held around it."""
        self._tree = tree
        self._lock = lock or TreeLock(tree.private)
        self._staging = Staging(tree.private, self._lock)
        self._stepper = Stepper(tree, self._staging.descriptor)

    def close(self) -> None:
        """Stop writing; nothing stays behind."""
        self._staging.close()

    def publish(self, changes: Sequence[Change]) -> dict[str, Identity]:
        """Apply all changes, or none; what is accepted is durable.

        Returns:
            Which files are there now, by path.

        Raises:
            Overtaken: A file is not what its change was judged against.
            OSError: The system refuses.
        """
        ordered = sorted(changes, key=lambda change: change.data is not None)
        steps = [_step(number, change) for number, change in enumerate(ordered)]
        with self._lock():
            try:
                staged = self._stage(steps, ordered)
                if len(steps) > 1:
                    remember(self._staging.descriptor, steps)
                self._take(steps, ordered)
            finally:
                if len(steps) > 1:
                    forget(self._staging.descriptor)
                self._staging.clear()
        return staged

    def discard(self, place: Place) -> None:
        """Remove what is at `place`, a directory with all that is in it, in one moment.

        Raises:
            OSError: Nothing is there, or the system refuses.
        """
        with self._lock():
            move((place.parent, place.name), (self._staging.descriptor, "discarded"))
            sync(place.parent)
            self._staging.clear()

    def _stage(self, steps: Sequence[Step], changes: Sequence[Change]) -> dict[str, Identity]:
        staged: dict[str, Identity] = {}
        for step, change in zip(steps, changes, strict=True):
            if change.data is None:
                continue
            like = None if change.before is None else change.before.facts
            group = self._group(change) if like is None else None
            staged[step.path] = self._staging.stage(step.new, change.data, like=like, group=group)
            if change.executable and like is None:
                self._staging.make_executable(step.new)
        return staged

    def _group(self, change: Change) -> int | None:
        """The group that the directory gives to a new file, if it does."""
        try:
            with self._tree.place(change.path, follow=False) as place:
                above = os.fstat(place.parent)
        except NotADirectoryError:
            return None  # the batch may delete the file that is in the way
        return above.st_gid if above.st_mode & stat.S_ISGID else None

    def _take(self, steps: Sequence[Step], changes: Sequence[Change]) -> None:
        taken: list[_Taken] = []
        try:
            for step, change in zip(steps, changes, strict=True):
                current = _Taken(step)
                before = None if change.before is None else change.before.data
                self._stepper.take(step, current.made, before)
                taken.append(current)
        except BaseException:
            if not self._undone(taken):
                self._abandon()
            raise

    def _undone(self, taken: Sequence[_Taken]) -> bool:
        whole = True
        for done in reversed(taken):
            try:
                self._stepper.take_back(done.step, done.made)
            except OSError:
                whole = False
                logger.exception("%s could not be put back.", done.step.path)
        return whole

    def _abandon(self) -> None:
        """Leave what cannot be undone now, with the old content, to the next start."""
        must_be_undone(self._staging.descriptor)
        self._staging.release()
        self._staging = Staging(self._tree.private, self._lock)
        self._stepper = Stepper(self._tree, self._staging.descriptor)


def _step(number: int, change: Change) -> Step:
    before = None if change.before is None else change.before.sha
    before = EMPTY_DIRECTORY if change.emptied else before
    return Step(change.path, before, change.sha, f"{number}.new", f"{number}.old")
