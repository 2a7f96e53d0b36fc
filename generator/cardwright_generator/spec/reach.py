"""What a schema reaches through its references: named types, and the schemas inside them."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import Schema, TypeSpec
from cardwright_generator.spec.nodes import Node, Role, nested
from cardwright_generator.spec.refs import parse_ref
from cardwright_generator.spec.subject import Subject

type TypeKey = tuple[str, str]
"""A named type: the path of its file, and its name."""


@dataclass(frozen=True, slots=True)
class Reached:
    """A schema reached from a starting schema.

    `place` is where to report on it in the starting file: at the schema itself, or at the `$ref`
    that leaves the file. `type_name` is the named type it stands in, if any.
    """

    node: Node
    place: NodePath
    type_name: str | None
    foreign: bool


@dataclass(frozen=True, slots=True)
class _Step:
    """A schema to be walked: where it stands, and by which `$ref` the starting file was left."""

    path: NodePath
    schema: Schema
    file: Subject
    name: str | None = None
    left_by: NodePath | None = None


def reached(start: NodePath, schema: Schema, subject: Subject) -> Iterator[Reached]:
    """Walk a schema and, once each, every named type that it reaches."""
    waiting, seen = [_Step(start, schema, subject)], set[TypeKey]()
    while waiting:
        step = waiting.pop()
        role: Role = "type" if step.name else "argument"
        for node in nested(step.path, step.schema, role):
            place = step.left_by or node.path
            yield Reached(node, place, step.name, step.left_by is not None)
            key = target_of(node.schema, step.file)
            if key is not None and key not in seen:
                seen.add(key)
                waiting.append(_into(node, key, step, subject.file))


def _into(node: Node, key: TypeKey, step: _Step, start: str) -> _Step:
    ref = node.schema.ref or ""
    there, (file, name) = step.file.seen_from(ref), key
    left_by = step.left_by or ((*node.path, "$ref") if file != start else None)
    return _Step(("types", name), there.types[name], there, name, left_by)


def target_of(schema: Schema, subject: Subject) -> TypeKey | None:
    """Return the named type that the `$ref` of a schema stands for, if there is one."""
    parsed = parse_ref(schema.ref) if schema.ref is not None else None
    if parsed is None or schema.ref is None or subject.resolve(schema.ref) is None:
        return None
    return subject.seen_from(schema.ref).file, parsed.name


def uses(spec: Schema, subject: Subject) -> list[tuple[TypeKey, TypeSpec, Subject]]:
    """Return the named types that the schemas inside a schema refer to, each with its file."""
    found: list[tuple[TypeKey, TypeSpec, Subject]] = []
    for node in nested((), spec, "type"):
        key = target_of(node.schema, subject)
        if key is not None and node.schema.ref is not None:
            there = subject.seen_from(node.schema.ref)
            found.append((key, there.types[key[1]], there))
    return found


def recursive_type(schema: Schema, subject: Subject) -> str | None:
    """Return the name of a type that contains itself and is reached from a schema, or None."""
    trail: list[TypeKey] = []
    done: set[TypeKey] = set()
    waiting = [iter(uses(schema, subject))]
    while waiting:
        step = next(waiting[-1], None)
        if step is None:
            waiting.pop()
            if trail:
                done.add(trail.pop())
            continue
        key, spec, there = step
        if key in trail:
            return key[1]
        if key not in done:
            trail.append(key)
            waiting.append(iter(uses(spec, there)))
    return None
