"""Published forms of one large container: each new one costs what changed since the last.

The newest form is kept whole, each older one as what to undo in the next newer; a form is written
out when somebody reads it, and forgotten when nobody refers to it any more.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Version", "Versions"]

type Form = dict[Any, Any] | list[Any]

# Stands for an entry that is not there yet.
_ABSENT: Final = object()


class Version:
    """One published form; it never changes."""

    __slots__ = ("_versions", "newer", "undo", "written")

    def __init__(self, versions: Versions) -> None:
        """Be the newest form of `versions`."""
        self._versions = versions
        # The form itself, once somebody read it; else what to undo in the next newer one.
        self.written: Form | None = None
        self.newer: Version | None = None
        self.undo: dict[Any, object] = {}

    def form(self) -> Form:
        """Return the form; do not change it, others read it too."""
        with self._versions.lock:
            if self.written is None:
                self.written = self._written_out()
            return self.written

    def keep(self, form: Form) -> None:
        """Be written out as `form`, unless it is already; called under the lock."""
        if self.written is None:
            self.written = form

    def step_back_from(self, newer: Version, undo: dict[Any, object]) -> None:
        """Be what `newer` is, but for `undo`; called under the lock."""
        self.newer, self.undo = newer, undo

    def _written_out(self) -> Form:
        steps: list[Version] = []
        at = self
        while at.written is None and at.newer is not None:
            steps.append(at)
            at = at.newer
        form = (self._versions.head if at.written is None else at.written).copy()
        for step in reversed(steps):
            _apply(form, step.undo)
        return form


def _apply(form: Form, undo: dict[Any, object]) -> None:
    absent = [key for key, old in undo.items() if old is _ABSENT]
    for key, old in undo.items():
        if old is not _ABSENT:
            form[key] = old
    # What was added came last.
    for key in sorted(absent, reverse=True) if isinstance(form, list) else absent:
        del form[key]


class Versions:
    """The forms of one container, of which one is the newest."""

    __slots__ = ("head", "lock", "newest")

    def __init__(self, head: Form) -> None:
        """Start with a form that belongs to the versions from now on."""
        self.lock = Lock()
        self.head = head
        self.newest = Version(self)

    def change(self, entries: Mapping[Any, object]) -> None:
        """Make a newer form: entries replaced, or added behind all others in this order."""
        with self.lock:
            head, former = self.head, self.newest
            undo: dict[Any, object] = {}
            for key, entry in entries.items():
                undo[key] = _put(head, key, entry)
            self.newest = Version(self)
            former.step_back_from(self.newest, undo)

    def remove(self, keys: Iterable[object]) -> None:
        """Make a newer form of a dictionary, without some keys."""
        with self.lock:
            # What was undone would not have its place in the order any more.
            self.newest.keep(self.head.copy())
            for key in keys:
                del cast("dict[object, object]", self.head)[key]
            self.newest = Version(self)

    def replace(self, head: Form) -> None:
        """Make a newer form that has little in common with the last."""
        with self.lock:
            self.newest.keep(self.head)
            self.head = head
            self.newest = Version(self)


def _put(form: Form, key: Any, entry: object) -> object:  # noqa: ANN401 - whatever keys the container has
    if isinstance(form, list):
        if key == len(form):
            form.append(entry)
            return _ABSENT
        old = cast("object", form[key])
    else:
        old = form.get(key, _ABSENT)
    form[key] = entry
    return old
