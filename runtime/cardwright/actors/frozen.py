"""Copies for the record: what is told of a moment stays as it was in that moment."""

from __future__ import annotations

import logging
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Final, cast

from cardwright.actors.addresses import (
    ActorAddressImpl,
    ActorAddressProxy,
    ActorAddressStopped,
)
from cardwright.actors.shadows import MISSING, is_atomic, renewed
from cardwright.actors.shapes import ATOMS

__all__ = ["FIXED", "frozen"]

logger = logging.getLogger(__name__)

# Types of values that are their own copies; the others are looked at one by one.
FIXED: Final = ATOMS | {ActorAddressImpl, ActorAddressProxy, ActorAddressStopped}


def frozen[T](value: T) -> T:
    """Return a copy that later changes of `value` never reach; `value` itself if it has none."""
    return cast("T", value if is_fixed(value) else _copied(value))


def is_fixed(value: object) -> bool:
    """Tell whether a value cannot change."""
    kind = cast("type", type(value))
    if kind in FIXED or is_atomic(kind):
        return True
    if isinstance(value, tuple | frozenset):
        return all(map(is_fixed, cast("tuple[object, ...]", value)))
    names = _frozen_fields(kind)
    return names is not None and all(is_fixed(getattr(value, name)) for name in names)


@lru_cache(maxsize=4096)
def _frozen_fields(kind: type) -> tuple[str, ...] | None:
    """Return the fields of a frozen dataclass; None for any other class."""
    if not is_dataclass(kind) or not cast("Any", kind).__dataclass_params__.frozen:
        return None
    return tuple(field.name for field in fields(kind))


def _copied(value: object) -> object:
    try:
        return deepcopy(value) if is_dataclass(value) else renewed(value, MISSING)
    except Exception:  # noqa: BLE001 - whatever a foreign type raises: it may still be recorded
        logger.debug("%s has no copy: it is recorded as it is.", type(value).__name__)
        return value
