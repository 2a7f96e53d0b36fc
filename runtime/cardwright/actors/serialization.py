"""Models that are stored: concrete types survive, unknown keys are refused or skipped."""

import logging
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import ClassVar, Self, cast, get_args, override

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    ModelWrapValidatorHandler,
    ValidationError,
    ValidationInfo,
    model_validator,
)
from pydantic.config import ExtraValues
from pydantic_core import CoreSchema, core_schema

from cardwright.actors.dumping import serialize, use_dumper
from cardwright.actors.errors import UnresolvableClassError
from cardwright.actors.handed_on import FOLLOWED, hand_on
from cardwright.actors.loading import (
    deserialize_object,
    is_uuid_canonical,
    load_value,
    refusal,
)
from cardwright.actors.model_dumps import dump_declared, dump_nested
from cardwright.actors.placeholders import UnknownObject
from cardwright.actors.registry import import_class, marker_of, register_type, resolve_type
from cardwright.actors.rejected import cleared, clearing, without_input
from cardwright.actors.snapshots import hydrate_addresses, snapshot_addresses
from cardwright.actors.stored import (
    MODEL_KEY,
    ActorAddressDict,
    DeserializeContext,
    is_loading,
    stored_context,
)

__all__ = [
    "ActorAddressDict",
    "DeserializeContext",
    "SerializableBaseModel",
    "UnresolvableClassError",
    "deserialize_object",
    "hydrate_addresses",
    "import_class",
    "is_loading",
    "is_uuid_canonical",
    "register_type",
    "resolve_type",
    "serialize",
    "snapshot_addresses",
    "stored_context",
]

logger = logging.getLogger(__name__)


class SerializableBaseModel(BaseModel):
    """Base of everything that is stored or sent: a dump names its concrete type and loads as it.

    In code, unknown keys are errors. When stored data is loaded (`deserialize_object`, or
    validation with `context=stored_context()`), they are skipped with one warning.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        arbitrary_types_allowed=True, extra="forbid", hide_input_in_errors=True
    )

    @classmethod
    def upgrade_stored(cls, data: dict[str, object]) -> dict[str, object]:
        """Return stored data in its present form; override for renamed and migrated fields.

        Called only while loading, on the raw data without its type marker.
        """
        return data

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: object) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        register_type(cls)

    @classmethod
    @override
    def model_validate(
        cls,
        obj: object,
        *,
        strict: bool | None = None,
        extra: ExtraValues | None = None,
        from_attributes: bool | None = None,
        context: object = None,
        by_alias: bool | None = None,
        by_name: bool | None = None,
    ) -> Self:
        """Validate `obj` as exactly this class.

        Raises:
            ValidationError: `obj` does not fit, or is the dump of another class, even of a
                subclass: `deserialize_object` loads whatever was dumped.
        """
        if isinstance(obj, dict) and not _is_own(cls, cast("dict[str, object]", obj)):
            raise _other_class(cls)
        return super().model_validate(
            obj,
            strict=strict,
            extra=extra,
            from_attributes=from_attributes,
            context=context,
            by_alias=by_alias,
            by_name=by_name,
        )

    @classmethod
    @override
    def model_validate_json(
        cls,
        json_data: str | bytes | bytearray,
        *,
        strict: bool | None = None,
        extra: ExtraValues | None = None,
        context: object = None,
        by_alias: bool | None = None,
        by_name: bool | None = None,
    ) -> Self:
        """Validate JSON as exactly this class; see `model_validate`."""
        try:
            found = super().model_validate_json(
                json_data,
                strict=strict,
                extra=extra,
                context=context,
                by_alias=by_alias,
                by_name=by_name,
            )
        except ValidationError as error:  # text that is no JSON is refused before the schema
            raise cleared(error) from None
        if type(found) is not cls:
            raise _other_class(cls)
        return found

    @model_validator(mode="wrap")
    @classmethod
    def _restore(
        cls, data: object, handler: ModelWrapValidatorHandler[Self], info: ValidationInfo
    ) -> Self:
        # First what happens most, and has to be quick: construction in code.
        loading = info.context is not None and is_loading(info.context)
        given, kind = data, type(data)
        if not isinstance(data, dict) or not (loading or MODEL_KEY in data):
            if kind in FOLLOWED:
                hand_on(given)
            return handler(data)
        stored = cast("dict[str, object]", data)
        if not _is_own(cls, stored):
            try:
                return _restore_subclass(cls, stored, info.context)
            except ValidationError:
                raise
            except ValueError as error:
                raise without_input(cls.__name__, error) from None
        stored = {key: value for key, value in stored.items() if key != MODEL_KEY}
        if loading:
            stored = _drop_unknown(cls, cls.upgrade_stored(stored))
        return handler({key: _load_field(cls, key, stored[key], info.context) for key in stored})

    @classmethod
    @override
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Dump through `dump_declared`, whatever pydantic model or adapter the value stands in."""
        schema = handler(source)
        model = cast("dict[str, object]", handler.resolve_ref_schema(schema))
        # The class is bound here: a field typed with it may hold an instance of a subclass.
        model["serialization"] = core_schema.wrap_serializer_function_ser_schema(
            partial(dump_declared, cls), info_arg=True
        )
        clearing(handler.resolve_ref_schema(schema))
        return schema


