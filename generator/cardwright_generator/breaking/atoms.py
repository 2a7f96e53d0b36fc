"""A schema taken apart: the types it allows, references followed, alternatives flattened."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardwright_generator.model.schema import has_const, is_object, types_of
from cardwright_generator.spec.language import Schema, TypeSpec

from .sides import Node, Side

DEEPEST = 30
"""References that are followed one behind the other: checked specs have no circles of aliases."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One type that a schema allows, without its alternatives."""

    kind: str
    """A word of JSON Schema, `class` for a closed object, `python` for a class of code."""
    schema: Schema
    node: Node
    name: str = ""
    """Name of the class."""


@dataclass(frozen=True, slots=True)
class Taken:
    """All that a schema allows."""

    atoms: tuple[Atom, ...]
    choices: tuple[object, ...] | None
    """Values of enumerations and constants, null aside, in order; `None` if there are none."""
    null: bool
    chosen: Node
    """Where the choices stand, or else the schema."""


def take(schema: Schema, node: Node, side: Side) -> Taken:
    """Take a schema apart."""
    atoms = list[Atom]()
    choices: list[object] | None = None
    null, chosen = False, node
    for atom in _atoms(schema, node, side, 0):
        if atom.kind == "null":
            null = True
        elif atom.kind == "choice":
            values = _values(atom.schema)
            null = null or None in values
            chosen = atom.node if choices is None else chosen
            choices = [*(choices or []), *(one for one in values if one is not None)]
        else:
            atoms.append(atom)
    return Taken(tuple(atoms), None if choices is None else tuple(choices), null, chosen)


def _values(schema: Schema) -> list[object]:
    return [schema.const] if schema.enum is None else list(schema.enum)


def _atoms(schema: Schema, node: Node, side: Side, depth: int) -> Iterator[Atom]:
    if schema.ref is not None:
        yield from _referred(schema.ref, node, side, depth)
    elif schema.any_of is not None:
        for index, part in enumerate(schema.any_of):
            yield from _atoms(part, node.at("anyOf", index), side, depth)
    elif schema.python is not None:
        yield Atom("python", schema, node, schema.python)
    elif schema.enum is not None or has_const(schema):
        yield Atom("choice", schema, node)
    elif is_object(schema):
        yield Atom("class", schema, node, str(node.path[-1]))
    else:
        yield from (Atom(word, schema, node) for word in types_of(schema))


def _referred(ref: str, node: Node, side: Side, depth: int) -> Iterator[Atom]:
    found = side.target(ref, node.file)
    if found is None or depth > DEEPEST:
        return
    there, spec = found
    if is_object(spec):
        yield Atom("class", spec, there, str(there.path[-1]))
    else:
        yield from _atoms(spec, there, side, depth + 1)


def description_of(schema: Schema, node: Node, side: Side) -> str | None:
    """What is said about a value: at its place, or else by the alias that it refers to."""
    if schema.description is not None or schema.ref is None:
        return None if schema.description is None else schema.description.strip()
    found = side.target(schema.ref, node.file)
    if found is None or is_object(found[1]):
        return None
    return description_of(found[1], found[0], side)


def class_spec(atom: Atom) -> TypeSpec | None:
    """The named type of a class, if it has one."""
    return atom.schema if isinstance(atom.schema, TypeSpec) else None
