"""Follows the large containers of a state, so that a look at them costs what was touched."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from cardwright.actors.escapes import escaped, references
from cardwright.actors.shadows import MISSING, renewed, renewed_dict, renewed_sequence
from cardwright.actors.tracked import Tracked, TrackedDict, TrackedList
from cardwright.actors.versions import Version, Versions

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SMALLEST", "Track", "is_large", "track"]

# Smaller containers are compared entry by entry, as everything else.
SMALLEST: Final = 64
# Looks after which one goes over all entries, for what only code in C can have passed by.
_AUDIT: Final = 256
_PLAIN: Final = frozenset({dict, list})


class Track:
    """One tracked container and its published forms."""

    __slots__ = ("_looks", "_versions", "container")

    def __init__(self, container: Tracked, shadow: dict[Any, Any] | list[Any]) -> None:
        """Follow `container`, which was published as `shadow`."""
        self.container = container
        self._versions = Versions(shadow.copy())
        # The present form is known already: written out once, for all who read it.
        self._versions.newest.keep(shadow)
        self._looks = 0

    def look(self, *, held: bool) -> Version:
        """Return the present form: the last one, if nothing changed.

        Args:
            held: whether others refer to the container, so that anything may have changed.

        Raises:
            PydanticSerializationError: something that changed has no stored form.
        """
        container = self.container
        self._looks += 1
        if held or container.whole or self._looks % _AUDIT == 0 or self._grew_unseen():
            # Who goes over all entries in each turn need not wait for a search for references.
            self._look_at_all()
            container.unknown = True
        elif container.unknown:
            self._look_at_all()
            container.touched = escaped(container)
            container.unknown = False
        elif container.touched or self._has_grown_or_shrunk():
            self._look_at_touched()
        return self._versions.newest

    @property
    def newest(self) -> Version:
        """The form that was published last."""
        return self._versions.newest

    def _has_grown_or_shrunk(self) -> bool:
        container = self.container
        if isinstance(container, TrackedDict) and container.removed:
            return True
        return len(container) != len(self._versions.head)

    def _grew_unseen(self) -> bool:
        container = self.container
        if not isinstance(container, TrackedList):
            return False
        return len(container) - len(self._versions.head) != container.appended

    def _look_at_all(self) -> None:
        head, container = self._versions.head, self.container
        renew = renewed_dict if isinstance(container, dict) else renewed_sequence
        fresh = renew(container, head)
        if fresh is not head:
            self._versions.replace(cast("dict[Any, Any] | list[Any]", fresh))
        container.whole = False
        container.touched.clear()
        _all_seen(container)

    def _look_at_touched(self) -> None:
        container = self.container
        if isinstance(container, TrackedDict):
            self._remove(container)
        changes = dict(self._changes(container))
        if changes:
            self._versions.change(changes)
        _all_seen(container)
        added = [key for key in changes if key not in container.touched]
        container.touched = escaped(container, [*container.touched, *added])

    def _remove(self, container: TrackedDict) -> None:
        head = self._versions.head
        if gone := [key for key in container.removed if key in head]:
            self._versions.remove(gone)
        container.touched -= container.removed

    def _changes(self, container: Tracked) -> Iterator[tuple[object, object]]:
        if isinstance(container, TrackedList):
            known = cast("list[object]", self._versions.head)
            fresh = range(len(known), len(container))
            for at in container.touched:
                if at < len(known):
                    yield from _changed(at, container.peek(at), known[at])
            for at in fresh:
                yield at, renewed(container.peek(at), MISSING)
            return
        entries = cast("dict[object, object]", self._versions.head)
        for key in container.touched:
            if key in entries:
                yield from _changed(key, container.peek(key), entries[key])
        # Keys were only added, so they are the last ones.
        last = list(islice(reversed(container), len(container) - len(entries)))
        for key in cast("list[object]", last[::-1]):
            yield key, renewed(container.peek(key), MISSING)


def _all_seen(container: Tracked) -> None:
    if isinstance(container, TrackedList):
        container.appended = 0
    else:
        container.removed.clear()


def _changed(key: object, entry: object, shadow: object) -> Iterator[tuple[object, object]]:
    fresh = renewed(entry, shadow)
    if fresh is not shadow:
        yield key, fresh


def is_large(value: object) -> bool:
    """Tell whether it is a plain list or dictionary worth tracking."""
    return type(value) in _PLAIN and len(cast("list[object]", value)) >= SMALLEST


def track(values: dict[str, object], name: str, shadow: object) -> Track | None:
    """Swap a large container for one that takes note, if nobody else refers to it.

    Args:
        values: what has the container.
        name: under which name.
        shadow: as what the container was published.
    """
    # `values`, and nobody else: whoever has the plain one would go on with that.
    if references(values, name) > 1 or not is_large(values[name]):
        return None
    plain = cast("dict[object, object] | list[object]", values[name])
    container = TrackedDict(plain) if isinstance(plain, dict) else TrackedList(plain)
    values[name] = container
    return Track(container, cast("dict[Any, Any] | list[Any]", shadow))
