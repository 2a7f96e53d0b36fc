"""The JSON Schema of the language, for editors that complete and explain keys while one types."""

from typing import Any, cast

from pydantic.json_schema import models_json_schema

from cardwright_generator.spec.language import CardSpec, CommonSpec

type JsonSchema = dict[str, Any]

_PLAIN = frozenset({"const", "default", "enum", "examples"})
"""Words whose values are data, not schemas."""
_NULLABLE = frozenset({"const", "default", "returns"})
"""Keys for which null is a value; elsewhere it only says that the key may be left out."""
_SHARED_TYPES: JsonSchema = {
    "required": ["types"],
    "properties": {"types": True},
    "additionalProperties": False,
}


def editor_schema() -> JsonSchema:
    """Return the schema of a spec file: of shared types if it holds nothing else, else of a card.

    Every key carries a description and examples; what needs the whole file is left to the checks.
    """
    _, schema = models_json_schema(
        [(CardSpec, "validation"), (CommonSpec, "validation")], by_alias=True
    )
    definitions = cast("JsonSchema", _tidy(schema["$defs"]))
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Cardwright spec",
        "description": "The contract of one tool card, or types that cards share.",
        "type": "object",
        "if": _SHARED_TYPES,
        "then": {"$ref": "#/$defs/CommonSpec"},
        "else": {"$ref": "#/$defs/CardSpec"},
        "$defs": definitions,
    }


def _tidy(node: object) -> object:
    """Leave out generated titles, and null where it only says that a key may be left out."""
    if isinstance(node, list):
        return [_tidy(item) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    tidy: JsonSchema = {}
    for key, value in cast("JsonSchema", node).items():
        if key == "properties":
            tidy[key] = {name: _key(name, one) for name, one in value.items()}
        elif key in _PLAIN:
            tidy[key] = value
        elif key != "title":
            tidy[key] = _tidy(value)
    return tidy


def _key(name: str, schema: JsonSchema) -> JsonSchema:
    tidy = cast("JsonSchema", _tidy(schema))
    alternatives = cast("list[JsonSchema]", tidy.pop("anyOf", []))
    if name not in _NULLABLE:
        alternatives = [one for one in alternatives if one != {"type": "null"}]
    if tidy.get("default", "") is None:
        del tidy["default"]
    if len(alternatives) == 1:
        tidy |= alternatives[0]
    elif alternatives:
        tidy["anyOf"] = alternatives
    # Editors that know draft 7 only read nothing beside a `$ref`.
    target = tidy.pop("$ref", None)
    return tidy if target is None else {**tidy, "allOf": [{"$ref": target}]}
