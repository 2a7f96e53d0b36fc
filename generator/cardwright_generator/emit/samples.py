"""Example values of a schema, as Python expressions: for what a wiring test must give."""

from dataclasses import dataclass

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

from .lookup import Lookup
from .strings import example_of

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


class NoSampleError(ValueError):
    """Nothing can be made up for a schema: it names a handwritten Python type."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Example values for schemas of one spec."""

    lookup: Lookup
    path: str

    def of(self, schema: Schema) -> Code:
        """A value that fits and is neither null nor false; raises `NoSampleError`."""
        if schema.ref is not None:
            return self._named(schema.ref)
        if schema.python is not None:
            raise NoSampleError(schema.python)
        if schema.any_of is not None or len(branches(schema)) > 1:
            return self.of(next(part for part in branches(schema) if not is_null(part)))
        if has_const(schema):
            return Code(literal(schema.const))
        if schema.enum is not None:
            set_ = (value for value in schema.enum if value is not None and value is not False)
            return Code(literal(next(set_)))
        return self._plain(schema)

    def given(self, schema: DefaultedSchema) -> Code | None:
        """The value that must be given; `None` when the schema has a default."""
        return None if schema.has_default else self.of(schema)

    def _named(self, ref: str) -> Code:
        target = self.lookup.find(ref, self.path)
        inside = Samples(self.lookup, target.path)
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
            return Code(literal(_number(schema, whole=kind == "integer")))
        if kind == "array":
            return self._array(schema)
        if kind == "object":
            return Code("{}")
        return Code(_SCALARS[kind])

    def _array(self, schema: Schema) -> Code:
        count = schema.min_items or 0
        if schema.items is None or count == 0:
            return Code("[]")
        item = self.of(schema.items)
        return code(f"[{', '.join([item.text] * count)}]", item)

    @staticmethod
    def _string(schema: Schema) -> Code:
        if schema.secret:
            secret = imported("cardwright.core", "Secret")
            return code(f'{secret}.from_env("CARDWRIGHT_TEST")', secret)
        if schema.format is not None:
            return _FORMATS[schema.format]
        return Code(literal(example_of(schema.pattern, schema.min_length or 1)))


def _number(schema: Schema, *, whole: bool) -> float:
    step = schema.multiple_of or (1 if whole else 0.5)
    if schema.minimum is not None or schema.exclusive_minimum is not None:
        low = max(
            bound for bound in (schema.minimum, schema.exclusive_minimum) if bound is not None
        )
        value = (low // step) * step
        while value < low or value == schema.exclusive_minimum:
            value += step
        return int(value) if whole else value
    high = min(
        (bound for bound in (schema.maximum, schema.exclusive_maximum) if bound is not None),
        default=step,
    )
    value = (high // step) * step
    return value - step if value == schema.exclusive_maximum else value
