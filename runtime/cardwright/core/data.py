"""Bases and annotations of generated types."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, Self, override

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    JsonValue,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from cardwright.actors import SerializableBaseModel
from cardwright.actors.rejected import clearing

from .stored import StoredForm, adapt_stored

type JsonObject = dict[str, JsonValue]


def now() -> datetime:
    """This moment, timezone-aware, in UTC."""
    return datetime.now(UTC)


class Data(StoredForm, SerializableBaseModel):
    """Base of generated types: unknown keys refused, concrete type kept in storage."""


class PlainData(BaseModel):
    """Base of generated types with `base: plain`: no type marker in their dumps."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    renamed_fields: ClassVar[Mapping[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _adapt(cls, data: object, info: ValidationInfo) -> object:
        return adapt_stored(cls, data, info)

    @classmethod
    @override
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        clearing(handler.resolve_ref_schema(schema))
        return schema

    @classmethod
    def load(cls, payload: object) -> Self:
        """Validate stored data: renames applied, unknown keys dropped with one warning."""
        from cardwright.actors import stored_context

        return cls.model_validate(payload, context=stored_context())


@dataclass(frozen=True, slots=True)
class Truncate:
    """Cuts a longer string to `limit` characters, the last three of them `...`."""

    limit: int

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Cut before the wrapped schema validates."""
        return core_schema.no_info_before_validator_function(self.cut, handler(source))

    def cut(self, value: object) -> object:
        """`value`, cut when it is a string that is too long."""
        if isinstance(value, str) and len(value) > self.limit:
            return value[: self.limit - 3] + "..."
        return value


@dataclass(frozen=True, slots=True)
class UniqueBy:
    """Refuses a list in which two items agree on `key`, naming the repeated value."""

    key: str

    def __get_pydantic_core_schema__(
        self, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Check after the wrapped schema validated."""
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def check[T: Iterable[object]](self, items: T) -> T:
        """`items`, if all differ in `key`."""
        seen: set[object] = set()
        for item in items:
            value: object = getattr(item, self.key)
            if value in seen:
                raise PydanticCustomError(
                    "not_unique",
                    "two items have the {key} {value}",
                    {"key": self.key, "value": repr(value)},
                )
            seen.add(value)
        return items
