"""Objects, defaults and the words that JSON Schema lacks (CW407, CW410 to CW431)."""

from collections.abc import Iterator
from typing import cast

from cardwright_generator.spec.diagnostics import did_you_mean
from cardwright_generator.spec.kinds import is_object_type, leaf_schemas, type_words
from cardwright_generator.spec.language import DefaultedSchema, PropertySpec, Schema
from cardwright_generator.spec.nodes import Node, nested
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import misfit
from cardwright_generator.spec.words import within


@rule("CW407")
def misfitting_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that each default fits its own schema."""
    for node in subject.nodes:
        schema = node.schema
        if not (isinstance(schema, DefaultedSchema) and schema.has_default):
            continue
        if reason := misfit(schema.default, schema, subject):
            message = f"the default of {within(node.path)} does not fit: {reason}"
            hint = 'allow null: `type: [..., "null"]`' if schema.default is None else None
            yield Finding((*node.path, "default"), message, hint)


@rule("CW410")
def undecided_properties(subject: Subject) -> Iterator[Finding]:
    """Check that a property that may be left out says what it is then."""
    for node in subject.nodes:
        for name, spec in (node.schema.properties or {}).items():
            if name not in (node.schema.required or ()) and not (spec.has_default or spec.auto):
                path = (*node.path, "properties", name)
                message = f"{within(path)} may be left out, but has no default"
                hint = f"add `default`, or list '{name}' in `required`"
                yield Finding(path, message, hint, at="key")


@rule("CW411")
def object_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that no default is an object, except `{}` on a field: a new one each time."""
    for node in subject.nodes:
        schema = node.schema
        if not isinstance(schema, DefaultedSchema) or not _holds_object(schema.default):
            continue
        if schema.default == {} and node.role == "field" and _is_made_anew(schema, subject):
            continue
        if schema.default == {} and node.role == "field":
            message = f"`{{}}` of {within(node.path)} cannot become the object that is due"
            hint = "refer to the class itself: `$ref` to an object type, or to a free mapping"
            yield Finding((*node.path, "default"), message, hint)
        else:
            message = f"the default of {within(node.path)} is an object"
            hint = "use null, or `{}` on a configuration field for an object of defaults"
            yield Finding((*node.path, "default"), message, hint)


def _is_made_anew(schema: Schema, subject: Subject) -> bool:
    """Whether `{}` can be written down: as the first class that is named here, or as a dict."""
    here = list(_here(schema))
    if misfit({}, schema, subject) is not None or any(is_object_type(one) for one in here):
        return True  # told by CW407 and CW413
    classes = [one for one in here if one.ref and _is_class(one, subject)]
    if classes:
        return misfit({}, classes[0], subject) is None
    return any(_has_values(leaf.schema) for leaf in leaf_schemas(schema, subject))


def _here(schema: Schema) -> Iterator[Schema]:
    for one in schema.any_of or ():
        yield from _here(one)
    yield schema


def _is_class(schema: Schema, subject: Subject) -> bool:
    found = subject.resolve(schema.ref or "")
    return found is not None and is_object_type(found)


def _holds_object(value: object) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, dict | list) for item in cast("list[object]", value))
    return isinstance(value, dict)


@rule("CW413")
def nameless_types(subject: Subject) -> Iterator[Finding]:
    """Check that objects have a name, and that argument schemas are simple where they stand."""
    for node in subject.nodes:
        if is_object_type(node.schema) and node.role != "type":
            message = f"{within(node.path)} describes an object where it stands"
            yield Finding(node.path, message, "declare it in `types` and use `$ref`", at="key")
        elif node.role == "argument" and not is_object_type(node.schema):
            yield from _complex_argument(node)


def _complex_argument(node: Node) -> Iterator[Finding]:
    if not _is_simple(node.schema) and not _told_elsewhere(node):
        message = f"{within(node.path)} is more than a scalar, an enum, a nullable or an array"
        yield Finding(node.path, message, "declare a type in `types` and use `$ref`", at="key")


def _told_elsewhere(node: Node) -> bool:
    """Whether it is an object without properties (CW420), or a part of it is a nameless object."""
    inner = nested(node.path, node.schema, "argument")
    open_object = type_words(node.schema) == ("object",) and not _has_values(node.schema)
    return open_object or any(is_object_type(one.schema) for one in inner)


