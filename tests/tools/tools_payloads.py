"""Payloads made from a schema: valid, almost valid, and hostile."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC
from typing import Any, cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

type Schema = dict[str, Any]

SECRET = "hunter2-secret"
"""Stands in every wrong value, so that a test can look for it in whatever is said."""

_FORMATS: dict[str, SearchStrategy[str]] = {
    "date": st.dates().map(str),
    "date-time": st.datetimes(timezones=st.just(UTC)).map(lambda found: found.isoformat()),
    "uuid": st.uuids().map(str),
}


def valid(schema: Schema, definitions: Schema | None = None) -> SearchStrategy[Any]:
    """Values that the schema accepts."""
    known = definitions or cast("Schema", schema.get("$defs", {}))
    if "$ref" in schema:
        return valid(known[str(schema["$ref"]).rpartition("/")[2]], known)
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return st.one_of([valid(each, known) for each in schema[union]])
    return _of_type(schema, known)


def _of_type(schema: Schema, known: Schema) -> SearchStrategy[Any]:
    makers: dict[str, Callable[[], SearchStrategy[Any]]] = {
        "object": lambda: _objects(schema, known),
        "array": lambda: _arrays(schema, known),
        "integer": lambda: _integers(schema),
        "number": lambda: st.floats(-1e9, 1e9, allow_nan=False),
        "boolean": st.booleans,
        "null": st.none,
        "string": lambda: _strings(schema),
    }
    return makers.get(str(schema.get("type")), lambda: json_values)()


def _arrays(schema: Schema, known: Schema) -> SearchStrategy[Any]:
    least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
    return st.lists(
        valid(schema.get("items", {}), known),
        min_size=least,
        max_size=max(least, most),
        unique_by=repr if schema.get("uniqueItems") else None,
    )


def _integers(schema: Schema) -> SearchStrategy[int]:
    least = schema.get("minimum", -(2**40))
    return st.integers(least, schema.get("maximum", max(least, 2**40)))


def _strings(schema: Schema) -> SearchStrategy[str]:
    if "format" in schema:
        return _FORMATS[schema["format"]]
    return st.text(
        st.characters(exclude_categories=["Cs"]),
        min_size=schema.get("minLength", 0),
        max_size=schema.get("maxLength", 20),
    )


def _objects(schema: Schema, known: Schema) -> SearchStrategy[Any]:
    properties = {name: valid(each, known) for name, each in schema.get("properties", {}).items()}
    if not properties and schema.get("additionalProperties", False) is not False:
        extra = schema["additionalProperties"]
        values = json_values if extra is True else valid(extra, known)
        return st.dictionaries(st.text(max_size=5), values, max_size=3)
    required = set(schema.get("required", []))
    return st.fixed_dictionaries(
        {name: each for name, each in properties.items() if name in required},
        optional={name: each for name, each in properties.items() if name not in required},
    )


json_values: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)

WRONG: tuple[Any, ...] = (
    SECRET,
    [SECRET],
    {SECRET: SECRET},
    None,
    True,
    1.5,
    -1,
    10**30,
    "",
    [],
    {},
)


@st.composite
def near(draw: st.DrawFn, schema: Schema) -> object:
    """A valid payload with one place in it made wrong, which may turn out valid all the same."""
    payload: Any = draw(valid(schema))
    places = list(_places(payload))
    change = draw(st.sampled_from(["replace", "drop", "add"])) if places else "add"
    if change == "add":
        payload[draw(st.sampled_from(["extra", "__model__", "self"]))] = SECRET
        return payload
    holder, key = draw(st.sampled_from(places))
    if change == "drop":
        del holder[key]
    else:
        holder[key] = draw(st.sampled_from(WRONG))
    return payload


def _places(value: object) -> Iterator[tuple[Any, Any]]:
    """Every container in a payload with each of its keys."""
    entries: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        entries = list(cast("Schema", value).items())
    elif isinstance(value, list):
        entries = [*enumerate(cast("list[object]", value))]
    for key, each in entries:
        yield value, key
        yield from _places(each)


HOSTILE = st.one_of(
    st.text().map(lambda text: text + SECRET),
    st.binary().map(lambda raw: raw + SECRET.encode()),
    st.sampled_from(
        [
            "[" * 20_000,
            '{"a":' * 5_000,
            '{"' + SECRET * 10_000 + '": 1}',
            '{"x": NaN, "y": "' + SECRET + '"}',
            '{"x": 1, "x": "' + SECRET + '"}',
            json.dumps({"arguments": json.dumps({"arguments": SECRET})}),
            json.dumps([SECRET]),
            json.dumps(SECRET),
            "\ufeff{}",
        ]
    ),
    json_values.map(json.dumps),
)
