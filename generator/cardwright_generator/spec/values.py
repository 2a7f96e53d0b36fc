"""Whether a plain value fits a schema: for defaults, which are checked before any code exists."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any
from uuid import UUID

from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema

from cardwright_generator.spec.diagnostics import listed
from cardwright_generator.spec.kinds import has_const, kind_of, type_words
from cardwright_generator.spec.language import PropertySpec, Schema
from cardwright_generator.spec.subject import Subject


def _moment(text: str) -> datetime:
    """Read a moment; one without an offset to UTC could be any hour of a day."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(text)
    return found


_FORMATS = {
    "date-time": _moment,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "uuid": UUID,
}


@lru_cache(maxsize=1024)
def pattern_validator(pattern: str) -> SchemaValidator | str:
    """Compile a pattern as pydantic will; on failure return what is wrong with it."""
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError as error:
        reason = re.search(r"error: (.*)", str(error))
        return reason[1] if reason else "it cannot be compiled"


def misfit(value: object, schema: Schema, subject: Subject) -> str | None:
    """Say why a value does not fit a schema, or None if it fits; unknown types fit."""
    return next(_misfits(value, schema, subject), None)


def _misfits(value: object, schema: Schema, subject: Subject) -> Iterator[str]:
    if schema.python is not None:
        yield "a Python type has no default that a spec could write"
    elif schema.ref is not None:
        found = subject.resolve(schema.ref)
        if found is not None:
            yield from _misfits(value, found, subject.seen_from(schema.ref))
    elif schema.any_of:
        if all(misfit(value, one, subject) for one in schema.any_of):
            yield "it fits none of the alternatives"
    elif schema.enum is not None and not any(_same(value, one) for one in schema.enum):
        yield f"it must be {listed(map(str, schema.enum), 'or')}"
    elif has_const(schema) and not _same(value, schema.const):
        yield f"it must be '{schema.const}'"
    elif type_words(schema) and not _of_type(value, type_words(schema)):
        yield f"it must be of type {' or '.join(type_words(schema))}"
    else:
        yield from _out_of_bounds(value, schema, subject)


def _same(left: object, right: object) -> bool:
    return kind_of(left) == kind_of(right) and left == right


def _of_type(value: object, words: tuple[str, ...]) -> bool:
    kind = kind_of(value)
    return kind in words or (kind == "integer" and "number" in words)


def _out_of_bounds(value: Any, schema: Schema, subject: Subject) -> Iterator[str]:  # noqa: ANN401 - plain JSON data
    kind = kind_of(value)
    if kind in {"integer", "number"}:
        yield from _of_number(value, schema)
    elif kind == "string":
        yield from _of_string(value, schema)
    elif kind == "array":
        yield from _of_array(value, schema, subject)
    elif kind == "object":
        yield from _of_object(value, schema, subject)


def _of_number(value: float, schema: Schema) -> Iterator[str]:
    if schema.minimum is not None and value < schema.minimum:
        yield f"it is below the minimum {schema.minimum}"
    if schema.exclusive_minimum is not None and value <= schema.exclusive_minimum:
        yield f"it must be greater than {schema.exclusive_minimum}"
    if schema.maximum is not None and value > schema.maximum:
        yield f"it is above the maximum {schema.maximum}"
    if schema.exclusive_maximum is not None and value >= schema.exclusive_maximum:
        yield f"it must be less than {schema.exclusive_maximum}"
    if schema.multiple_of and not is_multiple(value, schema.multiple_of):
        yield f"it is no multiple of {schema.multiple_of}"


def is_multiple(value: float, step: float) -> bool:
    """Whether pydantic takes a number for a multiple: it allows for rounding."""
    if isinstance(value, int) and isinstance(step, int):
        return value % step == 0
    try:
        SchemaValidator(core_schema.float_schema(multiple_of=step)).validate_python(float(value))
    except (SchemaError, ValidationError, OverflowError):
        return False
    return True


def _of_string(value: str, schema: Schema) -> Iterator[str]:
    longest = schema.max_length if schema.truncate is None else schema.truncate
    if schema.min_length is not None and len(value) < schema.min_length:
        yield f"it is shorter than {schema.min_length} characters"
    if longest is not None and len(value) > longest:
        yield f"it is longer than {longest} characters"
    if schema.pattern is not None and not matches(value, schema.pattern):
        yield f"it does not match the pattern `{schema.pattern}`"
    if schema.format is not None and not _formatted(value, schema.format):
        zone = " with an offset, such as Z" if schema.format == "date-time" else ""
        yield f"it is no {schema.format}{zone}"


def matches(value: str, pattern: str) -> bool:
    """Whether a text matches a pattern as pydantic reads it; anything does if it is no pattern."""
    validator = pattern_validator(pattern)
    if isinstance(validator, str):
        return True
    try:
        validator.validate_python(value)
    except ValidationError:
        return False
    return True


def _formatted(value: str, name: str) -> bool:
    try:
        _FORMATS[name](value)
    except ValueError:
        return False
    return True


def _of_array(value: list[object], schema: Schema, subject: Subject) -> Iterator[str]:
    if schema.min_items is not None and len(value) < schema.min_items:
        yield f"it has fewer than {schema.min_items} items"
    if schema.max_items is not None and len(value) > schema.max_items:
        yield f"it has more than {schema.max_items} items"
    for index, item in enumerate(value):
        if schema.items and (reason := misfit(item, schema.items, subject)):
            yield f"item {index + 1}: {reason}"


def _of_object(value: Mapping[str, object], schema: Schema, subject: Subject) -> Iterator[str]:
    properties = schema.properties or {}
    for name, spec in properties.items():
        if name in value:
            if reason := misfit(value[name], spec, subject):
                yield f"property '{name}': {reason}"
        elif _is_needed(name, spec, schema):
            yield f"property '{name}' must be given"
    for name in value:
        if name not in properties and not isinstance(schema.additional_properties, Schema):
            yield f"there is no property '{name}'"


def _is_needed(name: str, spec: PropertySpec, schema: Schema) -> bool:
    return name in (schema.required or ()) or not (spec.has_default or spec.auto)
