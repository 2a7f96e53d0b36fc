"""Entries of lists that pydantic hands on as they are: it reads lists in C, past their methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.actors.tracked import TrackedList

__all__ = ["FOLLOWED", "follow", "hand_on"]

# The tracked lists that have entries of a type, by type and identity.
FOLLOWED: Final[dict[type, WeakValueDictionary[int, TrackedList]]] = {}


def follow(container: TrackedList, entries: Iterable[object]) -> None:
    """Tell `container` of each of its entries that is handed on: these are of the same types."""
    for kind in set(map(type, entries)):
        FOLLOWED.setdefault(kind, WeakValueDictionary())[id(container)] = container


def hand_on(entry: object) -> None:
    """Take note that validation hands an object on as it is, and whoever gets it may change it."""
    # A copy: other threads begin to follow lists.
    for reference in FOLLOWED[type(entry)].valuerefs():
        if (container := reference()) is not None:
            container.handed_on.add(id(entry))
