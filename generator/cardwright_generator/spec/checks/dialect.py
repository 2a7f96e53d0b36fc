"""The dialect: what each schema says on its own (CW401-CW409, CW420-CW424)."""

from collections.abc import Iterator

from cardwright_generator.spec.diagnostics import did_you_mean, listed
from cardwright_generator.spec.kinds import has_const, kind_of, says_nothing, type_words
from cardwright_generator.spec.language import Schema
from cardwright_generator.spec.nodes import Node
from cardwright_generator.spec.refs import parse_ref
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import pattern_validator
from cardwright_generator.spec.words import within

_NUMERIC = frozenset({"integer", "number"})
_STRING = frozenset({"string"})
_ARRAY = frozenset({"array"})
_OBJECT = frozenset({"object"})
_BELONGS_TO = {
    "minimum": _NUMERIC,
    "maximum": _NUMERIC,
    "exclusiveMinimum": _NUMERIC,
    "exclusiveMaximum": _NUMERIC,
    "multipleOf": _NUMERIC,
    "minLength": _STRING,
    "maxLength": _STRING,
    "pattern": _STRING,
    "format": _STRING,
    "truncate": _STRING,
    "auto": _STRING,
    "items": _ARRAY,
    "minItems": _ARRAY,
    "maxItems": _ARRAY,
    "unique_by": _ARRAY,
    "properties": _OBJECT,
    "required": _OBJECT,
    "additionalProperties": _OBJECT,
}
_DECIDING = ("$ref", "enum", "const", "anyOf", "python", "type")


def given_keys(schema: Schema) -> set[str]:
    """Return the keys of a schema as they are written in the file."""
    fields = type(schema).model_fields
    return {fields[name].alias or name for name in schema.model_fields_set}


@rule("CW401")
def untyped(subject: Subject) -> Iterator[Finding]:
    """Check that each schema says what the value is."""
    for node in subject.nodes:
        if says_nothing(node.schema):
            hint = "add `type: object`" if node.schema.properties else "add `type`"
            yield Finding(node.path, f"{within(node.path)} has no type", hint, at="key")


@rule("CW402")
def unknown_refs(subject: Subject) -> Iterator[Finding]:
    """Check that each `$ref` names a declared type."""
    for node in subject.nodes:
        ref = node.schema.ref
        parsed = parse_ref(ref) if ref else None
        if ref and parsed and subject.resolve(ref) is None:
            target = parsed.file_from(subject.file)
            known = subject.around.commons.get(target, {}) if parsed.file else subject.types
            hint = did_you_mean(parsed.name, known) or _missing_file(subject, target)
            yield Finding((*node.path, "$ref"), f"'$ref' names no type: '{ref}'", hint)


def _missing_file(subject: Subject, file: str) -> str | None:
    if file == subject.file or file in subject.around.commons:
        return None
    if file in subject.around.cards:
        return "types are shared by a file that holds `types` only"
    return f"there is no readable file of shared types '{file}'"


@rule("CW403")
def malformed_refs(subject: Subject) -> Iterator[Finding]:
    """Check how a `$ref` is written."""
    for node in subject.nodes:
        if node.schema.ref is not None and parse_ref(node.schema.ref) is None:
            message = f"'$ref' cannot be read: '{node.schema.ref}'"
            hint = "write '#/types/Name' or 'common.yaml#/types/Name'"
            yield Finding((*node.path, "$ref"), message, hint)


@rule("CW404")
def foreign_words(subject: Subject) -> Iterator[Finding]:
    """Check that each word of a schema has a meaning for its type."""
    for node in subject.nodes:
        words = frozenset(type_words(node.schema))
        for key in sorted(given_keys(node.schema)):
            if words and key in _BELONGS_TO and not words & _BELONGS_TO[key]:
                due = listed(sorted(_BELONGS_TO[key]), "or")
                message = f"'{key}' of {within(node.path)} belongs to type {due}"
                yield Finding((*node.path, key), message, at="key")


@rule("CW405")
def contradictions(subject: Subject) -> Iterator[Finding]:
    """Check that bounds leave some value."""
    for node in subject.nodes:
        schema = node.schema
        for low, least, high, most in (
            ("minimum", schema.minimum, "maximum", schema.maximum),
            ("exclusiveMinimum", schema.exclusive_minimum, "maximum", schema.maximum),
            ("minimum", schema.minimum, "exclusiveMaximum", schema.exclusive_maximum),
            (
                *("exclusiveMinimum", schema.exclusive_minimum),
                *("exclusiveMaximum", schema.exclusive_maximum),
            ),
            ("minLength", schema.min_length, "maxLength", schema.max_length),
            ("minItems", schema.min_items, "maxItems", schema.max_items),
        ):
            if least is None or most is None:
                continue
            if _nothing_between(low, least, high, most, whole=type_words(schema) == ("integer",)):
                message = f"'{low}' and '{high}' of {within(node.path)} leave no value"
                yield Finding((*node.path, low), message)


def _nothing_between(low: str, least: float, high: str, most: float, *, whole: bool) -> bool:
    exclusive = low.startswith("exclusive") + high.startswith("exclusive")
    return least + exclusive > most if whole else least > most or (exclusive > 0 and least == most)


@rule("CW406")
def broken_patterns(subject: Subject) -> Iterator[Finding]:
    """Check that patterns compile with pydantic's engine."""
    for node in subject.nodes:
        if node.schema.pattern is not None:
            problem = pattern_validator(node.schema.pattern)
            if isinstance(problem, str):
                message = f"the pattern of {within(node.path)} does not compile: {problem}"
                hint = "the engine is Rust's regex: no look-around, no back-references"
                yield Finding((*node.path, "pattern"), message, hint)


