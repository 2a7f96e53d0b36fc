"""Follows the large containers of a state, so that a look at them costs what was touched."""

from __future__ import annotations

from itertools import islice
from sys import getrefcount
from typing import TYPE_CHECKING, Any, Final, cast

from cardwright.actors.escapes import escaped, references
from cardwright.actors.handed_on import follow
from cardwright.actors.sameness import list_alike
from cardwright.actors.shadows import (
    MISSING,
    is_large,
    renewed,
    renewed_dict,
    renewed_sequence,
    resolved,
)
from cardwright.actors.tracked import Tracked, TrackedDict, TrackedList
from cardwright.actors.versions import Version, Versions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from cardwright.actors.edits import Edit

__all__ = ["Holder", "Track", "entry_of", "track"]

type Holder = dict[Any, Any] | list[Any]

# Looks after which one goes over all entries, for what only code in C can have passed by.
_AUDIT: Final = 256
# Who refers to a tracked container: what it is in, and its track.
_OWN: Final = 2
# Entries that were looked at, of which the large parts are worth tracking in turn.
_FEW: Final = 64


class Track:
    """One tracked container and its published forms."""

    __slots__ = ("_first", "_looks", "_versions", "container", "held", "looked_at")

    def __init__(self, container: Tracked, shadow: dict[Any, Any] | list[Any]) -> None:
        """Follow `container`, which was published as `shadow`."""
        self.container = container
        self._versions = Versions(shadow.copy())
        # The present form is known already: written out once, for all who read it.
        self._versions.newest.keep(shadow)
        self._versions.track = container.owner = self
        self._looks = 0
        self._first = _first_of(container)
        # Whether others refer to the container, so that anything may have changed.
        self.held = False
        self.looked_at: list[object] = []

    def is_followed(self) -> bool:
        """Tell whether the container is still in a state; call before each look, from outside."""
        references = getrefcount(self.container) - 1
        self.held = references > _OWN
        return references >= _OWN

    def end(self) -> None:
        """Follow the container no more."""
        self._versions.track = self.container.owner = None

    def look(self) -> Version:
        """Return the present form: the last one, if nothing changed.

        Raises:
            PydanticSerializationError: something that changed has no stored form.
        """
        container = self.container
        if isinstance(container, TrackedList):
            container.touch_handed_on()
        self._looks += 1
        self.looked_at = []
        if self.held or container.whole or self._looks % _AUDIT == 0 or self._changed_unseen():
            # Who goes over all entries in each turn need not wait for a search for references.
            self._look_at_all()
            container.unknown = True
        elif container.unknown:
            self._look_at_all()
            container.touched = escaped(container)
            container.unknown = False
        elif container.touched or _was_cut(container):
            self._look_at_touched()
        self._first = _first_of(container)
        return self._versions.newest

    @property
    def newest(self) -> Version:
        """The form that was published last."""
        return self._versions.newest

    def distrust(self) -> None:
        """Go over all entries at the next look."""
        self.container.whole = True

    def _changed_unseen(self) -> bool:
        """Tell whether code in C did what no method took note of."""
        container, size = self.container, len(self._versions.head)
        if isinstance(container, TrackedDict):
            # What went is subtracted, what came is not known: there may be more, not less.
            return len(container) < size - len(container.removed)
        grown = sum(cut.came - cut.gone for cut in container.cuts)
        if len(container) != size + grown:
            return True
        # A heap that was changed in place has another first entry.
        moved = _first_of(container) != self._first
        return moved and not container.cuts and 0 not in container.touched

    def _look_at_all(self) -> None:
        head, container = self._versions.head, self.container
        renew = renewed_dict if isinstance(container, dict) else renewed_sequence
        fresh = renew(container, head)
        if fresh is not head:
            self._versions.replace(cast("dict[Any, Any] | list[Any]", fresh))
        container.whole = False
        container.touched.clear()
        _all_seen(container)
        _follow(container)

    def _look_at_touched(self) -> None:
        container = self.container
        edit_it = _edit_list if isinstance(container, TrackedList) else _edit_dict
        with self._versions.edit() as edit:
            looked_at = edit_it(cast("Any", container), cast("Any", self._versions.head), edit)
        _all_seen(container)
        _follow(container, looked_at)
        self.looked_at = list(islice(looked_at, _FEW))
        container.touched = escaped(container, looked_at)


