"""Words that would have no effect where they stand, or an impossible one (CW433, CW434, CW507)."""

from collections.abc import Iterator

from cardwright_generator.spec.checks.dialect import given_keys
from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.kinds import allowed_kinds, kind_of, leaf_schemas, type_words
from cardwright_generator.spec.language import DefaultedSchema, Schema
from cardwright_generator.spec.nodes import Node
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.words import within

_OF_TEXT = ("minLength", "maxLength", "pattern", "truncate")
_OF_INTEGERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SCALARS = frozenset({"string", "integer", "number", "boolean", "null", "any"})


@rule("CW433")
def impossible_words(subject: Subject) -> Iterator[Finding]:
    """Check that each bound can be applied to the values it bounds."""
    for node in subject.nodes:
        given = given_keys(node.schema)
        for key, message in _without_effect(node.schema):
            if key in given:
                yield Finding((*node.path, key), f"'{key}' of {within(node.path)} {message}")
        yield from _unhashable(node, subject)


def _without_effect(schema: Schema) -> Iterator[tuple[str, str]]:
    """Words that cannot stand beside others, whether or not they are given."""
    if schema.secret:
        yield from ((key, "cannot be applied to a secret") for key in ("format", *_OF_TEXT))
    elif schema.format is not None:
        message = f"cannot be applied to a {schema.format}, which is no text once it is read"
        yield from ((key, message) for key in _OF_TEXT)
    elif schema.truncate is not None:
        yield from ((key, "cannot stand beside 'truncate'") for key in _OF_TEXT[:3])
    words = type_words(schema)
    if "integer" in words and "number" not in words:
        for key in _OF_INTEGERS:
            value = getattr(schema, _attribute(key))
            if isinstance(value, float) and not value.is_integer():
                yield key, "is a fraction, which cannot bound whole numbers"


def _attribute(key: str) -> str:
    names = {info.alias or name: name for name, info in Schema.model_fields.items()}
    return names[key]


def _unhashable(node: Node, subject: Subject) -> Iterator[Finding]:
    """`unique_by` compares single values."""
    name, items = node.schema.unique_by, node.schema.items
    if name is None or items is None:
        return
    there = subject.seen_from(items.ref) if items.ref else subject
    spec = (subject.target(items).properties or {}).get(name)
    if spec is not None and not allowed_kinds(spec, there) <= _SCALARS:
        message = f"'unique_by' of {within(node.path)} names '{name}', which is no single value"
        yield Finding((*node.path, "unique_by"), message, "name a property of text or numbers")


@rule("CW434")
def unreadable_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that a default of a date, a time or a UUID stands where its text is read as one."""
    for node in subject.nodes:
        schema = node.schema
        if isinstance(schema, DefaultedSchema) and _is_misread(schema, subject):
            due = _format(schema, subject)
            message = f"the default of {within(node.path)} stays text where a {due} is due"
            hint = "write `format` beside the default, and no other type of text; in a list only []"
            yield Finding((*node.path, "default"), message, hint)


def _is_misread(schema: DefaultedSchema, subject: Subject) -> bool:
    value: object = schema.default
    if kind_of(value) == "array":
        return value != [] and _format(schema, subject) is not None
    if not isinstance(value, str):
        return False
    texts = [one for one in leaf_schemas(schema, subject) if "string" in one.kinds]
    formats = {one.schema.format for one in texts}
    return bool(formats - {None}) and not (len(formats) == 1 and all(one.inline for one in texts))


def _format(schema: Schema, subject: Subject) -> str | None:
    """The format of the texts that a schema allows, or of the items of a list."""
    for leaf in leaf_schemas(schema, subject):
        if leaf.schema.format is not None:
            return leaf.schema.format
        if leaf.schema.items is not None and (found := _format(leaf.schema.items, leaf.subject)):
            return found
    return None


@rule("CW507")
def unread_descriptions(subject: Subject) -> Iterator[Finding]:
    """Check that no description stands where nothing shows it: in answers, in observers."""
    for node in subject.nodes:
        if node.schema.description is not None and node.root_role in {"returns", "member"}:
            path: NodePath = (*node.path, "description")
            message = f"nobody reads the description of {within(node.path)}"
            yield Finding(path, message, "say it in `doc`, or describe a type in `types`", at="key")
