"""What stands in for stored data of a type that is not declared here."""

from collections.abc import Mapping
from copy import deepcopy

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from cardwright.actors.sameness import is_alike
from cardwright.actors.stored import MODEL_KEY, TYPE_KEY

__all__ = ["UnknownObject"]


class UnknownObject:
    """An inert value of an undeclared type: it keeps its payload and dumps it back unchanged."""

    __slots__ = ("__weakref__", "_payload")

    def __init__(self, payload: Mapping[str, object]) -> None:
        """Keep a copy of the stored payload."""
        self._payload = deepcopy(dict(payload))

    @property
    def marker(self) -> str:
        """The name of the undeclared type."""
        return str(self._payload.get(MODEL_KEY, self._payload.get(TYPE_KEY, "")))

    def serialize(self) -> dict[str, object]:
        """Return the payload as it was stored (a copy)."""
        return deepcopy(self._payload)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnknownObject) and is_alike(self._payload, other._payload)

    def __hash__(self) -> int:
        return hash(self.marker)

    def __repr__(self) -> str:
        return f"UnknownObject({self.marker!r})"

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Accept placeholders as they are and dump their payload."""
        return core_schema.is_instance_schema(
            cls, serialization=core_schema.plain_serializer_function_ser_schema(cls.serialize)
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Any object with a type marker."""
        return {"type": "object"}
