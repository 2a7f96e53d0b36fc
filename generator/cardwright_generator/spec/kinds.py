"""What kinds of JSON values a schema allows."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardwright_generator.spec.language import Schema
from cardwright_generator.spec.subject import Subject

_PYTHON: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}

DEEPEST = 20
"""Levels of `$ref` and `anyOf` after which a schema is taken for anything: it may be a circle."""


def type_words(schema: Schema) -> tuple[str, ...]:
    """Return the words of `type` as a tuple, empty if there is none."""
    if schema.type is None:
        return ()
    return (schema.type,) if isinstance(schema.type, str) else tuple(schema.type)


def kind_of(value: object) -> str:
    """Return the JSON type of a plain value."""
    if isinstance(value, dict):
        return "object"
    return "array" if isinstance(value, list) else _PYTHON[type(value)]


def has_const(schema: Schema) -> bool:
    """Whether `const` is given, null included."""
    return "const" in schema.model_fields_set


def says_nothing(schema: Schema) -> bool:
    """Whether a schema allows any value: it has no word that says what the value is."""
    words = (schema.type, schema.ref, schema.enum, schema.any_of, schema.python)
    return all(word is None for word in words) and not has_const(schema)


def allowed_kinds(schema: Schema, subject: Subject, depth: int = 0) -> frozenset[str]:
    """Return the JSON types a schema allows, through `$ref` and `anyOf`; `python` is `any`."""
    schema = subject.target(schema)
    if schema.python is not None or schema.ref is not None or depth > DEEPEST:
        return frozenset({"any"})
    if schema.any_of:
        inner = [allowed_kinds(one, subject, depth + 1) for one in schema.any_of]
        return frozenset[str]().union(*inner)
    if schema.enum is not None:
        return frozenset(kind_of(value) for value in schema.enum)
    return frozenset({kind_of(schema.const)} if has_const(schema) else type_words(schema))


@dataclass(frozen=True, slots=True)
class Leaf:
    """A schema without alternatives that another stands for, and the file it stands in.

    `inline` tells whether it stands there itself, with no `$ref` between.
    """

    schema: Schema
    subject: Subject
    inline: bool

    @property
    def kinds(self) -> frozenset[str]:
        """The JSON types it allows."""
        return allowed_kinds(self.schema, self.subject)


def leaf_schemas(schema: Schema, subject: Subject) -> Iterator[Leaf]:
    """Follow `$ref`, each once, and `anyOf` down to what decides."""
    seen: set[tuple[str, str]] = set()
    waiting = [Leaf(schema, subject, inline=True)]
    while waiting:
        leaf = waiting.pop()
        here, ref = leaf.subject, leaf.schema.ref
        if leaf.schema.any_of:
            inner = (Leaf(one, here, leaf.inline) for one in reversed(leaf.schema.any_of))
            waiting.extend(inner)
        elif ref is None:
            yield leaf
        elif (here.file, ref) not in seen and (found := here.resolve(ref)) is not None:
            seen.add((here.file, ref))
            waiting.append(Leaf(found, here.seen_from(ref), inline=False))


def is_object_type(schema: Schema) -> bool:
    """Whether a schema describes an object with named properties: it becomes a class."""
    return schema.properties is not None