def _has_values(schema: Schema) -> bool:
    return isinstance(schema.additional_properties, Schema)


def _is_simple(schema: Schema, *, in_array: bool = False) -> bool:
    if schema.any_of:
        return _is_nullable_of_simple(schema.any_of, in_array=in_array)
    words = set(type_words(schema)) - {"null"}
    if schema.items is not None and words == {"array"}:
        return not in_array and _is_simple(schema.items, in_array=True)
    return len(words) <= 1 and "object" not in words


def _is_nullable_of_simple(alternatives: list[Schema], *, in_array: bool) -> bool:
    others = [one for one in alternatives if type_words(one) != ("null",)]
    return len(others) == 1 and _is_simple(others[0], in_array=in_array)


@rule("CW416")
def secret_type(subject: Subject) -> Iterator[Finding]:
    """Check that a secret is a string, or a string or null."""
    for node in subject.nodes:
        if node.schema.secret and not _is_text(node.schema):
            message = f"{within(node.path)} is secret, but not a string"
            hint = 'write `type: string` or `type: [string, "null"]`'
            yield Finding((*node.path, "secret"), message, hint, at="key")


def _is_text(schema: Schema) -> bool:
    words = set(type_words(schema))
    return "string" in words and words <= {"string", "null"}


@rule("CW418")
def unique_property(subject: Subject) -> Iterator[Finding]:
    """Check that `unique_by` names a property of the items."""
    for node in subject.nodes:
        name = node.schema.unique_by
        if name is None:
            continue
        items = subject.target(node.schema.items) if node.schema.items else None
        known = (items.properties or {}) if items else {}
        if name not in known:
            message = f"'unique_by' of {within(node.path)} names no property of its items: '{name}'"
            yield Finding((*node.path, "unique_by"), message, did_you_mean(name, known))


@rule("CW419")
def automatic_values(subject: Subject) -> Iterator[Finding]:
    """Check that `auto` fits the format and stands without a default."""
    due = {"uuid": "uuid", "now": "date-time"}
    for node in subject.nodes:
        schema = node.schema
        if not isinstance(schema, PropertySpec) or schema.auto is None:
            continue
        path = (*node.path, "auto")
        if schema.format != due[schema.auto]:
            message = f"`auto: {schema.auto}` of {within(node.path)} needs a fitting format"
            yield Finding(path, message, f"add `format: {due[schema.auto]}`")
        elif schema.has_default:
            yield Finding(path, f"{within(node.path)} has both 'auto' and 'default'", at="key")


@rule("CW425")
def required_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that a required property has no default: it would never be used."""
    for node in subject.nodes:
        for name in node.schema.required or ():
            spec = (node.schema.properties or {}).get(name)
            if spec is not None and (spec.has_default or spec.auto):
                path = (*node.path, "properties", name)
                key = "default" if spec.has_default else "auto"
                message = f"{within(path)} is required, and yet has '{key}'"
                hint = f"remove '{name}' from `required`, or the {key}"
                yield Finding((*path, key), message, hint, at="key")


@rule("CW430")
def secret_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that no secret stands in the spec."""
    for node in subject.nodes:
        schema = node.schema
        if schema.secret and isinstance(schema, DefaultedSchema) and schema.default is not None:
            message = f"the default of {within(node.path)} puts a secret into the code"
            yield Finding((*node.path, "default"), message, "only null can be its default")


@rule("CW431")
def open_objects(subject: Subject) -> Iterator[Finding]:
    """Check that an object has either named properties or free ones."""
    for node in subject.nodes:
        if _has_values(node.schema) and node.schema.properties is not None:
            message = f"{within(node.path)} has both 'properties' and 'additionalProperties'"
            hint = "an object with properties is closed: put the free ones into one of them"
            yield Finding((*node.path, "additionalProperties"), message, hint, at="key")


@rule("CW427")
def classless_words(subject: Subject) -> Iterator[Finding]:
    """Check that `base` and `class` stand on objects: other types become aliases."""
    for name, spec in subject.types.items():
        for key, given in (("base", spec.base != "data"), ("class", spec.class_ is not None)):
            if given and not is_object_type(spec) and "object" not in type_words(spec):
                message = f"'{key}' of type '{name}' belongs to an object with properties"
                yield Finding(("types", name, key), message, at="key")