@rule("CW408")
def enumerations(subject: Subject) -> Iterator[Finding]:
    """Check the values of `enum` and `const`."""
    for node in subject.nodes:
        seen: list[object] = []
        for index, value in enumerate(node.schema.enum or ()):
            if reason := _bad_choice(value, node.schema, seen):
                yield Finding((*node.path, "enum", index), f"{reason} in {within(node.path)}")
            seen.append((type(value), value))
        if has_const(node.schema) and (reason := _bad_choice(node.schema.const, node.schema, [])):
            yield Finding((*node.path, "const"), f"{reason} in {within(node.path)}")


def _bad_choice(value: object, schema: Schema, seen: list[object]) -> str | None:
    if (type(value), value) in seen:
        return f"'{value}' is listed twice"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return f"'{value}' has more than 64 bits"
    if kind_of(value) == "number":
        return f"'{value}' is a fraction, which cannot be a choice"
    words = type_words(schema)
    if words and kind_of(value) not in words:
        return f"'{value}' is not of type {' or '.join(words)}"
    return None


@rule("CW409")
def required_names(subject: Subject) -> Iterator[Finding]:
    """Check that `required` names properties, each once."""
    for node in subject.nodes:
        known = node.schema.properties or {}
        required = node.schema.required or []
        for index, name in enumerate(required):
            path = (*node.path, "required", index)
            if name not in known:
                message = f"'required' of {within(node.path)} names no property: '{name}'"
                yield Finding(path, message, did_you_mean(name, known))
            elif name in required[:index]:
                yield Finding(path, f"'required' of {within(node.path)} lists '{name}' twice")


@rule("CW420")
def open_collections(subject: Subject) -> Iterator[Finding]:
    """Check that arrays say what their items are, and objects what their values are."""
    for node in subject.nodes:
        if reason := _open(node.schema):
            yield Finding(node.path, f"{within(node.path)} {reason[0]}", reason[1], at="key")
    for endpoint in subject.endpoints:
        if endpoint.spec.returns in ("array", "object"):
            message = f"'returns' of {within(endpoint.path)} does not say what is inside"
            hint = "for example `returns: {type: array, items: {type: string}}`"
            yield Finding((*endpoint.path, "returns"), message, hint)


def _open(schema: Schema) -> tuple[str, str] | None:
    words = type_words(schema)
    if "array" in words and schema.items is None:
        return "is an array without 'items'", "add `items`"
    if "object" in words and schema.properties is None and not _has_values(schema):
        return "is an object without 'properties'", "add `properties` or `additionalProperties`"
    return None


def _has_values(schema: Schema) -> bool:
    return isinstance(schema.additional_properties, Schema)


@rule("CW421")
def repeated_types(subject: Subject) -> Iterator[Finding]:
    """Check that a list of types has no word twice."""
    for node in subject.nodes:
        words = type_words(node.schema)
        if len(set(words)) < len(words):
            message = f"'type' of {within(node.path)} lists a type twice"
            yield Finding((*node.path, "type"), message)


@rule("CW422")
def several_meanings(subject: Subject) -> Iterator[Finding]:
    """Check that one word decides what a value is: `type`, `$ref`, `enum`, `anyOf`, ..."""
    for node in subject.nodes:
        given = given_keys(node.schema)
        deciding = [key for key in _DECIDING if key in given]
        if deciding and (extra := _beside(deciding, given)):
            message = f"'{extra}' of {within(node.path)} cannot stand beside '{deciding[0]}'"
            yield Finding((*node.path, extra), message, at="key")


def _beside(deciding: list[str], given: set[str]) -> str | None:
    """Return a key that may not stand beside the deciding one, if there is any."""
    first = deciding[0]
    if first == "type":
        return None
    allowed = {"enum": {"type"}, "const": {"type"}}.get(first, set())
    others = [key for key in deciding[1:] if key not in allowed]
    bounds = [key for key in _BELONGS_TO if key in given]
    return next(iter(others + bounds), None)


@rule("CW423")
def lengths(subject: Subject) -> Iterator[Finding]:
    """Check that lengths, counts and steps are possible numbers."""
    for node in subject.nodes:
        schema = node.schema
        for key, value, least in (
            ("minLength", schema.min_length, 0),
            ("maxLength", schema.max_length, 0),
            ("minItems", schema.min_items, 0),
            ("maxItems", schema.max_items, 0),
            ("truncate", schema.truncate, 4),
        ):
            if value is not None and value < least:
                message = f"'{key}' of {within(node.path)} is below {least}"
                yield Finding((*node.path, key), message)
        if schema.multiple_of is not None and schema.multiple_of <= 0:
            message = f"'multipleOf' of {within(node.path)} is not above 0"
            yield Finding((*node.path, "multipleOf"), message)


@rule("CW424")
def double_bounds(subject: Subject) -> Iterator[Finding]:
    """Check that a side of a number has one bound."""
    for node in subject.nodes:
        for exclusive, bound, plain in _twice_bounded(node):
            message = f"'{exclusive}' of {within(node.path)} cannot stand beside '{plain}'"
            if bound is not None:
                yield Finding((*node.path, exclusive), message, at="key")


def _twice_bounded(node: Node) -> Iterator[tuple[str, float | None, str]]:
    schema = node.schema
    if schema.minimum is not None:
        yield "exclusiveMinimum", schema.exclusive_minimum, "minimum"
    if schema.maximum is not None:
        yield "exclusiveMaximum", schema.exclusive_maximum, "maximum"
