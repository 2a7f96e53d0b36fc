"""JSON Schema as a model is sent it: normalised, so that equal types give equal bytes."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from .payload import without_markers

type JsonSchema = dict[str, object]

_MAPS_OF_SCHEMAS: Final = frozenset(
    {"properties", "$defs", "patternProperties", "dependentSchemas"}
)
_LITERAL: Final = frozenset({"default", "const", "enum", "examples"})
"""Keywords that hold values, in which `title` is no keyword."""


def normalised(schema: Mapping[str, object]) -> JsonSchema:
    """`schema` without titles, its keys and lists of required names sorted, at every level."""
    return {key: _value(key, schema[key]) for key in sorted(schema) if key != "title"}


def schema_hash(schema: Mapping[str, object]) -> str:
    """`sha256:` and the digest of a schema: equal for equal schemas, whatever the order of keys."""
    return digest_of(schema)


def digest_of(value: object) -> str:
    """`sha256:` and the digest of a JSON value in its compact form with sorted keys."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def subschemas(schema: JsonSchema, path: str = "") -> Iterator[tuple[str, JsonSchema]]:
    """The schema and every schema inside it, each with its path; `true` and `false` are none."""
    inside: list[tuple[str, JsonSchema]] = []

    def keep(node: JsonSchema, at: str) -> JsonSchema:
        inside.append((at, node))
        return node

    rebuilt(schema, path, keep)
    yield path or "#", schema
    for at, node in inside:
        yield from subschemas(node, at)


def rebuilt(
    schema: JsonSchema, path: str, change: Callable[[JsonSchema, str], object]
) -> JsonSchema:
    """`schema` with each schema directly inside it replaced by `change(inner, its path)`."""
    found: JsonSchema = {}
    for key, value in schema.items():
        at = f"{path}/{key}" if path else key
        if key in _LITERAL:
            found[key] = value
        elif key in _MAPS_OF_SCHEMAS:
            schemas = cast("dict[str, object]", value)
            found[key] = {
                name: _changed(each, f"{at}/{name}", change) for name, each in schemas.items()
            }
        else:
            found[key] = _changed(value, at, change)
    return found


def _changed(value: object, path: str, change: Callable[[JsonSchema, str], object]) -> object:
    match value:
        case dict():
            return change(cast("JsonSchema", value), path)
        case list():
            items = cast("list[object]", value)
            return [_changed(each, f"{path}/{index}", change) for index, each in enumerate(items)]
        case _:
            return value


def _value(key: str, value: object) -> object:
    if key in _LITERAL:
        return without_markers(value)
    if key == "required":
        return sorted(cast("list[str]", value))
    if key in _MAPS_OF_SCHEMAS:
        schemas = cast("dict[str, object]", value)
        return {name: _nested(schemas[name]) for name in sorted(schemas)}
    return _nested(value)


def _nested(value: object) -> object:
    match value:
        case dict():
            return normalised(cast("dict[str, object]", value))
        case list():
            return [_nested(item) for item in cast("list[object]", value)]
        case _:
            return value
