"""Which entities are tied to which."""

from collections.abc import Iterable, Mapping
from typing import Final

type Links = dict[str, str]
"""Relation id -> name of the other end, oldest first."""

_OTHER_ENDS: Final = dict[str, str].values


class _Island:
    """Stands for entities that may be tied; joined with another, it points at that one."""

    __slots__ = ("into",)

    def __init__(self) -> None:
        self.into: _Island | None = None


class Adjacency:
    """Relations by the entities at their ends; a change costs the change.

    Shortest paths need not look at the many entities that have one relation only, so those that
    lead on are kept apart.
    """

    def __init__(self) -> None:
        """Start without entities."""
        self.links: dict[str, Links] = {}
        self.ways: dict[str, Links] = {}
        """The links to entities with more than one, in no order."""
        self._islands: dict[str, _Island] = {}

    def add_name(self, name: str) -> None:
        """Enter an entity without relations."""
        self.links[name], self.ways[name] = {}, {}
        self._islands[name] = _Island()

    def drop_name(self, name: str) -> None:
        """Remove an entity without relations."""
        del self.links[name], self.ways[name], self._islands[name]

    def add(self, ref_id: str, start: str, end: str) -> None:
        """Tie two entities, or one to itself."""
        for name in {start: None, end: None}:
            if (only := _only(self.links[name])) is not None:
                older, other = only
                self.ways[other][older] = name
        self.links[start][ref_id], self.links[end][ref_id] = end, start
        for name, other in {start: end, end: start}.items():
            if len(self.links[name]) > 1:
                self.ways[other][ref_id] = name
        here, there = self._island(start), self._island(end)
        if here is not there:
            here.into = there

    def drop(self, ref_id: str, start: str, end: str) -> None:
        """Untie them."""
        for name in {start: None, end: None}:
            del self.links[name][ref_id]
            self.ways[name].pop(ref_id, None)
        for name in {start: None, end: None}:
            if (only := _only(self.links[name])) is not None:
                last, other = only
                self.ways[other].pop(last, None)

    def may_be_tied(self, start: str, end: str) -> bool:
        """False if surely no path leads from one to the other; what was cut is seen by searches."""
        return self._island(start) is self._island(end)

    def note_island(self, names: Iterable[str]) -> None:
        """Take note that these, with those that are tied to them alone, are all that are tied."""
        island, names = _Island(), set(names)
        for name in names | neighbours(self.links, names):
            self._islands[name] = island

    def _island(self, name: str) -> _Island:
        island = self._islands[name]
        while (beyond := island.into) is not None:
            if beyond.into is not None:
                island.into = beyond.into
            island = beyond
        return island


def neighbours(links: Mapping[str, Links], names: Iterable[str]) -> set[str]:
    """The other ends at all the names; without a step of Python for each, as hubs have many."""
    return set[str]().union(*map(_OTHER_ENDS, map(links.__getitem__, names)))


def _only(links: Links) -> tuple[str, str] | None:
    """The one link, if it is one."""
    return next(iter(links.items())) if len(links) == 1 else None
