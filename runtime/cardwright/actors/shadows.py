"""Copies that follow a changing value and share whatever did not change with earlier copies."""

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from enum import Enum
from functools import lru_cache
from operator import attrgetter, is_
from pathlib import PurePath
from threading import local
from typing import Final, cast

from pydantic import BaseModel

from cardwright.actors.addresses import ActorAddress
from cardwright.actors.bare_models import bare_model
from cardwright.actors.dumping import serialize
from cardwright.actors.placeholders import UnknownObject
from cardwright.actors.sameness import are_alike, have_like_rows, is_alike, list_alike
from cardwright.actors.shapes import ATOMS, is_flat, stored_fields
from cardwright.actors.tracked import TrackedDict, TrackedList
from cardwright.actors.versions import Version

__all__ = [
    "MISSING",
    "copied_model",
    "is_atomic",
    "is_large",
    "noticed",
    "renewed",
    "renewed_dict",
    "renewed_sequence",
    "resolved",
]

# Smaller containers are compared entry by entry, as everything else.
SMALLEST: Final = 64

# Stands for the shadow of a value that has none yet; equal to nothing.
MISSING: Final = object()

_ATOMIC_BASES: Final = (Enum, type, ActorAddress, UnknownObject, PurePath)
_TRACKED: Final[dict[type, type]] = {TrackedDict: dict, TrackedList: list}
_PLAIN: Final = frozenset({dict, list})
_attributes: Final = attrgetter("__dict__")
_keys: Final = dict[object, object].__iter__
_values: Final = dict[object, object].values
_entries: Final = list[object].__iter__


class _Noticed(local):
    """Whether a large container was compared that could be tracked."""

    large = False


noticed: Final = _Noticed()


def is_large(value: object) -> bool:
    """Tell whether it is a plain list or dictionary worth tracking."""
    return type(value) in _PLAIN and len(cast("list[object]", value)) >= SMALLEST


@lru_cache(maxsize=4096)
def is_atomic(kind: type) -> bool:
    """Tell whether values of this class never change."""
    return kind in ATOMS or issubclass(kind, _ATOMIC_BASES)


def renewed(value: object, shadow: object) -> object:
    """Return a copy of `value` that never changes: `shadow` itself if that still is one.

    Raises:
        PydanticSerializationError: something that changed has no stored form.
    """
    kind = type(value)
    if kind in _PLAIN and not value and not shadow and type(shadow) is kind:
        # Empty as before: so are most containers in most turns.
        return shadow
    if type(shadow) is Version:
        if (followed := shadow.track) is not None and followed.container is value:
            return followed.look()
        # Another value took its place; it may be an equal one.
        form = resolved(shadow)
        fresh = renewed(value, form)
        return shadow if fresh is form else fresh
    if kind in _TRACKED:
        # Of another state, or inside of something: compared like the plain one that it is.
        kind = _TRACKED[kind]
    if kind in ATOMS:
        return shadow if is_alike(value, shadow) else value
    return _renewer(cast("type", kind))(value, shadow if type(shadow) is kind else MISSING)


@lru_cache(maxsize=4096)
def _renewer(kind: type) -> Callable[[object, object], object]:
    if (found := _BY_TYPE.get(kind)) is not None:
        return found
    if issubclass(kind, _ATOMIC_BASES):
        return _renewed_atom
    return _renewed_model if issubclass(kind, BaseModel) else _renewed_other


def _renewed_atom(value: object, shadow: object) -> object:
    return shadow if value == shadow else value


def renewed_dict(value: object, shadow: object) -> object:
    """Do what `renewed` does, for a dictionary."""
    items = cast("dict[object, object]", value)
    if is_large(value):
        noticed.large = True
    known = cast("dict[object, object]", {} if shadow is MISSING else shadow)
    if not items and not known and shadow is not MISSING:
        return shadow
    # The order of keys is part of the value.
    # Dictionaries that take note of it are read past their own methods.
    if not list_alike(list(_keys(items)), list(known)):
        shadows = [known.get(key, MISSING) for key in _keys(items)]
        changed = _changes(list(_values(items)), shadows)
        return {key: changed.get(at, shadows[at]) for at, key in enumerate(_keys(items))}
    changes = _changes(list(_values(items)), list(known.values()))
    if not changes and shadow is not MISSING:
        return shadow
    keys = list(known)
    return known | {keys[at]: item for at, item in changes.items()}


def renewed_sequence(value: object, shadow: object) -> object:
    """Do what `renewed` does, for a list or a tuple."""
    if shadow is MISSING:
        return _fresh_sequence(value)
    if not value and not shadow:
        return shadow
    items, known = _items(value), list(cast("list[object]", shadow))
    common = min(len(items), len(known))
    changes = _changes(items[:common], known[:common])
    if not changes and len(items) == len(known):
        return shadow
    fresh = [*known[:common], *(renewed(item, MISSING) for item in items[common:])]
    for at, item in changes.items():
        fresh[at] = item
    return fresh if isinstance(value, list) else tuple(fresh)


