"""What docstrings say about properties, put into a schema that says nothing about them itself."""

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Final, cast

from .schema import JsonSchema

_BLOCK: Final = re.compile(r"^(?:Args|Arguments|Parameters|Params|Attributes):[ \t]*$")
_SECTION: Final = re.compile(r"^[A-Z][\w ]*:[ \t]*$")
_ENTRY: Final = re.compile(r"^\*{0,2}(\w+)[ \t]*(?:\([^)]*\))?:[ \t]*(.*)$")


def summary(documented: object) -> str | None:
    """The first line of a docstring; `None` without one, or for one a decorator made up."""
    text = _docstring(documented)
    return text.partition("\n")[0].strip() or None


def argument_docs(documented: object) -> dict[str, str]:
    """The Google-style `Args:` entries of a docstring by name; lines in another shape are skipped.

    Continuation lines are joined with a space. Blank lines do not end the block, the next
    section does.
    """
    found: dict[str, str] = {}
    name: str | None = None
    for line, indent in _block(_docstring(documented)):
        if indent and (entry := _ENTRY.match(line)):
            name = str(entry[1])
            found[name] = str(entry[2]).strip()
        elif name is not None and indent > 1:
            found[name] = f"{found[name]} {line}".strip()
        else:
            name = None
    return {name: text for name, text in found.items() if text}


def documented(
    schema: JsonSchema, source: object, structures: Iterable[type], *, described: bool
) -> JsonSchema:
    """`schema` with descriptions from the docstrings of what it was made from.

    Descriptions that a `Field` gave win. Of two types that share a name neither is documented, as
    the schema cannot tell which is which.

    Args:
        schema: With its references under `$defs`.
        source: The function or type it describes; `None` for what has no docstring of its own.
        structures: The types nested in it.
        described: Whether the whole is described by the summary of `source`.
    """
    found = schema if source is None else _with_docs(schema, source, described=described)
    definitions = cast("dict[str, JsonSchema]", found.get("$defs", {}))
    if not definitions:
        return found
    by_name = _unambiguous(structures)
    return {
        **found,
        "$defs": {
            name: _with_docs(each, by_name[name], described=True)
            if name in by_name
            else _summarised(each)
            for name, each in definitions.items()
        },
    }


def _summarised(schema: JsonSchema) -> JsonSchema:
    """`schema` with the first line of the docstring that pydantic made its description."""
    text = schema.get("description")
    return {**schema, "description": text.partition("\n")[0]} if isinstance(text, str) else schema


def _with_docs(schema: JsonSchema, source: object, *, described: bool) -> JsonSchema:
    found = {key: value for key, value in schema.items() if key != "description"}
    if described and (text := summary(source)):
        found["description"] = text
    properties = cast("dict[str, JsonSchema]", schema.get("properties", {}))
    docs = argument_docs(source)
    if properties and docs:
        found["properties"] = {
            name: _described(each, docs.get(name)) for name, each in properties.items()
        }
    return {key: found[key] for key in sorted(found)}


def _described(schema: JsonSchema, text: str | None) -> JsonSchema:
    if text is None or "description" in schema:
        return schema
    described = {**schema, "description": text}
    return {key: described[key] for key in sorted(described)}


def _unambiguous(structures: Iterable[type]) -> Mapping[str, type]:
    by_name: dict[str, list[type]] = {}
    for each in structures:
        by_name.setdefault(each.__name__, []).append(each)
    return {name: found[0] for name, found in by_name.items() if len(found) == 1}


def _docstring(documented: object) -> str:
    text = inspect.cleandoc(getattr(documented, "__doc__", None) or "")
    made_up = isinstance(documented, type) and text.startswith(f"{documented.__name__}(")
    return "" if made_up else text


def _block(text: str) -> Iterable[tuple[str, int]]:
    """The lines of the block of arguments, stripped, each with its depth: 1 for an entry."""
    inside, first = False, 0
    for line in text.splitlines():
        stripped = line.strip()
        if _BLOCK.match(line):
            inside, first = True, 0
        elif inside and stripped:
            indent = len(line) - len(line.lstrip())
            if not indent and _SECTION.match(line):
                inside = False
                continue
            first = first or indent
            yield stripped, 0 if not indent else 1 + (indent > first)
