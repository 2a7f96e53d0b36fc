"""The types of a file: one section each, with its properties or values."""

import json
from collections.abc import Iterator

from cardwright_generator.emit.environment import cell
from cardwright_generator.emit.lookup import Lookup
from cardwright_generator.emit.readme import bounds, default_cell
from cardwright_generator.emit.types_module import python_name
from cardwright_generator.model.annotations import Types
from cardwright_generator.model.schema import is_object, optional, properties
from cardwright_generator.spec import LoadedCard, LoadedCommon
from cardwright_generator.spec.language import TypeSpec

from .links import place


def types_by_name(loaded: LoadedCard | LoadedCommon) -> dict[str, str]:
    """Every name that code has for a type -> the type."""
    types = loaded.spec.types
    return {python_name(name, spec): name for name, spec in types.items()} | {n: n for n in types}


def type_sections(
    loaded: LoadedCard | LoadedCommon, lookup: Lookup, owner: str, level: int = 3
) -> Iterator[str]:
    """Markdown lines of every type of a file, under headings of a level."""
    types = lookup.types(loaded.path)
    for name, spec in loaded.spec.types.items():
        yield f"({place(owner, 'type', name)})=\n{'#' * level} {name}\n"
        if emitted := {python_name(name, spec)} - {name}:
            yield f"({place(owner, 'type', emitted.pop())})=\n"
        if spec.description:
            yield f"{spec.description.strip()}\n"
        if spec.class_ is not None:
            yield f"Written by hand: `{spec.class_}`.\n"
        yield from _members(spec, types) if is_object(spec) else _value(spec, types)


def _members(spec: TypeSpec, types: Types) -> Iterator[str]:
    rows = properties(spec)
    if not rows:
        yield "Without properties.\n"
        return
    yield "| property | type | default | meaning |\n|---|---|---|---|"
    for name, schema in rows.items():
        default = (
            default_cell(types.default(schema)) if optional(schema, name, spec) else "required"
        )
        limits = bounds(schema)
        meaning = " ".join(filter(None, [schema.description, f"({limits})" if limits else ""]))
        shown = cell(f"`{types.bare(schema)}`")
        yield f"| `{name}` | {shown} | {cell(default)} | {cell(meaning)} |"
    yield ""


def _value(spec: TypeSpec, types: Types) -> Iterator[str]:
    if spec.enum is not None:
        values = ", ".join(f"`{json.dumps(one, ensure_ascii=False)}`" for one in spec.enum)
        yield f"One of {values}.\n"
        return
    limits = bounds(spec)
    yield f"A `{types.bare(spec)}`{f' ({limits})' if limits else ''}.\n"
