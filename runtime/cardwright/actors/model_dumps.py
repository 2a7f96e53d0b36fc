"""How our models become JSON-ready data: field by field, each value as what it really is."""

from functools import lru_cache
from typing import Any, TypeAliasType, cast, get_args

from pydantic import BaseModel, SerializationInfo, SerializerFunctionWrapHandler
from pydantic.functional_serializers import PlainSerializer, WrapSerializer
from pydantic_core import PydanticSerializationUnexpectedValue

from cardwright.actors.dumping import finish, serialize
from cardwright.actors.registry import marker_of
from cardwright.actors.shapes import stored_fields
from cardwright.actors.stored import MODEL_KEY

__all__ = ["dump_declared", "dump_nested", "has_own_serializers"]

# What pydantic takes as `include` and `exclude`, whose own type it keeps to itself.
type _Choice = Any


def dump_declared(
    declared: type[BaseModel],
    value: object,
    default: SerializerFunctionWrapHandler,
    info: SerializationInfo,
) -> object:
    """Serialize `value`, which stands where `declared` was announced."""
    if not isinstance(value, declared):
        msg = f"Expected a {declared.__name__}"
        raise PydanticSerializationUnexpectedValue(msg)
    plain = not (
        info.include is not None
        or info.exclude is not None
        or info.exclude_none
        or info.exclude_unset
        or info.exclude_defaults
        or info.by_alias
    )
    if plain and not _own_serializers(type(value)):
        return dump_fields(value)
    if type(value) is not declared or info.mode != "python":
        return type(value).__pydantic_serializer__.to_python(
            value,
            mode="python",
            include=cast("_Choice", info.include),
            exclude=cast("_Choice", info.exclude),
            by_alias=info.by_alias,
            exclude_unset=info.exclude_unset,
            exclude_defaults=info.exclude_defaults,
            exclude_none=info.exclude_none,
            round_trip=info.round_trip,
            context=info.context,
        )
    chosen = cast("dict[str, object]", default(value))
    return _dump_chosen(value, chosen, as_is=not plain)


def dump_fields(value: BaseModel) -> dict[str, object]:
    """Dump the fields of a model that has no serializers of its own, its type last."""
    cls = type(value)
    attributes = value.__dict__
    dumped = {
        name: serialize(attributes[name]) for name in stored_fields(cls) if name in attributes
    }
    for name, extra in (value.__pydantic_extra__ or {}).items():
        dumped[name] = serialize(extra)
    dumped[MODEL_KEY] = marker_of(cls)
    return dumped


def _dump_chosen(value: BaseModel, chosen: dict[str, object], *, as_is: bool) -> dict[str, object]:
    """Dump what pydantic chose: fields with a serializer of their own as it made them."""
    own = _own_serializers(type(value))
    attributes = value.__dict__
    dumped = {
        key: finish(item)
        if as_is or key in own or key not in attributes
        else serialize(attributes[key])
        for key, item in chosen.items()
    }
    return {**dumped, MODEL_KEY: marker_of(type(value))}


@lru_cache(maxsize=4096)
def _own_serializers(cls: type[BaseModel]) -> frozenset[str]:
    """Return the fields (and computed fields) that bring their own serializer."""
    names = set(cls.model_computed_fields)
    for decorator in cls.__pydantic_decorators__.field_serializers.values():
        chosen = decorator.info.fields
        names.update(cls.model_fields if "*" in chosen else chosen)
    for name, field in cls.model_fields.items():
        if _has_serializer(field.metadata) or _has_serializer([field.annotation]):
            names.add(name)
    return frozenset(names)


def _has_serializer(parts: list[object]) -> bool:
    return any(
        isinstance(part, PlainSerializer | WrapSerializer)
        or _has_serializer([*get_args(part), *getattr(part, "__metadata__", ())])
        or (isinstance(part, TypeAliasType) and _has_serializer([part.__value__]))
        for part in parts
    )


def has_own_serializers(cls: type[BaseModel]) -> bool:
    """Tell whether the class says itself how it is stored, or some field of it."""
    return bool(_own_serializers(cls))


def dump_nested(value: object) -> object:
    """Dump one of our models wherever it stands, as what it really is."""
    model = cast("BaseModel", value)
    if _own_serializers(type(model)):
        return type(model).__pydantic_serializer__.to_python(model, mode="python")
    return dump_fields(model)
