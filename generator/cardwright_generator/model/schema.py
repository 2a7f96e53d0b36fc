"""What a schema of the dialect says, in the few forms the generator tells apart."""

from collections.abc import Iterator

from cardwright_generator.spec.language import PropertySpec, Schema

CONSTRAINTS = {
    "minimum": "ge",
    "maximum": "le",
    "exclusive_minimum": "gt",
    "exclusive_maximum": "lt",
    "multiple_of": "multiple_of",
    "min_length": "min_length",
    "max_length": "max_length",
    "pattern": "pattern",
    "min_items": "min_length",
    "max_items": "max_length",
}
"""Attribute of the dialect to keyword of pydantic's `Field`."""


_OF_KIND = {
    "integer": ("minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of"),
    "number": ("minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of"),
    "string": ("min_length", "max_length", "pattern"),
    "array": ("min_items", "max_items"),
}


def constraints_of(schema: Schema) -> dict[str, object]:
    """Attribute -> value of the constraints that apply to the types a schema lists itself."""
    names = [name for kind in types_of(schema) for name in _OF_KIND.get(kind, ())]
    found = ((name, getattr(schema, name)) for name in CONSTRAINTS if name in names)
    return {name: value for name, value in found if value is not None}


def types_of(schema: Schema) -> tuple[str, ...]:
    """The JSON type names a schema lists itself."""
    if schema.type is None:
        return ()
    return (schema.type,) if isinstance(schema.type, str) else tuple(schema.type)


def has_const(schema: Schema) -> bool:
    """Whether `const` is given; null is a value too."""
    return "const" in schema.model_fields_set


def branches(schema: Schema) -> tuple[Schema, ...]:
    """The alternatives of a schema, each null once and last; a single one being its own."""
    found = list(_alternatives(schema))
    real = [part for part in found if not is_null(part)]
    return (*real, *[part for part in found if is_null(part)][:1])


def _alternatives(schema: Schema) -> Iterator[Schema]:
    """Alternatives as flat as Python's unions: one with a text of its own stays whole."""
    names = types_of(schema)
    if schema.any_of is not None:
        for part in schema.any_of:
            yield from _alternatives(part) if part.description is None else (part,)
    elif schema.enum is not None and None in schema.enum and len(schema.enum) > 1:
        named = [value for value in schema.enum if value is not None]
        yield schema.model_copy(update={"enum": named, "type": None, "description": None})
        yield Schema(type="null")
    elif schema.enum is None and len(names) > 1:
        yield from (_narrowed(schema, name) for name in names)
    else:
        yield schema


def _narrowed(schema: Schema, kind: str) -> Schema:
    """One of several types, with the constraints that apply to it; texts are about the whole."""
    narrowed = schema.model_copy(update={"type": kind, "description": None})
    unused = CONSTRAINTS.keys() - constraints_of(narrowed).keys()
    return narrowed.model_copy(update=dict.fromkeys(unused))


def is_null(schema: Schema) -> bool:
    """Whether only null is allowed."""
    return types_of(schema) == ("null",) or schema.enum == [None]


def properties(schema: Schema) -> dict[str, PropertySpec]:
    """The declared properties of an object."""
    return schema.properties or {}


def is_object(schema: Schema) -> bool:
    """Whether the schema describes a class: an object with named properties."""
    return (
        "object" in types_of(schema)
        and schema.additional_properties in (None, False)
        and schema.any_of is None
    )


def optional(schema: PropertySpec, name: str, owner: Schema) -> bool:
    """Whether a property may be left out."""
    return schema.has_default or schema.auto is not None or name not in (owner.required or [])


def is_nullable(schema: Schema) -> bool:
    """Whether null is allowed at this level, references left aside."""
    return any(is_null(part) for part in branches(schema))


def references(schema: Schema) -> Iterator[str]:
    """Every `$ref` inside a schema, in reading order."""
    if schema.ref is not None:
        yield schema.ref
    nested = [*(schema.any_of or ()), *properties(schema).values()]
    nested += [
        part for part in (schema.items, schema.additional_properties) if isinstance(part, Schema)
    ]
    for part in nested:
        yield from references(part)
