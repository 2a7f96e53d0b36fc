"""Stored data becomes values again; only declared types are ever constructed."""

from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from re import fullmatch
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from pydantic import BaseModel, PydanticUndefinedAnnotation, TypeAdapter, ValidationError
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from cardwright.actors.addresses import is_address_dict, load_address
from cardwright.actors.errors import UnresolvableClassError
from cardwright.actors.placeholders import UnknownObject
from cardwright.actors.registry import resolve_type
from cardwright.actors.stored import (
    BYTES_KEY,
    ESCAPE_KEY,
    MODEL_KEY,
    TYPE_KEY,
    as_mapping,
    is_loading,
    stored_context,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["deserialize_object", "is_uuid_canonical", "load_value", "prefixed", "refusal"]

type Path = tuple[str | int, ...]

_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def deserialize_object(
    obj: object, context: object = None, *, canonical_uuid: bool = False
) -> object:
    """Restore what `serialize` dumped: models, dataclasses, classes, bytes and addresses.

    Unknown keys of models are dropped with a warning. What names an undeclared type becomes an
    `UnknownObject`, which dumps back unchanged.

    Args:
        obj: the stored data.
        context: a `DeserializeContext` or a `stored_context()`; decides what addresses become.
        canonical_uuid: turn a top-level text of 36 lower-case characters into a UUID.

    Raises:
        ValueError: data of a declared type does not fit it any more; names the type and the paths.
            Or the data is nested too deeply.
    """
    if canonical_uuid and isinstance(obj, str) and is_uuid_canonical(obj):
        return UUID(obj)
    try:
        return load_value(obj, context if is_loading(context) else stored_context())
    except RecursionError:
        msg = "The stored data is nested too deeply."
        raise ValueError(msg) from None


def is_uuid_canonical(text: str) -> bool:
    """Tell whether `text` is a UUID in its canonical lower-case form of 36 characters."""
    return fullmatch(_UUID, text) is not None


def load_value(value: object, context: object, path: Path = ()) -> object:
    """Restore one value; `path` is where it stands, for error messages.

    Validation errors of what is nested come out with that path in front.
    """
    if (data := as_mapping(value)) is not None:
        return _load_dict(data, context, path)
    if not isinstance(value, list | tuple | set | frozenset):
        return value
    items = enumerate(cast("Iterable[object]", value))
    make = cast("Callable[[Iterable[object]], object]", type(cast("object", value)))
    return make([load_value(item, context, (*path, at)) for at, item in items])


def _load_dict(data: dict[str, object], context: object, path: Path) -> object:
    if is_address_dict(data):
        return load_address(data, context)
    if isinstance(data.get(MODEL_KEY), str):
        return _load_marked(data, context, path)
    if len(data) == 1:
        ((key, value),) = data.items()
        if key == BYTES_KEY and isinstance(value, str):
            return _load_bytes(value)
        if key == TYPE_KEY and isinstance(value, str):
            return _load_class(value)
        if key == ESCAPE_KEY and (escaped := as_mapping(value)) is not None:
            return _load_items(escaped, context, path)
    return _load_items(data, context, path)


def _load_items(data: Mapping[str, object], context: object, path: Path) -> dict[str, object]:
    return {key: load_value(value, context, (*path, str(key))) for key, value in data.items()}


def _load_bytes(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (Base64Error, ValueError) as error:
        msg = "Stored bytes are not valid base64."
        raise ValueError(msg) from error


def _load_class(marker: str) -> object:
    try:
        return resolve_type(marker)
    except UnresolvableClassError:
        return UnknownObject({TYPE_KEY: marker})


def _load_marked(data: dict[str, object], context: object, path: Path) -> object:
    try:
        cls = resolve_type(cast("str", data[MODEL_KEY]))
    except UnresolvableClassError:
        return UnknownObject(data)
    try:
        return _construct(cls, data, context)
    except ValidationError as error:
        raise prefixed(error, path) from None
    except TypeError as error:
        # An abstract class, or a dataclass whose fields have changed.
        msg = f"Stored {cls.__qualname__} cannot be constructed any more."
        raise ValueError(msg) from error


def _construct(cls: type[object], data: dict[str, object], context: object) -> object:
    if issubclass(cls, BaseModel):
        return cls.model_validate(data, context=context)
    values = {
        key: load_value(item, context, (key,)) for key, item in data.items() if key != MODEL_KEY
    }
    if hasattr(cls, "__dataclass_fields__"):
        return _construct_dataclass(cast("type[DataclassInstance]", cls), values)
    # A declared class that is no data (an actor, say) is never called because a payload says so.
    msg = f"{cls.__qualname__} is declared, but no type of stored values."
    raise ValueError(msg)


def _construct_dataclass(cls: "type[DataclassInstance]", values: dict[str, object]) -> object:
    known = {field.name for field in fields(cls) if field.init}
    values = {key: value for key, value in values.items() if key in known}
    try:
        adapter = _adapter(cls)
    except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation, NameError):
        # Annotations that do not resolve, or types that pydantic does not know.
        return cls(**values)
    return adapter.validate_python(values)


_adapter = lru_cache(maxsize=512)(TypeAdapter[object])


def refusal(title: str, text: str) -> ValidationError:
    """Return a validation error with one message of ours."""
    problem = PydanticCustomError("stored_type", "{text}", {"text": text})
    detail = InitErrorDetails(type=problem, loc=(), input=None)
    return ValidationError.from_exception_data(title, [detail], hide_input=True)


def prefixed(error: ValidationError, path: Path) -> ValidationError:
    """Return the same errors with `path` in front of their places, and without rejected values."""
    details = [
        InitErrorDetails(
            type=PydanticCustomError(cast("Any", item["type"]), "{text}", {"text": item["msg"]}),
            loc=(*path, *item["loc"]),
            input=None,
        )
        for item in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return ValidationError.from_exception_data(error.title, details, hide_input=True)
