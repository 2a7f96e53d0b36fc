"""Every schema of a spec with its path and its role."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import (
    CardSpec,
    EndpointSpec,
    ObserverSpec,
    Schema,
    TypeSpec,
)

type Role = Literal["type", "property", "field", "argument", "returns", "member", "inner"]


@dataclass(frozen=True, slots=True)
class Node:
    """A schema in its place.

    `role` says what it describes; `inner` schemas are items, alternatives and free values.
    `root` is the path of the outermost schema it belongs to.
    """

    path: NodePath
    schema: Schema
    role: Role
    root: NodePath
    root_role: Role

    @property
    def key(self) -> str:
        """Last name of the path."""
        return str(self.path[-1])


def schemas_of_types(types: Mapping[str, TypeSpec]) -> Iterator[Node]:
    """Walk the schemas of named types."""
    for name, schema in types.items():
        yield from nested(("types", name), schema, "type")


def schemas_of_card(card: CardSpec) -> Iterator[Node]:
    """Walk the schemas of a card beside its types."""
    for name, field in card.fields.items():
        yield from nested(("fields", name), field, "field")
    if isinstance(card.observer, ObserverSpec):
        yield from _of_observer(card.observer)
    for key, capability in card.capabilities.items():
        path: NodePath = ("capabilities", key)
        for name, field in capability.config.items():
            yield from nested((*path, "config", name), field, "field")
        for name, endpoint in capability.endpoints.items():
            yield from _of_endpoint((*path, "endpoints", name), endpoint)


def _of_observer(observer: ObserverSpec) -> Iterator[Node]:
    for name, member in observer.members.items():
        path: NodePath = ("observer", "members", name)
        for argument, schema in member.arguments.items():
            yield from nested((*path, "arguments", argument), schema, "member")
        if isinstance(member.returns, Schema):
            yield from nested((*path, "returns"), member.returns, "member")


def _of_endpoint(path: NodePath, endpoint: EndpointSpec) -> Iterator[Node]:
    for argument, schema in endpoint.arguments.items():
        yield from nested((*path, "arguments", argument), schema, "argument")
    if isinstance(endpoint.returns, Schema):
        yield from nested((*path, "returns"), endpoint.returns, "returns")


def nested(path: NodePath, schema: Schema, role: Role) -> Iterator[Node]:
    """Walk a schema and what is inside it."""
    yield from _walk(path, schema, role, path, role)


def _walk(
    path: NodePath, schema: Schema, role: Role, root: NodePath, root_role: Role
) -> Iterator[Node]:
    yield Node(path, schema, role, root, root_role)
    for inner_path, inner, inner_role in parts(schema):
        yield from _walk((*path, *inner_path), inner, inner_role, root, root_role)


def parts(schema: Schema) -> Iterator[tuple[NodePath, Schema, Role]]:
    """Return the schemas directly inside a schema, each with its path and role."""
    for name, spec in (schema.properties or {}).items():
        yield ("properties", name), spec, "property"
    if schema.items:
        yield ("items",), schema.items, "inner"
    for index, inner in enumerate(schema.any_of or ()):
        yield ("anyOf", index), inner, "inner"
    if isinstance(schema.additional_properties, Schema):
        yield ("additionalProperties",), schema.additional_properties, "inner"
