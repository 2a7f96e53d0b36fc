"""Published forms of one large container: each new one costs what changed since the last.

The newest form is kept whole, each older one as what to undo in the next newer; a form is written
out when somebody reads it, and forgotten when nobody refers to it any more.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from cardwright.actors.edits import Edit, Form, Order, in_order, moves_keys, take_back

if TYPE_CHECKING:
    from cardwright.actors.edits import Step
    from cardwright.actors.tracks import Track

__all__ = ["Version", "Versions"]


class Version:
    """One published form; it never changes."""

    __slots__ = ("_versions", "newer", "order", "steps", "written")

    def __init__(self, versions: Versions) -> None:
        """Be the newest form of `versions`."""
        self._versions = versions
        # The form itself, once somebody read it; else what to undo in the next newer one.
        self.written: Form | None = None
        self.newer: Version | None = None
        self.steps: list[Step] = []
        # The order of the keys, if nothing newer can be undone to learn it.
        self.order: Order | None = None

    @property
    def track(self) -> Track | None:
        """Who follows the container of which this was a form."""
        return self._versions.track

    @property
    def versions(self) -> Versions:
        """All forms of the container."""
        return self._versions

    def form(self) -> Form:
        """Return the form; do not change it, others read it too."""
        with self._versions.lock:
            if self.written is None:
                self.written = self._written_out()
            return self.written

    def keep(self, form: Form, order: Order | None = None) -> None:
        """Be the end of a line of versions; called under the lock."""
        self.order = order
        if self.written is None:
            self.written = form

    def step_back_from(self, newer: Version, steps: list[Step]) -> None:
        """Be what `newer` is without `steps`; called under the lock."""
        self.newer, self.steps = newer, steps

    def _written_out(self) -> Form:
        line = self._line(to_the_end=False)
        if any(moves_keys(older.steps) for older in line):
            # Only the last one knows the order of the keys.
            return self._with_keys_in_order()
        form = self._versions.form_of(self._end_of(line)).copy()
        for older in reversed(line):
            take_back(form, None, reversed(older.steps))
        return form

    def _with_keys_in_order(self) -> Form:
        line = self._line(to_the_end=True)
        end = self._end_of(line)
        form = cast("dict[object, object]", self._versions.form_of(end).copy())
        order = self._versions.order_of(end).copy()
        for older in reversed(line):
            take_back(form, order, reversed(older.steps))
        return in_order(form, order)

    def _line(self, *, to_the_end: bool) -> list[Version]:
        """Return the versions from this one on: to one that is written out, or to the newest."""
        line: list[Version] = []
        at = self
        while at.newer is not None and (to_the_end or at.written is None):
            line.append(at)
            at = at.newer
        return line

    def _end_of(self, line: list[Version]) -> Version:
        return cast("Version", line[-1].newer) if line else self


class Versions:
    """The forms of one container, of which one is the newest."""

    __slots__ = ("_order", "deep", "head", "lock", "newest", "track")

    def __init__(self, head: Form) -> None:
        """Start with a form that belongs to the versions from now on."""
        self.lock = Lock()
        self.head = head
        # Whether entries have versions of their own in them.
        self.deep = False
        self.track: Track | None = None
        # Where the keys are: of no interest before the first one is removed.
        self._order: Order | None = None
        self.newest = Version(self)

    @contextmanager
    def edit(self) -> Generator[Edit]:
        """Change the head; if anything changed, there is a newer form afterwards.

        An exception takes everything back.
        """
        with self.lock:
            edit = Edit(self.head, self._order)
            try:
                yield edit
            except BaseException:
                edit.undo()
                raise
            finally:
                self._order = edit.order
            if edit.steps:
                former, self.newest = self.newest, Version(self)
                former.step_back_from(self.newest, edit.steps)

    def change(self, entries: dict[Any, object]) -> None:
        """Make a newer form: entries replaced, or added behind all others in this order."""
        with self.edit() as edit:
            for key, entry in entries.items():
                if isinstance(self.head, list) and key == len(self.head):
                    edit.splice(key, 0, [entry])
                elif isinstance(self.head, list) or key in self.head:
                    edit.put(key, entry)
                else:
                    edit.add(key, entry)

    def replace(self, head: Form) -> None:
        """Make a newer form that has little in common with the last."""
        with self.lock:
            self.newest.keep(self.head, self._order)
            self.head, self._order = head, None
            self.newest = Version(self)

    def form_of(self, end: Version) -> Form:
        """Return the form at the end of a line; called under the lock."""
        return self.head if end.written is None else end.written

    def order_of(self, end: Version) -> Order:
        """Return the order of keys at the end of a line; called under the lock."""
        found = self._order if end is self.newest else end.order
        return Order.of(self.form_of(end)) if found is None else found
