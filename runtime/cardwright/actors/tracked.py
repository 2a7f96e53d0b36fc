"""Containers that know which of their entries were written or handed out.

A state swaps its large lists and dictionaries for these, unseen by whoever uses them: they are
lists and dictionaries, and copies of them are plain ones. An entry that nobody got hold of cannot
have changed, so a look at the state costs what was touched and not what there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, KeysView, Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self, SupportsIndex, cast, override

from cardwright.actors.shapes import ATOMS

if TYPE_CHECKING:
    from cardwright.actors.tracks import Track

__all__ = ["Cut", "Tracked", "TrackedDict", "TrackedList"]

# Slices that are longer than this count as the whole; so do more places to keep in mind.
_MANY: Final = 64
# Cuts of a list after which comparing it as a whole is less work.
_MOST_CUTS: Final = 256


class Cut(NamedTuple):
    """Entries of a list went at a position, and others came."""

    start: int
    gone: int
    came: int

    @property
    def end(self) -> int:
        """Where the entries that came end."""
        return self.start + self.came

    def longer(self, by: int) -> Self:
        """Return the same with more that came."""
        return self._replace(came=self.came + by)


class _Tracking:
    """What happened to a container since it was last looked at."""

    # Keys or positions that were written or handed out, and may change behind our back.
    touched: set[Any]
    # Anything may have changed, the order too.
    whole: bool
    # Nobody has looked yet which entries others hold on to.
    unknown: bool
    # Who follows it, if anybody does.
    owner: Track | None
    # All entries are atoms: handing them out changes nothing.
    plain: bool

    def _start(self, entries: Iterable[object]) -> None:
        self.touched = set()
        self.owner = None
        self.whole = False
        self.unknown = True
        self.plain = all(type(entry) in ATOMS for entry in entries)

    def _is_marked(self) -> bool:
        return bool(self.touched) or self.whole or self.unknown

    def _took_in(self, entry: object) -> None:
        if self.plain and type(entry) not in ATOMS:
            self.plain = False

    def _hand_out_all(self) -> None:
        if not self.plain:
            self.whole = True


class TrackedDict(_Tracking, dict[Any, Any]):
    """A dictionary that takes note."""

    def __init__(self, entries: Mapping[Any, Any]) -> None:
        """Copy `entries`."""
        super().__init__(entries)
        self.removed: set[object] = set()
        self._start(super().values())

    def is_restless(self) -> bool:
        """Tell whether the next look has something to look at."""
        return self._is_marked() or bool(self.removed)

    def put(self, key: object, entry: object) -> None:
        """Replace an entry without taking note."""
        super().__setitem__(key, entry)

    def peek(self, key: object) -> object:
        """Return an entry without taking note."""
        return cast("object", super().__getitem__(key))

    def all_keys(self) -> list[object]:
        """Return the keys."""
        return list(super().__iter__())

    @override
    def __getitem__(self, key: Any, /) -> Any:
        entry = super().__getitem__(key)
        if type(entry) not in ATOMS:
            self.touched.add(key)
        return entry

    @override
    def get(self, key: Any, default: Any = None, /) -> Any:
        entry = super().get(key, default)
        if type(entry) not in ATOMS and key in self:
            self.touched.add(key)
        return entry

    @override
    def setdefault(self, key: Any, default: Any = None, /) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    @override
    def __setitem__(self, key: Any, value: Any, /) -> None:
        self._took_in(value)
        super().__setitem__(key, value)
        self.touched.add(key)

    @override
    def update(self, *others: Any, **more: Any) -> None:
        for key, value in dict[Any, Any](*others, **more).items():
            self[key] = value

    @override
    def __ior__(self, other: Any, /) -> Self:
        self.update(other)
        return self

    @override
    def __delitem__(self, key: Any, /) -> None:
        super().__delitem__(key)
        self.removed.add(key)

    @override
    def pop(self, key: Any, /, *default: Any) -> Any:
        self.removed.add(key)
        return super().pop(key, *default)

    @override
    def popitem(self) -> tuple[Any, Any]:
        found = super().popitem()
        self.removed.add(found[0])
        return found

    @override
    def clear(self) -> None:
        self.whole = True
        super().clear()

    @override
    def __iter__(self) -> Iterator[Any]:
        # Overridden so that `dict(self)` and `{**self}` ask for each entry.
        return super().__iter__()

    @override
    def keys(self) -> KeysView[Any]:  # type: ignore[override] # a view like any other
        return super().keys()

    @override
    def values(self) -> Any:
        self._hand_out_all()
        return super().values()

    @override
    def items(self) -> Any:
        self._hand_out_all()
        return super().items()

    @override
    def copy(self) -> dict[Any, Any]:
        return dict(self.items())

    @override
    def __or__(self, other: Any, /) -> dict[Any, Any]:
        return cast("dict[Any, Any]", self.copy() | other)

    @override
    def __ror__(self, other: Any, /) -> dict[Any, Any]:
        return cast("dict[Any, Any]", other | self.copy())

    def __copy__(self) -> dict[Any, Any]:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[Any, Any]:
        return deepcopy(dict(super().items()), memo)

    @override
    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]:
        return dict, (self.copy(),)


def _is_part(at: object) -> bool:
    return isinstance(at, slice)


class TrackedList(_Tracking, list[Any]):
    """A list that takes note."""

    def __init__(self, entries: Iterable[Any]) -> None:
        """Copy `entries`."""
        super().__init__(entries)
        # Where entries went and came since the last look, in the order in which that happened.
        self.cuts: list[Cut] = []
        # Identities of what validation handed on since then, its own entries among them.
        self.handed_on: set[int] = set()
        self._start(super().__iter__())

    def is_restless(self) -> bool:
        """Tell whether the next look has something to look at."""
        return self._is_marked() or bool(self.cuts) or bool(self.handed_on)

    def put(self, at: object, entry: object) -> None:
        """Replace an entry without taking note."""
        super().__setitem__(cast("int", at), entry)

    def peek(self, at: object) -> object:
        """Return an entry without taking note."""
        return cast("object", super().__getitem__(cast("int", at)))

    def all_keys(self) -> list[object]:
        """Return the positions."""
        return list(range(len(self)))

    def touch_handed_on(self) -> None:
        """Take those entries for touched that validation handed on, however it got them."""
        if self.handed_on:
            handed, self.handed_on = self.handed_on, set()
            handed -= {id(self.peek(at)) for at in self.touched}
            if handed:
                self._touch(handed)

    def _touch(self, identities: set[int]) -> None:
        entries = map(id, super().__iter__())
        self.touched.update(at for at, entry in enumerate(entries) if entry in identities)

    @override
    def __getitem__(self, at: Any, /) -> Any:
        found = super().__getitem__(at)
        if isinstance(at, slice):
            self._hand_out(range(*at.indices(len(self))))
        elif type(found) not in ATOMS:
            self.touched.add(at.__index__() % len(self))
        return found

    def _hand_out(self, positions: range) -> None:
        if len(positions) > _MANY:
            self._hand_out_all()
        elif not self.plain:
            self.touched.update(positions)

    @override
    def __setitem__(self, at: Any, value: Any, /) -> None:
        if _is_part(at):
            self._assign(at, list(value))
            return
        super().__setitem__(at, value)
        self._took_in(value)
        self.touched.add(at.__index__() % len(self))

    def _assign(self, at: slice[Any, Any, Any], entries: list[Any]) -> None:
        start, stop, step = at.indices(len(self))
        super().__setitem__(at, entries)
        for entry in entries:
            self._took_in(entry)
        if step == 1:
            self._cut(start, max(stop - start, 0), len(entries))
        else:
            self.whole = True

    def _cut(self, start: int, gone: int, came: int) -> None:
        """Take note that entries went at a position, and others came in their place."""
        if self.whole:
            return
        if self.cuts and gone == 0 and self.cuts[-1].end == start:
            # One after the other, as most lists grow.
            self.cuts[-1] = self.cuts[-1].longer(came)
        else:
            self.cuts.append(Cut(start, gone, came))
        self._shift(start, gone, came - gone)
        self.touched.update(range(start, start + came))
        if len(self.cuts) > _MOST_CUTS:
            self.whole = True

    def _shift(self, start: int, gone: int, by: int) -> None:
        touched = self.touched
        if not touched or start + gone + by == len(self):
            # At the end: nothing moved.
            for at in range(start, start + gone):
                touched.discard(at)
        elif len(touched) > _MANY:
            self.whole = True
        else:
            self.touched = {
                at if at < start else at + by for at in touched if not start <= at < start + gone
            }

    @override
    def append(self, entry: Any, /) -> None:
        self._took_in(entry)
        super().append(entry)
        self._cut(len(self) - 1, 0, 1)

    @override
    def extend(self, entries: Iterable[Any], /) -> None:
        more, start = list(entries), len(self)
        for entry in more:
            self._took_in(entry)
        super().extend(more)
        self._cut(start, 0, len(more))

    @override
    def __iadd__(self, entries: Iterable[Any], /) -> Self:
        self.extend(entries)
        return self

    @override
    def __imul__(self, times: SupportsIndex, /) -> Self:
        self.whole = True
        return super().__imul__(times)

    @override
    def insert(self, at: SupportsIndex, entry: Any, /) -> None:
        self._took_in(entry)
        start, _, _ = slice(at, None).indices(len(self))
        super().insert(at, entry)
        self._cut(start, 0, 1)

    @override
    def __delitem__(self, at: Any, /) -> None:
        size = len(self)
        super().__delitem__(at)
        if not isinstance(at, slice):
            self._cut(at.__index__() % size, 1, 0)
            return
        start, stop, step = at.indices(size)
        if step == 1:
            self._cut(start, max(stop - start, 0), 0)
        else:
            self.whole = True

    @override
    def pop(self, at: SupportsIndex = -1, /) -> Any:
        size = len(self)
        found = super().pop(at)
        self._cut(at.__index__() % size, 1, 0)
        return found

    @override
    def remove(self, entry: Any, /) -> None:
        del self[self.index(entry)]

    @override
    def clear(self) -> None:
        del self[:]

    @override
    def reverse(self) -> None:
        self.whole = True
        super().reverse()

    @override
    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        self.whole = True
        super().sort(key=key, reverse=reverse)

    @override
    def __iter__(self) -> Iterator[Any]:
        self._hand_out_all()
        return super().__iter__()

    @override
    def __reversed__(self) -> Iterator[Any]:
        self._hand_out_all()
        return super().__reversed__()

    @override
    def copy(self) -> list[Any]:
        return list(iter(self))

    @override
    def __add__(self, other: Any, /) -> list[Any]:
        return cast("list[Any]", self.copy() + other)

    def __radd__(self, other: object, /) -> Any:  # noqa: ANN401 - it never returns a sum
        # Called for `other + self` and `other += self`, before the list does what it always does.
        self._hand_out_all()
        return NotImplemented

    @override
    def __mul__(self, times: SupportsIndex, /) -> list[Any]:
        return self.copy() * times

    @override
    def __rmul__(self, times: SupportsIndex, /) -> list[Any]:
        return self.copy() * times

    def __copy__(self) -> list[Any]:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return deepcopy(list(super().__iter__()), memo)

    @override
    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]:
        return list, (self.copy(),)


type Tracked = TrackedDict | TrackedList
