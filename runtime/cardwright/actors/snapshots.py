"""Live addresses in a value become inert, or the other way round; nothing else is copied."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

from pydantic import BaseModel

from cardwright.actors.addresses import ActorAddress, ActorAddressImpl, ActorAddressProxy
from cardwright.actors.shapes import ATOMS, has_no_address

__all__ = ["hydrate_addresses", "snapshot_addresses"]

type Change = Callable[[ActorAddress], ActorAddress]


def snapshot_addresses[T](value: T) -> T:
    """Return `value` with live addresses replaced by inert ones; `value` itself if it has none."""
    return cast("T", _changed(value, _inert))


def hydrate_addresses[T](value: T, resolver: Change) -> T:
    """Return `value` with inert addresses replaced by what `resolver` makes of them.

    The input is never touched; what the resolver raises comes out.
    """
    return cast("T", _changed(value, partial(_resolved, resolver)))


def _inert(address: ActorAddress) -> ActorAddress:
    return address.inert if isinstance(address, ActorAddressImpl) else address


def _resolved(resolver: Change, address: ActorAddress) -> ActorAddress:
    return resolver(address) if isinstance(address, ActorAddressProxy) else address


def _changed(value: object, change: Change) -> object:
    if isinstance(value, ActorAddress):
        return change(value)
    if isinstance(value, BaseModel):
        return _changed_model(value, change)
    if isinstance(value, dict):
        return _changed_dict(cast("dict[object, object]", value), change)
    if isinstance(value, list | tuple | set | frozenset):
        return _changed_items(cast("list[object]", value), change)
    return value


def _has_none(items: Iterable[object]) -> bool:
    """Tell quickly, by the kinds of the items, whether none of them can hold an address."""
    return all(map(has_no_address, set(map(type, items))))


def _changed_model(model: BaseModel, change: Change) -> BaseModel:
    updates: dict[str, object] = {}
    for name, value in model.__dict__.items():
        # Most fields are texts, numbers and identifiers: skip them quickly.
        if type(value) not in ATOMS and isinstance(
            value, ActorAddress | BaseModel | dict | list | tuple | set | frozenset
        ):
            changed = _changed(cast("object", value), change)
            if changed is not value:
                updates[name] = changed
    return model.model_copy(update=updates) if updates else model


def _changed_dict(items: dict[object, object], change: Change) -> dict[object, object]:
    if _has_none(items.values()):
        return items
    changed = {key: _changed(value, change) for key, value in items.items()}
    same = all(changed[key] is value for key, value in items.items())
    return items if same else changed


def _changed_items(items: list[object], change: Change) -> object:
    if _has_none(items):
        return items
    changed = [_changed(item, change) for item in items]
    if all(new is old for new, old in zip(changed, items, strict=True)):
        return items
    # Keeps the kind of container; a named tuple is made from its items.
    make = getattr(type(items), "_make", type(items))
    return make(changed)