def _other_class(cls: type[BaseModel]) -> ValidationError:
    text = "this is stored data of another class: load it with `deserialize_object`"
    return refusal(cls.__name__, text)


def _is_own(cls: type[BaseModel], data: dict[str, object]) -> bool:
    """Tell whether `data` has no type marker or the one of `cls` (an old name included)."""
    marker = data.get(MODEL_KEY)
    if marker is None or marker == marker_of(cls):
        return True
    try:
        return marker_of(resolve_type(str(marker))) == marker_of(cls)
    except UnresolvableClassError:
        return False


def _restore_subclass[M: BaseModel](cls: type[M], data: dict[str, object], context: object) -> M:
    found = resolve_type(str(data[MODEL_KEY]))
    if not issubclass(found, cls):
        msg = f"stored data of {found.__qualname__} cannot stand where {cls.__name__} belongs"
        raise ValueError(msg)  # noqa: TRY004 - pydantic turns a ValueError into a ValidationError
    return found.model_validate(data, context=context)


def _drop_unknown(cls: type[BaseModel], data: dict[str, object]) -> dict[str, object]:
    if cls.model_config.get("extra") != "forbid":
        return data
    accepted = _accepted_keys(cls)
    unknown = sorted(key for key in data if key not in accepted)
    if not unknown:
        return data
    logger.warning("Stored %s has unknown keys, skipped: %s", marker_of(cls), ", ".join(unknown))
    return {key: value for key, value in data.items() if key in accepted}


@lru_cache(maxsize=4096)
def _accepted_keys(cls: type[BaseModel]) -> frozenset[str]:
    keys = set(cls.model_fields)
    for field in cls.model_fields.values():
        alias = field.validation_alias or field.alias
        choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
        keys.update(
            choice if isinstance(choice, str) else str(choice.path[0])
            for choice in choices
            if choice
        )
    return frozenset(keys)


def _load_field(cls: type[BaseModel], key: str, value: object, context: object) -> object:
    loaded = load_value(value, context, (key,))
    if loaded is value or _keeps_unknown(cls, key):
        return loaded
    return _without_unknown(loaded, key)


@lru_cache(maxsize=8192)
def _keeps_unknown(cls: type[BaseModel], key: str) -> bool:
    """Tell whether the field can hold a placeholder of an undeclared type."""
    field = cls.model_fields.get(key)
    return field is None or _mentions_anything(field.annotation)


def _mentions_anything(annotation: object) -> bool:
    if annotation is object or annotation is UnknownObject or repr(annotation) == "typing.Any":
        return True
    return any(_mentions_anything(part) for part in get_args(annotation))


def _without_unknown(value: object, place: str) -> object:
    """Drop placeholders from lists with a warning; anywhere else they are an error."""
    if isinstance(value, UnknownObject):
        raise UnresolvableClassError(value.marker)
    if isinstance(value, list):
        return list(_known_items(cast("list[object]", value), place))
    if isinstance(value, dict):
        items = cast("dict[str, object]", value).items()
        return {key: _without_unknown(item, f"{place}.{key}") for key, item in items}
    return value


def _known_items(items: list[object], place: str) -> Iterator[object]:
    for index, item in enumerate(items):
        if isinstance(item, UnknownObject):
            logger.warning("Dropped %s[%d]: type %r is not declared.", place, index, item.marker)
        else:
            yield _without_unknown(item, f"{place}[{index}]")


use_dumper(SerializableBaseModel, dump_nested)
