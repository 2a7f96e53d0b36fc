"""JSON Schema as a model is sent it: normalised, so that equal types give equal bytes."""

from collections.abc import Mapping
from typing import Final, cast

from pydantic import BaseModel

from .payload import without_markers

type JsonSchema = dict[str, object]

_MAPS_OF_SCHEMAS: Final = frozenset(
    {"properties", "$defs", "patternProperties", "dependentSchemas"}
)
_LITERAL: Final = frozenset({"default", "const", "enum", "examples"})
"""Keywords that hold values, in which `title` is no keyword."""


def parameters_schema(model: type[BaseModel]) -> JsonSchema:
    """The schema of an arguments model: Draft 2020-12, no titles, keys and `required` sorted.

    Types that occur by reference stay under `$defs`. The description of the whole is left out: it
    is sent beside the schema.
    """
    schema = normalised(model.model_json_schema())
    schema.pop("description", None)
    schema.setdefault("properties", {})
    return schema


def normalised(schema: Mapping[str, object]) -> JsonSchema:
    """`schema` without titles, its keys and lists of required names sorted, at every level."""
    return {key: _value(key, schema[key]) for key in sorted(schema) if key != "title"}


def _value(key: str, value: object) -> object:
    if key in _LITERAL:
        return without_markers(value)
    if key == "required":
        return sorted(cast("list[str]", value))
    if key in _MAPS_OF_SCHEMAS:
        schemas = cast("dict[str, Mapping[str, object]]", value)
        return {name: normalised(schemas[name]) for name in sorted(schemas)}
    return _nested(value)


def _nested(value: object) -> object:
    match value:
        case dict():
            return normalised(cast("dict[str, object]", value))
        case list():
            return [_nested(item) for item in cast("list[object]", value)]
        case _:
            return value
