"""Tells whether two values are stored alike: `==` is too kind, `1 == True` and `1.5 == 1.50`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain, compress
from math import copysign
from operator import is_, is_not
from types import NoneType
from typing import Final, cast
from uuid import UUID

__all__ = ["are_alike", "have_like_rows", "is_alike", "list_alike"]

# Values of the same one of these types are equal only if they are stored alike.
_FAITHFUL: Final = frozenset({str, int, bool, NoneType, bytes, UUID, date, timedelta})


def is_alike(value: object, other: object) -> bool:
    """Tell whether `other` is what `value` is, in type, value and stored form, at any depth."""
    if value is other:
        return True
    kind = type(value)
    if kind is not type(other):
        return False
    if kind in _FAITHFUL or (exact := _EXACT.get(kind)) is None:
        return value == other
    return exact(value, other)


def are_alike(values: Iterable[object], others: Iterable[object]) -> bool:
    """Tell so of values in pairs, as many of these as of those: most are the very same ones."""
    here, there = list(values), list(others)
    pairs = compress(zip(here, there, strict=True), map(is_not, here, there))
    return all(is_alike(value, other) for value, other in pairs)


def list_alike(values: Sequence[object], others: Sequence[object]) -> bool:
    """Tell so of what is in two sequences, of any length."""
    return len(values) == len(others) and are_alike(values, others)


def have_like_rows(rows: Sequence[Mapping[str, object]], others: Sequence[object]) -> bool:
    """Tell so of the attributes of many models, known to be equal."""
    there = cast("Sequence[Mapping[str, object]]", others)
    here_keys, there_keys = chain.from_iterable(rows), chain.from_iterable(there)
    return all(map(is_, here_keys, there_keys)) and are_alike(
        chain.from_iterable(row.values() for row in rows),
        chain.from_iterable(row.values() for row in there),
    )


def _floats(value: object, other: object) -> bool:
    one, two = cast("float", value), cast("float", other)
    if one == two:
        return bool(one) or copysign(1, one) == copysign(1, two)
    # Nothing else is unlike itself: all that is no number is alike.
    return one != one and two != two  # noqa: PLR0124 - see above


def _decimals(value: object, other: object) -> bool:
    return cast("Decimal", value).as_tuple() == cast("Decimal", other).as_tuple()


def _times(value: object, other: object) -> bool:
    one, two = cast("datetime", value), cast("datetime", other)
    return one == two and one.tzinfo == two.tzinfo and one.fold == two.fold


def _shown(value: object, other: object) -> bool:
    return repr(value) == repr(other)


def _lists(value: object, other: object) -> bool:
    return list_alike(cast("Sequence[object]", value), cast("Sequence[object]", other))


def _dicts(value: object, other: object) -> bool:
    one, two = cast("dict[object, object]", value), cast("dict[object, object]", other)
    return list_alike(list(one), list(two)) and are_alike(one.values(), two.values())


def _sets(value: object, other: object) -> bool:
    one, two = cast("frozenset[object]", value), cast("frozenset[object]", other)
    if one != two:
        return False
    kinds = set(map(type, one))
    if len(kinds) <= 1 and kinds <= _FAITHFUL and kinds == set(map(type, two)):
        return True
    return set(map(_exactly, one)) == set(map(_exactly, two))


def _exactly(element: object) -> object:
    """Return what only an element like this one is equal to."""
    kind: type[object] = type(element)
    if isinstance(element, tuple):
        return (kind, *map(_exactly, cast("tuple[object, ...]", element)))
    if isinstance(element, frozenset):
        return frozenset(map(_exactly, cast("frozenset[object]", element)))
    return kind, repr(element)


_EXACT: Final[dict[type, Callable[[object, object], bool]]] = {
    float: _floats,
    complex: _shown,
    Decimal: _decimals,
    datetime: _times,
    time: _times,
    list: _lists,
    tuple: _lists,
    dict: _dicts,
    set: _sets,
    frozenset: _sets,
}