def _first_of(container: Tracked) -> int:
    """Tell the first entry of a list from others, without holding on to it."""
    return id(container.peek(0)) if container and isinstance(container, TrackedList) else 0


def _was_cut(container: Tracked) -> bool:
    if isinstance(container, TrackedDict):
        return bool(container.removed)
    return bool(container.cuts)


def _edit_list(container: TrackedList, head: list[object], edit: Edit) -> Iterable[object]:
    """Let the head follow; return the positions that were looked at."""
    if not _puts_back(container, head):
        for start, gone, came in container.cuts:
            edit.splice(start, gone, [MISSING] * came)
    _renew(container, container.touched, head, edit)
    return container.touched


def _puts_back(container: TrackedList, head: list[object]) -> bool:
    """Tell whether what was cut was put back, or the like of it."""
    if len(container) != len(head):
        return False
    start, behind, size = len(head), len(head), len(head)
    for cut in container.cuts:
        size += cut.came - cut.gone
        start, behind = min(start, cut.start), min(behind, size - cut.end)
    places = range(start, len(head) - behind)
    return all(renewed(container.peek(at), head[at]) is head[at] for at in places)


def _edit_dict(container: TrackedDict, head: dict[object, object], edit: Edit) -> Iterable[object]:
    """Let the head follow; return the keys that were looked at."""
    gone = [key for key in container.removed if key in head]
    touched = {key for key in container.touched if key not in container.removed}
    if gone and _comes_back(container, head, gone):
        touched.update(gone)
    else:
        for key in gone:
            edit.drop(key)
    _renew(container, (key for key in touched if key in head), head, edit)
    # Other keys were only added, so they are the last ones.
    added = list(islice(reversed(container), len(container) - len(head)))[::-1]
    for key in cast("list[object]", added):
        edit.add(key, renewed(container.peek(key), MISSING))
    return touched.union(added)


def _comes_back(
    container: TrackedDict, head: dict[object, object], gone: Collection[object]
) -> bool:
    """Tell whether the keys that went were the last ones, and are so again."""
    if len(container) != len(head):
        return False
    last = list(islice(reversed(container), len(gone)))
    before = list(islice(reversed(head), len(gone)))
    return list_alike(last, before) and set(last) == set(gone)


def _renew(container: Tracked, keys: Iterable[object], head: Any, edit: Edit) -> None:  # noqa: ANN401 - a list or a dictionary
    for key in keys:
        known = cast("object", head[key])
        fresh = renewed(container.peek(key), known)
        if fresh is not known:
            edit.put(key, fresh)


def _follow(container: Tracked, positions: Iterable[object] | None = None) -> None:
    """Hear of the entries (all, or some) that are handed on; pydantic asks dictionaries."""
    if isinstance(container, TrackedList) and not container.plain:
        seen = container.all_keys() if positions is None else positions
        follow(container, map(container.peek, seen))


def _all_seen(container: Tracked) -> None:
    if isinstance(container, TrackedList):
        container.cuts.clear()
    else:
        container.removed.clear()


def track(holder: Holder, key: Any, shadow: object) -> Track | None:  # noqa: ANN401 - of any holder
    """Swap a large container for one that takes note, if nobody else refers to it.

    Args:
        holder: what has the container: attributes, a dictionary, a list.
        key: under which name, key or position.
        shadow: as what the container was published.
    """
    # `holder`, and nobody else: whoever has the plain one would go on with that.
    if references(holder, key) > 1:
        return None
    shadow, plain = resolved(shadow), entry_of(holder, key)
    if not is_large(plain) or type(shadow) is not type(plain):
        return None
    container = _taking_note(cast("Holder", plain))
    if isinstance(holder, TrackedDict | TrackedList):
        holder.put(key, container)
    else:
        holder[key] = container
    return Track(container, cast("dict[Any, Any] | list[Any]", shadow))


def _taking_note(plain: Holder) -> Tracked:
    return TrackedDict(plain) if isinstance(plain, dict) else TrackedList(plain)


def entry_of(holder: Holder, key: Any) -> object:  # noqa: ANN401 - of any holder
    """Return an entry; a tracked container takes no note."""
    if isinstance(holder, TrackedDict | TrackedList):
        return holder.peek(key)
    return cast("object", holder[key])
