"""Which of the values that decide a condition a schema allows."""

from collections.abc import Callable
from dataclasses import dataclass

from cardwright_generator.spec.language import Schema

from .schema import has_const, types_of

type Find = Callable[[str, str], tuple[Schema, str]]
"""A reference and the file it stands in -> the schema behind it and that schema's file."""


@dataclass(frozen=True, slots=True)
class Values:
    """Looks through references, alternatives, choices and constants."""

    find: Find
    path: str

    def may_be_none(self, schema: Schema) -> bool:
        """Whether null is allowed."""
        return any(
            self._allows(part, "null", value=None) for part in self._leaves(schema, self.path)
        )

    def may_be_false(self, schema: Schema) -> bool:
        """Whether false is allowed."""
        return any(
            self._allows(part, "boolean", value=False) for part in self._leaves(schema, self.path)
        )

    def only_truth(self, schema: Schema) -> bool:
        """Whether nothing but booleans and null is allowed, so that truth says it all."""
        return all(_kinds(part) <= {"boolean", "null"} for part in self._leaves(schema, self.path))

    @staticmethod
    def _allows(schema: Schema, kind: str, *, value: object) -> bool:
        if schema.enum is not None:
            return any(one is value for one in schema.enum)
        if has_const(schema):
            return schema.const is value
        return kind in types_of(schema)

    def _leaves(self, schema: Schema, path: str, depth: int = 20) -> list[Schema]:
        """The schemas without alternatives that a schema stands for."""
        if schema.ref is not None and depth:
            target, there = self.find(schema.ref, path)
            return self._leaves(target, there, depth - 1)
        if schema.any_of is None:
            return [schema]
        return [leaf for part in schema.any_of for leaf in self._leaves(part, path, depth - 1)]


def _kinds(schema: Schema) -> set[str]:
    if schema.enum is None and not has_const(schema):
        return set(types_of(schema)) or {"any"}
    values = [schema.const] if schema.enum is None else schema.enum
    return {
        "boolean" if isinstance(one, bool) else "null" if one is None else "any" for one in values
    }