def _fresh_sequence(value: object) -> object:
    items = _items(value)
    if items and not ATOMS.issuperset(map(type, items)):
        items = [renewed(item, MISSING) for item in items]
    return items if isinstance(value, list) else tuple(items)


def _items(value: object) -> list[object]:
    """Return what a list or a tuple holds; one that takes note takes none of it."""
    if is_large(value):
        noticed.large = True
    if isinstance(value, list):
        return list(_entries(cast("list[object]", value)))
    return list(cast("tuple[object, ...]", value))


def _changes(values: list[object], shadows: list[object]) -> dict[int, object]:
    """Return position -> new shadow of what differs; rows of flat models are compared in bulk."""
    kinds = set(map(type, values))
    positions: Sequence[int] = range(len(values))
    if kinds <= ATOMS:
        if are_alike(values, shadows):
            return {}
    elif len(kinds) == 1 and is_flat(next(iter(kinds))) and set(map(type, shadows)) == kinds:
        now, then = list(map(_attributes, values)), list(map(_attributes, shadows))
        if now == then and have_like_rows(now, then):
            return {}
        positions = [
            at for at, rows in enumerate(zip(now, then, strict=True)) if not is_alike(*rows)
        ]
    fresh = ((at, renewed(values[at], shadows[at])) for at in positions)
    return {at: new for at, new in fresh if new is not shadows[at]}


def _renewed_set(value: object, shadow: object) -> object:
    # Elements are hashable, so they do not change.
    return shadow if is_alike(value, shadow) else copy(value)


def _renewed_model(value: object, shadow: object) -> object:
    model, old = cast("BaseModel", value), cast("BaseModel", shadow)
    if shadow is MISSING:
        return copied_model(model, _fresh_attributes(model))
    attributes, known = model.__dict__, cast("dict[str, object]", getattr(shadow, "__dict__", {}))
    if is_flat(type(model)) and is_alike(attributes, known):
        return shadow
    stored = stored_fields(type(model))
    # Excluded fields are shared as they are: they may hold anything, and nobody stores them.
    fresh = {name: renewed(attributes[name], known.get(name, MISSING)) for name in stored}
    if is_alike(model.__pydantic_extra__, old.__pydantic_extra__) and all(
        fresh[name] is known.get(name) for name in stored
    ):
        return shadow
    return copied_model(model, attributes | fresh)


def _fresh_attributes(model: BaseModel) -> dict[str, object]:
    attributes = cast("dict[str, object]", model.__dict__)
    fresh = attributes.copy()
    for name in stored_fields(type(model)):
        value = attributes[name]
        if type(value) is list:
            # Most lists of events are empty.
            fresh[name] = _fresh_sequence(cast("object", value)) if value else []
        elif type(value) not in ATOMS:
            fresh[name] = renewed(value, MISSING)
    return fresh


def copied_model(model: BaseModel, attributes: dict[str, object]) -> BaseModel:
    """Return the model with other attributes, all of them given."""
    # What pydantic's own copy does, without copying the attributes first.
    private, extra = model.__pydantic_private__, model.__pydantic_extra__
    return bare_model(
        type(model),
        attributes,
        model.__pydantic_fields_set__.copy(),
        None if extra is None else deepcopy(extra),
        None if private is None else private.copy(),
    )


def _renewed_other(value: object, shadow: object) -> object:
    """Compare by stored form: dataclasses, subclasses of containers, types of pydantic."""
    dumped = serialize(value)
    if shadow is not MISSING and is_alike(dumped, serialize(shadow)):
        return shadow
    return deepcopy(value)


def resolved(shadow: object) -> object:
    """Return a published form with the forms of tracked containers, at any depth, written out."""
    if type(shadow) is Version:
        form = shadow.form()
        return _resolved_entries(form) if shadow.versions.deep else form
    if isinstance(shadow, BaseModel):
        attributes = {name: resolved(value) for name, value in shadow.__dict__.items()}
        same = all(map(is_, attributes.values(), shadow.__dict__.values()))
        return shadow if same else copied_model(shadow, attributes)
    return _resolved_entries(shadow) if type(shadow) in _PLAIN else shadow


def _resolved_entries(form: object) -> object:
    if isinstance(form, dict):
        entries = cast("dict[object, object]", form)
        written = {key: resolved(entry) for key, entry in entries.items()}
        same = all(map(is_, written.values(), entries.values()))
        return entries if same else written
    items = cast("list[object]", form)
    made = [resolved(item) for item in items]
    return items if all(map(is_, made, items)) else made


_BY_TYPE: Final[dict[type, Callable[[object, object], object]]] = {
    dict: renewed_dict,
    list: renewed_sequence,
    tuple: renewed_sequence,
    set: _renewed_set,
    frozenset: _renewed_set,
}
