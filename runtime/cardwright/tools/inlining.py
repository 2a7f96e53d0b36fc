"""Puts every referenced type where it is used."""

from typing import Final, cast

from .errors import CapabilityError
from .schema import JsonSchema, rebuilt

_PREFIX: Final = "#/$defs/"


def inlined(schema: JsonSchema, *, dialect: str, max_depth: int) -> JsonSchema:
    """`schema` without references and `$defs`; keys beside a reference override the type's own.

    Args:
        schema: With its types under `$defs`.
        dialect: Named when a type cannot be inlined.
        max_depth: How many types may stand inside one another.

    Raises:
        CapabilityError: A type contains itself, or types nest too deep; names the type.
    """
    definitions = cast("dict[str, JsonSchema]", schema.get("$defs", {}))
    rest = {key: value for key, value in schema.items() if key != "$defs"}
    return _Inliner(definitions, dialect, max_depth).node(rest, ())


class _Inliner:
    """Follows references; `within` are the types that the place at hand is inside of."""

    def __init__(self, definitions: dict[str, JsonSchema], dialect: str, max_depth: int) -> None:
        self._definitions = definitions
        self._dialect = dialect
        self._max_depth = max_depth

    def node(self, schema: JsonSchema, within: tuple[str, ...]) -> JsonSchema:
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith(_PREFIX):
            return self._substituted(reference.removeprefix(_PREFIX), schema, within)
        # The mapping of a discriminator refers to types that are not there any more.
        kept = {key: each for key, each in schema.items() if key != "discriminator"}
        return rebuilt(kept, "", lambda inner, _: self.node(inner, within))

    def _substituted(self, name: str, schema: JsonSchema, within: tuple[str, ...]) -> JsonSchema:
        if name in within:
            raise self._refused(name, "it contains itself")
        if len(within) >= self._max_depth:
            message = f"types nest deeper than {self._max_depth}"
            raise self._refused(name, message, depth=str(self._max_depth))
        inner = self.node(self._definitions[name], (*within, name))
        beside = {key: each for key, each in schema.items() if key != "$ref"}
        return {**inner, **self.node(beside, within)}

    def _refused(self, name: str, reason: str, **details: str) -> CapabilityError:
        return CapabilityError(
            f"dialect {self._dialect} cannot express {name}: {reason}; use JSON_SCHEMA",
            details={"dialect": self._dialect, "type": name, **details},
        )
