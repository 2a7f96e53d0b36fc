"""Types of the dialect as plain JSON Schema 2020-12."""

from collections.abc import Callable

from cardwright_generator.model.schema import CONSTRAINTS, has_const, is_object, properties
from cardwright_generator.spec.language import DefaultedSchema, Schema

type Json = dict[str, object]
type Pointers = Callable[[str], str]

CONSTRAINT_WORDS = {
    "format": "format",
    "minimum": "minimum",
    "maximum": "maximum",
    "exclusive_minimum": "exclusiveMinimum",
    "exclusive_maximum": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "min_items": "minItems",
    "max_items": "maxItems",
}
"""Attribute of the dialect to word of JSON Schema, for words that are copied as they are."""
_COPIED = {"description": "description", **CONSTRAINT_WORDS}


def json_schema(schema: Schema, pointers: Pointers) -> Json:
    """The JSON Schema of a dialect schema; words of ours (`unique_by`, ...) have no counterpart."""
    found: Json = {} if schema.type is None else {"type": schema.type}
    found |= {
        word: value
        for name, word in _COPIED.items()
        if (value := getattr(schema, name)) is not None
    }
    if schema.ref is not None:
        found["$ref"] = pointers(schema.ref)
    if schema.enum is not None:
        found["enum"] = list(schema.enum)
    if has_const(schema):
        found["const"] = schema.const
    if schema.any_of is not None:
        found["anyOf"] = [json_schema(branch, pointers) for branch in schema.any_of]
    if schema.items is not None:
        found["items"] = json_schema(schema.items, pointers)
    if isinstance(schema.additional_properties, Schema):
        found["additionalProperties"] = json_schema(schema.additional_properties, pointers)
    if is_object(schema):
        found |= _object(schema, pointers)
    if isinstance(schema, DefaultedSchema) and schema.has_default:
        found["default"] = schema.default
    return found


def _object(schema: Schema, pointers: Pointers) -> Json:
    members = {name: json_schema(member, pointers) for name, member in properties(schema).items()}
    required = [name for name in members if name in (schema.required or [])]
    return {"properties": members, **({"required": required} if required else {})}


def outline[S: Schema](schema: S) -> S:
    """`schema` without the constraints of its parts, which would become aliases of their own."""
    changed: dict[str, object] = {}
    if schema.any_of is not None:
        changed["any_of"] = [_loose(part) for part in schema.any_of]
    if schema.items is not None:
        changed["items"] = _loose(schema.items)
    if isinstance(schema.additional_properties, Schema):
        changed["additional_properties"] = _loose(schema.additional_properties)
    if schema.properties is not None:
        changed["properties"] = {
            name: outline(member) for name, member in schema.properties.items()
        }
    return schema.model_copy(update=changed) if changed else schema


def _loose(schema: Schema) -> Schema:
    return outline(schema.model_copy(update=dict.fromkeys(CONSTRAINTS)))
