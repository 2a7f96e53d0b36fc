"""What an argument reaches: the named types behind it, and the schemas inside them."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import Schema
from cardwright_generator.spec.nodes import Node, Role, nested, parts
from cardwright_generator.spec.refs import parse_ref
from cardwright_generator.spec.subject import Subject


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


def reached(start: NodePath, schema: Schema, subject: Subject) -> Iterator[Reached]:
    """Walk a schema and, once each, every named type that it reaches."""
    walk = _Walk(set())
    yield from walk.schema(start, schema, subject, None, None)


@dataclass(slots=True)
class _Walk:
    seen: set[tuple[str, str]]

    def schema(
        self,
        path: NodePath,
        schema: Schema,
        subject: Subject,
        name: str | None,
        foreign_place: NodePath | None,
    ) -> Iterator[Reached]:
        role: Role = "type" if name else "argument"
        for node in nested(path, schema, role):
            place = foreign_place or node.path
            yield Reached(node, place, name, foreign_place is not None)
            if node.schema.ref is not None:
                leaving = foreign_place or (*node.path, "$ref")
                yield from self.target(node.schema.ref, subject, leaving, foreign_place)

    def target(
        self, ref: str, subject: Subject, leaving: NodePath, foreign_place: NodePath | None
    ) -> Iterator[Reached]:
        parsed, found = parse_ref(ref), subject.resolve(ref)
        if parsed is None or found is None:
            return
        there = subject.seen_from(ref)
        if (there.file, parsed.name) in self.seen:
            return
        self.seen.add((there.file, parsed.name))
        foreign = leaving if there.file != subject.file else foreign_place
        yield from self.schema(("types", parsed.name), found, there, parsed.name, foreign)


def recursive_type(schema: Schema, subject: Subject) -> str | None:
    """Return the name of a type that contains itself and is reached from a schema, or None."""
    return _cycle(schema, subject, (), set())


def _cycle(
    schema: Schema, subject: Subject, trail: tuple[tuple[str, str], ...], done: set[tuple[str, str]]
) -> str | None:
    if schema.ref is not None:
        parsed, found = parse_ref(schema.ref), subject.resolve(schema.ref)
        if parsed is None or found is None:
            return None
        there = subject.seen_from(schema.ref)
        step = (there.file, parsed.name)
        if step in trail or step in done:
            return parsed.name if step in trail else None
        result = _cycle(found, there, (*trail, step), done)
        done.add(step)
        return result
    inner = (_cycle(one, subject, trail, done) for _, one, _ in parts(schema))
    return next((name for name in inner if name), None)
