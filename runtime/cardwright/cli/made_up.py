"""Values that fit a JSON schema and read like examples."""

import re
from typing import Any, cast

type Json = dict[str, Any]

_FORMATS = {
    "date-time": "2026-01-0{turn}T09:00:00Z",
    "date": "2026-01-0{turn}",
    "time": "09:0{turn}:00",
    "uuid": "00000000-0000-4000-8000-00000000000{turn}",
}
_DEEPEST = 6


def made_up(schema: Json, property_name: str = "", *, turn: int = 1) -> Any:  # noqa: ANN401 - a JSON value
    """A value of a schema, or of one of its properties; `turn` 2 differs from 1 where it can."""
    node = cast("Json", schema["properties"][property_name]) if property_name else schema
    return _value(node, property_name or "value", schema.get("$defs", {}), turn, 0)


def _value(node: Json, name: str, defs: Json, turn: int, depth: int) -> Any:  # noqa: ANN401 - JSON
    if "$ref" in node:
        return _value(defs[node["$ref"].rpartition("/")[2]], name, defs, turn, depth)
    if "const" in node:
        return node["const"]
    if "enum" in node:
        values = cast("list[object]", node["enum"])
        return values[(turn - 1) % len(values)]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in node:
            return _value(_likeliest(node[key]), name, defs, turn, depth)
    return _plain(node, name, defs, turn, depth)


def _likeliest(options: list[Json]) -> Json:
    return next((one for one in options if one.get("type") != "null"), options[0])


def _plain(node: Json, name: str, defs: Json, turn: int, depth: int) -> Any:  # noqa: ANN401 - JSON
    match node.get("type"):
        case "object":
            return _object(node, defs, turn, depth)
        case "array":
            return _array(node, name, defs, turn, depth)
        case "integer" | "number":
            return _number(node, turn)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return _text(node, name, turn)


def _object(node: Json, defs: Json, turn: int, depth: int) -> Json:
    found: Json = {}
    required = {*cast("list[str]", node.get("required", []))}
    for key, inner in cast("dict[str, Json]", node.get("properties", {})).items():
        if key in required or depth < _DEEPEST:
            found[key] = _value(inner, key, defs, turn, depth + 1)
    more = node.get("additionalProperties")
    if isinstance(more, dict) and not found:
        found["example"] = _value(cast("Json", more), "example", defs, turn, depth + 1)
    return found


def _array(node: Json, name: str, defs: Json, turn: int, depth: int) -> list[Any]:
    if depth >= _DEEPEST or "items" not in node:
        return []
    count = max(int(node.get("minItems", 1)), 1)
    single = name.removesuffix("s") or name
    return [_value(node["items"], single, defs, turn + i, depth + 1) for i in range(count)]


def _number(node: Json, turn: int) -> float:
    above = cast("float | None", node.get("exclusiveMinimum"))
    least = cast("float | None", node.get("minimum"))
    found: float = turn if above is None else above + turn
    found = found if least is None else max(found, least)
    step = cast("float | None", node.get("multipleOf"))
    found = found if step is None else (found // step) * step
    most = cast("float | None", node.get("maximum"))
    return found if most is None else min(found, most)


def _text(node: Json, name: str, turn: int) -> str:
    if node.get("format") in _FORMATS:
        return _FORMATS[node["format"]].replace("{turn}", str(turn))
    if "pattern" in node:
        from cardwright_generator.emit.strings import example_of

        return example_of(node["pattern"], int(node.get("minLength", 1)))
    words = re.sub(r"_+", " ", name).strip() or "text"
    text = words if turn == 1 else f"{words} {turn}"
    return text[: int(node.get("maxLength", len(text)))].ljust(int(node.get("minLength", 0)), "x")
