"""Example values of a schema, as Python expressions: for what a wiring test must give."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf, nextafter

from cardwright_generator.model.code import Code, Import, code, imported, literal
from cardwright_generator.model.schema import (
    branches,
    has_const,
    is_null,
    is_object,
    optional,
    properties,
    types_of,
)
from cardwright_generator.spec.language import DefaultedSchema, Schema
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import misfit

from .lookup import Lookup
from .strings import candidates

_FORMATS = {
    "date-time": Code(
        "datetime(2000, 1, 1, tzinfo=UTC)",
        frozenset({Import("datetime", "UTC"), Import("datetime", "datetime")}),
    ),
    "date": Code("date(2000, 1, 1)", frozenset({Import("datetime", "date")})),
    "time": Code("time(12, 0)", frozenset({Import("datetime", "time")})),
    "uuid": Code("UUID(int=1)", frozenset({Import("uuid", "UUID")})),
}
_SCALARS = {"boolean": "True", "null": "None"}
_NOWHERE = Subject("", {})
"""Scalars refer to nothing."""


class NoSampleError(ValueError):
    """Nothing can be made up for a schema: a handwritten Python type, a pattern beyond guessing."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Example values for schemas of one spec."""

    lookup: Lookup
    path: str
    within: frozenset[tuple[str, str]] = frozenset()
    """Named types that the value will stand in, by file and name."""

    def of(self, schema: Schema) -> Code:
        """A value that fits, and is neither null nor false if it can; raises `NoSampleError`."""
        if schema.ref is not None:
            return self._named(schema.ref)
        if schema.python is not None:
            raise NoSampleError(schema.python)
        first, *others = branches(schema)
        if others or schema.any_of is not None:
            return self.of(next((part for part in (first, *others) if not is_null(part)), first))
        if has_const(schema):
            return Code(literal(schema.const))
        if schema.enum is not None:
            set_ = (value for value in schema.enum if value is not None and value is not False)
            return Code(literal(next(set_, schema.enum[0])))
        return self._plain(schema)

    def given(self, schema: DefaultedSchema) -> Code | None:
        """The value that must be given; `None` when the schema has a default."""
        return None if schema.has_default else self.of(schema)

    def _named(self, ref: str) -> Code:
        target = self.lookup.find(ref, self.path)
        key = (target.path, target.name)
        if key in self.within:
            raise NoSampleError(ref)
        inside = replace(self, path=target.path, within=self.within | {key})
        if not is_object(target.spec):
            return inside.of(target.spec)
        needed = [
            (name, inside.of(prop))
            for name, prop in properties(target.spec).items()
            if not optional(prop, name, target.spec)
        ]
        arguments = ", ".join(f"{name}={value}" for name, value in needed)
        return code(f"{target.python}({arguments})", target.python, *(value for _, value in needed))

    def _plain(self, schema: Schema) -> Code:
        kind = types_of(schema)[0]
        if kind == "string":
            return self._string(schema)
        if kind in ("integer", "number"):
            return _fitting(schema, _numbers(schema, whole=kind == "integer"))
        if kind == "array":
            return self._array(schema)
        if kind == "object":
            return Code("{}")
        return Code(_SCALARS[kind])

    def _array(self, schema: Schema) -> Code:
        count = schema.min_items or 0
        if schema.items is None or count == 0:
            return Code("[]")
        if schema.unique_by is not None and count > 1:
            raise NoSampleError(schema.unique_by)
        item = self.of(schema.items)
        return code(f"[{', '.join([item.text] * count)}]", item)

    @staticmethod
    def _string(schema: Schema) -> Code:
        if schema.secret:
            secret = imported("cardwright.core", "Secret")
            return code(f'{secret}.from_env("CARDWRIGHT_TEST")', secret)
        if schema.format is not None:
            return _FORMATS[schema.format]
        return _fitting(schema, (*candidates(schema.pattern, schema.min_length or 1), ""))


def _fitting(schema: Schema, values: Iterable[object]) -> Code:
    for value in values:
        if misfit(value, schema, _NOWHERE) is None:
            return Code(literal(value))
    raise NoSampleError(schema.pattern or str(schema.type))


def _numbers(schema: Schema, *, whole: bool) -> Iterator[float]:
    step = schema.multiple_of or (1 if whole else 0.5)
    low = max(_given(schema.minimum, schema.exclusive_minimum), default=None)
    high = min(_given(schema.maximum, schema.exclusive_maximum), default=None)
    start, way = (high, -step) if low is None and high is not None else (low, step)
    found = [(step if start is None else start // step * step) + way * turn for turn in range(3)]
    found += [] if low is None else [low, nextafter(low, inf)]
    found += [] if low is None or high is None else [(low + high) / 2]
    yield from (int(value) if whole else value for value in found)


def _given(*bounds: float | None) -> list[float]:
    return [bound for bound in bounds if bound is not None]
