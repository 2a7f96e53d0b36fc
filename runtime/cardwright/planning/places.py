"""Entries in an order that never changes, found and replaced by bisection."""

from bisect import bisect_left


class Places[T]:
    """Entries by their places, which only grow; `entries` is always in order."""

    __slots__ = ("_places", "entries")

    def __init__(self) -> None:
        self._places: list[int] = []
        self.entries: list[T] = []

    def put(self, place: int, entry: T) -> int:
        """Add an entry, or replace the one of that place; return its position."""
        at = bisect_left(self._places, place)
        if at < len(self._places) and self._places[at] == place:
            self.entries[at] = entry
        else:
            self._places.insert(at, place)
            self.entries.insert(at, entry)
        return at

    def drop(self, place: int) -> int:
        """Remove the entry of that place, which is there; return where it was."""
        at = bisect_left(self._places, place)
        del self._places[at], self.entries[at]
        return at
