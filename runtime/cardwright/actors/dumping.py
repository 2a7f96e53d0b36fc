"""Values become JSON-ready data that remembers concrete types."""

import json
import logging
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import fields
from datetime import datetime
from typing import Final, cast
from uuid import UUID
from weakref import WeakKeyDictionary

from pydantic import BaseModel, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import PydanticSerializationError, to_jsonable_python

from cardwright.actors.addresses import ActorAddress
from cardwright.actors.placeholders import UnknownObject
from cardwright.actors.registry import is_declared, marker_of, register_type
from cardwright.actors.stored import BYTES_KEY, ESCAPE_KEY, MODEL_KEY, RESERVED_KEYS, TYPE_KEY

__all__ = ["finish", "serialize", "use_dumper"]

logger = logging.getLogger(__name__)

_PLAIN: Final = frozenset({str, int, float, bool, type(None)})


def serialize(value: object) -> object:
    """Return JSON-ready data from which `deserialize_object` restores `value`.

    Models and dataclasses end with their type under `__model__`; classes, bytes and addresses have
    a form of their own; sets are sorted, so that equal values give equal data; a dictionary of the
    user that holds one of these keys is wrapped, so that it is never mistaken.

    Raises:
        PydanticSerializationError: the value holds something that has no JSON form.
    """
    if type(value) in _PLAIN:
        return value
    return _dumper(type(value))(value)


def _dumper(cls: type) -> Callable[[object], object]:
    if (found := _dumpers.get(cls)) is None:
        bases = (dump for base, dump in _by_base if issubclass(cls, base))
        found = _dumpers[cls] = next(bases, None) or _dump_other(cls)
    return found


def _dump_other(cls: type[object]) -> Callable[[object], object]:
    if hasattr(cls, "__dataclass_fields__"):
        return _dump_dataclass
    return _dump_adapted if hasattr(cls, "__get_pydantic_core_schema__") else _dump_inferred


def _dump_inferred(value: object) -> object:
    try:
        return to_jsonable_python(value)
    except PydanticSerializationError:
        # Some types have a JSON form only where they are declared.
        try:
            return _dump_adapted(value)
        except PydanticSchemaGenerationError:
            pass
        raise


def _dump_adapted(value: object) -> object:
    return _adapter(type(value)).dump_python(value, mode="json")


def _adapter(cls: type) -> TypeAdapter[object]:
    if (found := _adapters.get(cls)) is None:
        found = _adapters[cls] = TypeAdapter(cls)
    return found


def finish(dumped: object) -> object:
    """Make what pydantic dumped JSON-ready: dictionaries in it may be dumps already."""
    if isinstance(dumped, dict):
        items = cast("dict[object, object]", dumped)
        return {key: finish(item) for key, item in items.items()}
    if isinstance(dumped, list | tuple):
        return [finish(item) for item in cast("Iterable[object]", dumped)]
    return serialize(dumped)


def use_dumper(base: type, dump: Callable[[object], object]) -> None:
    """Dump instances of `base` with `dump`; asked before all others."""
    _by_base.insert(0, (base, dump))


def _dump_model(value: object) -> object:
    # Plain pydantic models carry no marker. Ours do, through their own serializer.
    return cast("BaseModel", value).model_dump(mode="json")


def _dump_dataclass(value: object) -> dict[str, object]:
    cls = type(value)
    _declare(cls)
    dumped = {
        field.name: serialize(getattr(value, field.name)) for field in fields(cast("type", cls))
    }
    return {**dumped, MODEL_KEY: marker_of(cls)}


def _dump_class(value: object) -> dict[str, str]:
    cls = cast("type", value)
    _declare(cls)
    return {TYPE_KEY: marker_of(cls)}


def _dump_dict(value: object) -> dict[object, object]:
    items = cast("dict[object, object]", value)
    dumped = {key: serialize(item) for key, item in items.items()}
    return {ESCAPE_KEY: dumped} if not RESERVED_KEYS.isdisjoint(dumped) else dumped


def _dump_sequence(value: object) -> list[object]:
    return [serialize(item) for item in cast("Iterable[object]", value)]


def _dump_set(value: object) -> list[object]:
    return sorted(_dump_sequence(value), key=_sort_key)


def _sort_key(dumped: object) -> str:
    # Numbers sort by value, everything else by its JSON text.
    if isinstance(dumped, int) and not isinstance(dumped, bool) and dumped >= 0:
        return f"{dumped:020d}"
    return json.dumps(dumped, sort_keys=True)


def _dump_bytes(value: object) -> dict[str, str]:
    return {BYTES_KEY: b64encode(cast("bytes", value)).decode("ascii")}


def _declare(cls: type) -> None:
    """Let this process load what it stores; another one needs the type to be declared."""
    if is_declared(cls):
        return
    register_type(cls)
    logger.warning(
        "%s is stored but not declared: another process will load it as an inert placeholder. "
        "Decorate it with `register_type` or list it under `stored` in a spec.",
        marker_of(cls),
    )


_by_base: Final[list[tuple[type, Callable[[object], object]]]] = [
    (type, _dump_class),
    (ActorAddress, lambda value: dict(cast("ActorAddress", value).serialize())),
    (UnknownObject, lambda value: cast("UnknownObject", value).serialize()),
    (BaseModel, _dump_model),
    (dict, _dump_dict),
    (list, _dump_sequence),
    (tuple, _dump_sequence),
    (set, _dump_set),
    (frozenset, _dump_set),
    (bytes, _dump_bytes),
    (UUID, str),
    (datetime, lambda value: cast("datetime", value).isoformat()),
]
_adapters: Final[WeakKeyDictionary[type, TypeAdapter[object]]] = WeakKeyDictionary()
_dumpers: Final[WeakKeyDictionary[type, Callable[[object], object]]] = WeakKeyDictionary()
