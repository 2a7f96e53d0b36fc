"""Whether every value of one schema is a value of another: for `default_from`."""

from collections.abc import Iterator

from cardwright_generator.spec.kinds import DEEPEST, has_const, kind_of, type_words
from cardwright_generator.spec.language import Schema
from cardwright_generator.spec.subject import Subject

type Atom = tuple[str, object]


def assignable(source: Schema, target: Schema, subject: Subject) -> bool:
    """Whether the types of a source fit a target; `beyond` compares the bounds."""
    due = list(_atoms(target, subject))
    return all(any(_covers(one, given) for one in due) for given in _atoms(source, subject))


def _covers(due: Atom, given: Atom) -> bool:
    if due == given or due[0] == "any" or given[0] == "any":
        return True
    if due[0] != given[0]:
        return due == ("number", None) and given[0] == "integer"
    return due[1] is None


def _atoms(schema: Schema, subject: Subject, depth: int = 0) -> Iterator[Atom]:
    """Split a schema into types; choices and contents make an atom narrower than its type."""
    if depth > DEEPEST or schema.python is not None:
        yield ("any", None)
    elif schema.ref is not None:
        found = subject.resolve(schema.ref)
        if found is None or found.properties is not None:
            yield ("object", schema.ref)
        else:
            yield from _atoms(found, subject.seen_from(schema.ref), depth + 1)
    elif schema.any_of:
        for one in schema.any_of:
            yield from _atoms(one, subject, depth + 1)
    elif schema.enum is not None or has_const(schema):
        for value in schema.enum if schema.enum is not None else [schema.const]:
            yield (kind_of(value), value)
    else:
        yield from _of_types(schema, subject, depth)


def _of_types(schema: Schema, subject: Subject, depth: int) -> Iterator[Atom]:
    for word in type_words(schema):
        if word == "array" and schema.items is not None:
            inner = frozenset(_hashable(one) for one in _atoms(schema.items, subject, depth + 1))
            yield ("array", inner)
        else:
            yield (word, None)


def _hashable(atom: Atom) -> tuple[str, str]:
    return atom[0], repr(atom[1])
