"""Forms of JSON Schema that model providers understand, and the checks each form has to pass.

A dialect adapts a normalised schema. What it cannot express is refused, never made looser.
"""

import json
from dataclasses import dataclass
from typing import Final, Protocol, cast

from .errors import CapabilityError, SchemaGenerationError
from .inlining import inlined
from .schema import JsonSchema, normalised, rebuilt, subschemas

_SAYS_NOTHING: Final = frozenset({"default", "deprecated", "description", "examples", "readOnly"})


class Dialect(Protocol):
    """One form of JSON Schema: what it is called, what it must not hold, how it is made."""

    @property
    def name(self) -> str:
        """Its name in messages."""
        ...

    @property
    def forbidden(self) -> frozenset[str]:
        """Keywords that may not be left once `adapt` is done."""
        ...

    def adapt(self, schema: JsonSchema) -> JsonSchema:
        """The schema in this form; the one given is not changed.

        Raises:
            CapabilityError: The form cannot express it.
        """
        ...


@dataclass(frozen=True, slots=True)
class JsonSchemaDialect:
    """Draft 2020-12 as it is: nested types stay under `$defs`."""

    name: str = "json-schema"
    forbidden: frozenset[str] = frozenset()

    def adapt(self, schema: JsonSchema) -> JsonSchema:
        """The schema itself."""
        return schema


@dataclass(frozen=True, slots=True)
class StrictSubset:
    """Every object lists all its properties and allows no others; `required` is not widened."""

    name: str = "strict-subset"
    forbidden: frozenset[str] = frozenset()

    def adapt(self, schema: JsonSchema) -> JsonSchema:
        """The schema with `additionalProperties: false` on every object, also under `$defs`."""
        return normalised(self._closed(schema, ""))

    def _closed(self, schema: JsonSchema, path: str) -> JsonSchema:
        found = rebuilt(schema, path, self._closed)
        if schema.get("type") != "object":
            return found
        if schema.get("additionalProperties", False) is not False and "properties" not in schema:
            raise CapabilityError(
                f"dialect {self.name} cannot express a map ({path or '#'}): "
                "declare its fields, or choose another dialect",
                details={
                    "dialect": self.name,
                    "keyword": "additionalProperties",
                    "path": path or "#",
                },
            )
        return {**found, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class InlineRefs:
    """No references: every type stands where it is used, for providers that follow none."""

    max_depth: int = 8
    name: str = "inline-refs"
    forbidden: frozenset[str] = frozenset({"$ref"})

    def adapt(self, schema: JsonSchema) -> JsonSchema:
        """The schema with every reference substituted and no `$defs`.

        Raises:
            CapabilityError: A type contains itself, or types nest deeper than `max_depth`.
        """
        return normalised(inlined(schema, dialect=self.name, max_depth=self.max_depth))


JSON_SCHEMA: Final = JsonSchemaDialect()
STRICT_SUBSET: Final = StrictSubset()
INLINE_REFS: Final = InlineRefs()


def in_dialect(schema: JsonSchema, dialect: Dialect, max_bytes: int | None = None) -> JsonSchema:
    """`schema` in a dialect, held to everything that a model is sent has to be.

    Args:
        schema: Normalised.
        dialect: The form.
        max_bytes: Most bytes of its compact JSON; `None` for no limit.

    Raises:
        CapabilityError: The dialect cannot express the schema.
        SchemaGenerationError: A required property may be anything, or the schema is too large.
    """
    found = dialect.adapt(schema)
    _refuse_permissive(found)
    _refuse_forbidden(found, dialect)
    _refuse_size(found, max_bytes)
    return found


def _refuse_permissive(schema: JsonSchema) -> None:
    for path, node in subschemas(schema):
        properties = cast("dict[str, object]", node.get("properties", {}))
        for name in cast("list[str]", node.get("required", [])):
            if _is_permissive(properties.get(name, False)):
                at = "" if path == "#" else f" ({path})"
                raise SchemaGenerationError(
                    f"the required {name}{at} may be anything: declare what it is", field=name
                )


def _is_permissive(schema: object) -> bool:
    return schema is True or (
        isinstance(schema, dict) and _SAYS_NOTHING.issuperset(cast("JsonSchema", schema))
    )


def _refuse_forbidden(schema: JsonSchema, dialect: Dialect) -> None:
    for path, node in subschemas(schema):
        for keyword in sorted(dialect.forbidden & node.keys()):
            raise CapabilityError(
                f"dialect {dialect.name} cannot express {keyword} ({path})",
                details={"dialect": dialect.name, "keyword": keyword, "path": path},
            )


def _refuse_size(schema: JsonSchema, max_bytes: int | None) -> None:
    if max_bytes is None:
        return
    size = len(json.dumps(schema, separators=(",", ":"), ensure_ascii=False).encode())
    if size > max_bytes:
        raise SchemaGenerationError(
            f"the schema has {size} bytes, and {max_bytes} are allowed: split the type"
        )
