"""What lies between two forms of one container: found in the steps, never by comparing entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardwright.actors.edits import added_keys, only_adds, replaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.actors.edits import Step
    from cardwright.actors.versions import Version

__all__ = ["NEW", "Moved", "moved"]

NEW: Final = object()
"""Stands for the former entry of a key that was not there."""
_NONE: Final = object()


class Moved(NamedTuple):
    """An entry that another one took the place of."""

    key: Any
    old: object
    new: object


def moved(older: Version, newer: Version) -> list[Moved] | None:
    """Return the entries that differ, in the order in which they were first touched.

    None if that cannot be told without a look at all entries: they are of two containers, or
    entries were removed.
    """
    versions = newer.versions
    if older.versions is not versions:
        return None
    with versions.lock:
        between = _steps(older, newer)
        after = None if between is None else _steps(newer, None)
        head = versions.form_of(_end(newer))
        if between is None or after is None or not only_adds([*between, *after], head):
            return None
        first, later = _first_of_each(between), _first_of_each(after)
        found: list[Moved] = []
        for key, old in first.items():
            new = later.get(key, _NONE)
            found.append(Moved(key, old, head[key] if new is _NONE else new))
        return found


def _steps(at: Version, until: Version | None) -> list[Step] | None:
    """Return the steps from one version to another, or to the newest that it leads to."""
    steps: list[Step] = []
    while at is not until:
        if at.newer is None:
            return steps if until is None else None
        steps += at.steps
        at = at.newer
    return steps


def _end(at: Version) -> Version:
    while at.newer is not None:
        at = at.newer
    return at


def _first_of_each(steps: Iterable[Step]) -> dict[Any, object]:
    """Return what each key had before the first step that touched it."""
    first: dict[Any, object] = {}
    for key, old in _touched(steps):
        first.setdefault(key, old)
    return first


def _touched(steps: Iterable[Step]) -> Iterator[tuple[Any, object]]:
    for step in steps:
        put = replaced(step)
        if put is not None:
            yield put
        else:
            yield from ((key, NEW) for key in added_keys(step))
