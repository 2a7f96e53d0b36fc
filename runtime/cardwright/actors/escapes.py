"""Tells which entries only their container refers to: nobody else can change them unseen."""

from collections.abc import Iterable
from sys import getrefcount
from typing import Any, Final, cast

from pydantic import BaseModel

from cardwright.actors.shadows import is_atomic
from cardwright.actors.shapes import ATOMS
from cardwright.actors.tracked import Tracked, TrackedDict, TrackedList

__all__ = ["escaped", "references"]


def _own() -> int:
    """Count who refers to an entry of a container in the loops below.

    That is the container, the loop and, up to Python 3.13, the count itself.
    """
    container = [object()]
    entry = container[0]
    return getrefcount(entry)


_OWN: Final = _own()
# Of those that take note, too.
_values: Final = dict[object, object].values
_entries: Final = list[object].__iter__


def references(container: Any, key: object) -> int:  # noqa: ANN401 - whatever has entries
    """Return how many refer to an entry of `container`, which is one of them."""
    if isinstance(container, TrackedDict | TrackedList):
        return getrefcount(container.peek(key)) - 1
    return getrefcount(container[key]) - 1


def escaped(container: Tracked, keys: Iterable[object] | None = None) -> set[object]:
    """Return the keys or positions (all, or some) whose entries others hold on to."""
    found: set[object] = set()
    for key in container.all_keys() if keys is None else keys:
        entry = container.peek(key)
        if not is_atomic(cast("type", type(entry))) and (
            getrefcount(entry) - _followers(entry) > _OWN or _parts_escape(entry)
        ):
            found.add(key)
    return found


def _followers(value: object) -> int:
    """Return how many refer to a container because they follow it."""
    if isinstance(value, TrackedDict | TrackedList):
        return 0 if value.owner is None else 1
    return 0


def _parts_escape(value: object) -> bool:  # noqa: PLR0911 - one for each kind of value
    if isinstance(value, TrackedDict | TrackedList) and value.owner is not None:
        # It takes note itself, but nobody looks at it unless its holder is looked at.
        return value.is_restless()
    if isinstance(value, BaseModel):
        attributes = value.__dict__
        if getrefcount(attributes) > _OWN or value.__pydantic_extra__:
            return True
        return _any_escapes(attributes.values())
    if isinstance(value, dict):
        return _any_escapes(_values(cast("dict[object, object]", value)))
    if isinstance(value, list):
        # That takes note, too, if it is tracked by nobody.
        return _any_escapes(_entries(cast("list[object]", value)))
    if isinstance(value, tuple):
        return _any_escapes(cast("tuple[object, ...]", value))
    # The elements of a set do not change. Of anything else, nothing is known.
    return not isinstance(value, set | frozenset)


def _any_escapes(parts: Iterable[object]) -> bool:
    for part in parts:
        kind = cast("type", type(part))
        if kind in ATOMS or is_atomic(kind):
            continue
        if getrefcount(part) - _followers(part) > _OWN or _parts_escape(part):
            return True
    return False
