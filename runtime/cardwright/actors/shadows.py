"""Copies that follow a changing value and share whatever did not change with earlier copies."""

from collections.abc import Callable
from copy import copy, deepcopy
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from itertools import zip_longest
from pathlib import PurePath
from typing import Final, cast
from uuid import UUID

from pydantic import BaseModel

from cardwright.actors.addresses import ActorAddress
from cardwright.actors.dumping import serialize
from cardwright.actors.placeholders import UnknownObject

__all__ = ["MISSING", "renewed", "stored_fields"]

# Stands for the shadow of a value that has none yet; equal to nothing.
MISSING: Final = object()

_ATOMS: Final = frozenset(
    {str, int, float, bool, type(None), bytes, complex, UUID, Decimal, date, datetime, time, timedelta}
)
_ATOMIC_BASES: Final = (Enum, type, ActorAddress, UnknownObject, PurePath)


def renewed(value: object, shadow: object) -> object:
    """Return a copy of `value` that never changes: `shadow` itself if that still is one.

    Raises:
        PydanticSerializationError: something that changed has no stored form.
    """
    kind = type(value)
    if kind in _ATOMS:
        return shadow if type(shadow) is kind and value == shadow else value
    return _renewer(kind)(value, shadow if type(shadow) is kind else MISSING)


@lru_cache(maxsize=4096)
def _renewer(kind: type) -> Callable[[object, object], object]:
    exact = _BY_TYPE.get(kind)
    if exact is not None:
        return exact
    if issubclass(kind, _ATOMIC_BASES):
        return _renewed_atom
    return _renewed_model if issubclass(kind, BaseModel) else _renewed_other


def _renewed_atom(value: object, shadow: object) -> object:
    return shadow if value == shadow else value


def _renewed_dict(value: object, shadow: object) -> object:
    items = cast("dict[object, object]", value)
    known: dict[object, object] = {} if shadow is MISSING else cast("dict[object, object]", shadow)
    fresh = {key: renewed(item, known.get(key, MISSING)) for key, item in items.items()}
    # The order of keys is part of the value.
    same = shadow is not MISSING and all(
        old is not None and new[0] == old[0] and new[1] is old[1]
        for new, old in zip_longest(fresh.items(), known.items())
        if new is not None or old is not None
    )
    return shadow if same else fresh


def _renewed_sequence(value: object, shadow: object) -> object:
    items = cast("list[object]", value)
    known: list[object] = [] if shadow is MISSING else cast("list[object]", shadow)
    fresh = [
        renewed(item, old) for item, old in zip_longest(items, known[: len(items)], fillvalue=MISSING)
    ]
    if shadow is not MISSING and len(known) == len(fresh):
        if all(new is old for new, old in zip(fresh, known, strict=True)):
            return shadow
    return fresh if isinstance(value, list) else tuple(fresh)


def _renewed_set(value: object, shadow: object) -> object:
    # Elements are hashable, so they do not change.
    return shadow if value == shadow else copy(value)


def _renewed_model(value: object, shadow: object) -> object:
    model = cast("BaseModel", value)
    known: dict[str, object] = {} if shadow is MISSING else cast("BaseModel", shadow).__dict__
    fields = stored_fields(type(model))
    fresh: dict[str, object] = {}
    changed = shadow is MISSING
    attributes = model.__dict__
    for name in fields:
        old = known.get(name, MISSING)
        new = fresh[name] = renewed(attributes.get(name), old)
        changed = changed or new is not old
    if model.__pydantic_extra__ != (None if shadow is MISSING else cast("BaseModel", shadow).__pydantic_extra__):
        changed = True
    return _copied(model, fresh) if changed else shadow


def _copied(model: BaseModel, fields: dict[str, object]) -> BaseModel:
    fresh = copy(model)
    fresh.__dict__.update(fields)
    if model.__pydantic_extra__ is not None:
        object.__setattr__(fresh, "__pydantic_extra__", deepcopy(model.__pydantic_extra__))
    return fresh


def _renewed_other(value: object, shadow: object) -> object:
    """Compare by stored form: dataclasses, subclasses of containers, types of pydantic."""
    dumped = serialize(value)
    if shadow is not MISSING and dumped == serialize(shadow):
        return shadow
    return deepcopy(value)


@lru_cache(maxsize=4096)
def stored_fields(kind: type[BaseModel]) -> tuple[str, ...]:
    """Return the names of the fields that are stored."""
    return tuple(name for name, field in kind.model_fields.items() if not field.exclude)


_BY_TYPE: Final[dict[type, Callable[[object, object], object]]] = {
    dict: _renewed_dict,
    list: _renewed_sequence,
    tuple: _renewed_sequence,
    set: _renewed_set,
    frozenset: _renewed_set,
}
