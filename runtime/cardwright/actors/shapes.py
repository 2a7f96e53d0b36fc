"""What can be told of a model from its annotations, once per class."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Final, Literal, TypeAliasType, Union, get_args, get_origin
from uuid import UUID

from pydantic import (
    AwareDatetime,
    BaseModel,
    FutureDate,
    FutureDatetime,
    NaiveDatetime,
    PastDate,
    PastDatetime,
)

from cardwright.actors.addresses import ActorAddress

__all__ = ["ATOMS", "has_no_address", "is_flat", "stored_fields"]

# Values of these types never change.
ATOMS: Final[frozenset[type]] = frozenset(
    {
        str,
        int,
        float,
        bool,
        NoneType,
        bytes,
        complex,
        UUID,
        Decimal,
        date,
        datetime,
        time,
        timedelta,
    }
)
# Annotations of pydantic that stand for some of them.
_DATES: Final[tuple[object, ...]] = (
    AwareDatetime,
    FutureDate,
    FutureDatetime,
    NaiveDatetime,
    PastDate,
    PastDatetime,
)
_CONTAINERS: Final = (list, dict, set, frozenset, tuple, Union, UnionType)


@lru_cache(maxsize=4096)
def stored_fields(kind: type[BaseModel]) -> tuple[str, ...]:
    """Return the names of the fields that are stored."""
    return tuple(name for name, field in kind.model_fields.items() if not field.exclude)


@lru_cache(maxsize=4096)
def is_flat(kind: type) -> bool:
    """Tell whether a comparison of the attributes by value says all of models of this class.

    So it is if they hold atoms, enumerations and addresses, and containers of these.
    """
    return _is_made_of(kind, (Enum, ActorAddress))


@lru_cache(maxsize=4096)
def has_no_address(kind: type) -> bool:
    """Tell whether no value of this class can hold an address."""
    return kind in ATOMS or Enum in kind.__mro__ or _is_made_of(kind, (Enum,))


def _is_made_of(kind: type, bases: tuple[type, ...]) -> bool:
    return (
        issubclass(kind, BaseModel)
        and kind.model_config.get("extra") != "allow"
        and len(stored_fields(kind)) == len(kind.model_fields)
        and all(_is_simple(field.annotation, bases) for field in kind.model_fields.values())
    )


def _is_simple(annotation: object, bases: tuple[type, ...]) -> bool:
    if isinstance(annotation, TypeAliasType):
        return _is_simple(annotation.__value__, bases)
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _is_simple(parts[0], bases)
    if origin in _CONTAINERS:
        return all(_is_simple(part, bases) for part in parts)
    if annotation in (Ellipsis, None, *_DATES) or origin is Literal:
        return True
    if not isinstance(annotation, type) or parts:
        return False
    return annotation in ATOMS or issubclass(annotation, bases)
