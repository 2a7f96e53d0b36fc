"""What is lost between a schema and its form for a provider, node by node."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

from .wire import Json

type Pointer = tuple[str | int, ...]

_UNUSED: Final = frozenset({"$schema", "discriminator", "examples", "readOnly", "title"})
"""Keywords that say nothing about which arguments are right."""
_ELSEWHERE: Final = frozenset(
    {"$defs", "$ref", "additionalProperties", "default", "description", "properties", "required"}
)
"""Keywords that are looked at one by one."""
_PARTS: Final = ("properties", "$defs")
_LISTS: Final = ("anyOf", "oneOf", "allOf", "prefixItems")


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that the form cannot say.

    A `fatal` one keeps a model from sending what the tool takes; after any other the tool still
    checks what the form no longer says.
    """

    pointer: Pointer
    """Where it is lost, in the schema as it was."""
    message: str
    hint: str
    fatal: bool = False


def losses_of(before: Json, after: Json) -> Iterator[Loss]:
    """Compare a schema with its form; rewritings that mean the same are no loss."""
    yield from _node(before, after, ())


def _node(before: Json, after: Json, at: Pointer) -> Iterator[Loss]:
    yield from _keywords(before, after, at)
    yield from _required(before, after, at)
    yield from _map(before, after, at)
    for key in _PARTS:
        inner = cast("dict[str, object]", after.get(key, {}))
        for name, schema in cast("dict[str, object]", before.get(key, {})).items():
            yield from _inside(schema, inner.get(name), (*at, key, name))
    yield from _inside(before.get("items"), after.get("items"), (*at, "items"))
    for key in _LISTS:
        yield from _members(before, after, key, at)


def _inside(before: object, after: object, at: Pointer) -> Iterator[Loss]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _node(cast("Json", before), cast("Json", after), at)


def _members(before: Json, after: Json, key: str, at: Pointer) -> Iterator[Loss]:
    members = cast("list[object]", before.get(key, []))
    others = cast("list[object]", after.get(key, after.get("anyOf", [])))
    if len(members) == len(others):
        for index, (member, other) in enumerate(zip(members, others, strict=True)):
            yield from _inside(member, other, (*at, key, index))


def _keywords(before: Json, after: Json, at: Pointer) -> Iterator[Loss]:
    for key, value in before.items():
        if key in _UNUSED or key in _ELSEWHERE or (key in after and after[key] == value):
            continue
        if key in {*_LISTS, "items", "type"} or _said_otherwise(key, value, after):
            continue
        if _in_words(key, value, after):
            message = f"`{key}: {_short(value)}` is told in words only"
        else:
            message = f"`{key}: {_short(value)}` is not told"
        yield Loss(
            (*at, key), message, "say it in the description; the tool checks it all the same"
        )


def _said_otherwise(key: str, value: object, after: Json) -> bool:
    return key == "const" and after.get("enum") == [value]


def _in_words(key: str, value: object, after: Json) -> bool:
    text = str(after.get("description", ""))
    return f"{key}={value}" in text or (key == "format" and str(value) in text)


def _required(before: Json, after: Json, at: Pointer) -> Iterator[Loss]:
    """Optional properties that must be given; null for one that is null anyway is no loss."""
    asked = {*cast("list[str]", after.get("required", []))}
    asked -= {*cast("list[str]", before.get("required", []))}
    for name, schema in cast("dict[str, Json]", before.get("properties", {})).items():
        inner = cast("dict[str, Json]", after.get("properties", {})).get(name, {})
        untold = "default" in schema and "default" not in inner and schema["default"] is not None
        if untold:
            told = f"the default {_short(schema['default'])} is not told"
            told += ", and the argument must always be given" if name in asked else ""
        elif name in asked and schema.get("default", ...) is not None:
            told = "the argument must always be given"
        else:
            continue
        hint = "let it be null by default, or name the usual value in its description"
        yield Loss((*at, "properties", name), told, hint)


def _map(before: Json, after: Json, at: Pointer) -> Iterator[Loss]:
    values = before.get("additionalProperties", False)
    if values is False:
        return
    if after.get("additionalProperties") is False:
        hint = "use a list of objects with a field for the key"
        message = "a map cannot be sent: the model may only give `{}`"
        yield Loss((*at, "additionalProperties"), message, hint, fatal=True)
    else:
        yield from _inside(values, after.get("additionalProperties"), (*at, "additionalProperties"))


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:39]}…"  # noqa: PLR2004 - columns of a message
