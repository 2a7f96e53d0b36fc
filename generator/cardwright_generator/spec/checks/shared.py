"""Circles: aliases made of themselves, and files that refer to each other (CW429, CW432)."""

from collections.abc import Iterator

from cardwright_generator.spec.kinds import is_object_type
from cardwright_generator.spec.language import TypeSpec
from cardwright_generator.spec.nodes import Node, schemas_of_types
from cardwright_generator.spec.reach import TypeKey, target_of, uses
from cardwright_generator.spec.refs import parse_ref
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject


@rule("CW429")
def alias_circles(subject: Subject) -> Iterator[Finding]:
    """Check that an alias is not made of itself."""
    for name, spec in subject.types.items():
        if not is_object_type(spec) and _is_made_of((subject.file, name), spec, subject):
            message = f"type '{name}' is made of itself, with no object between"
            yield Finding(("types", name), message, at="key")


def _is_made_of(own: TypeKey, spec: TypeSpec, subject: Subject) -> bool:
    waiting, seen = [(spec, subject)], set[TypeKey]()
    while waiting:
        for key, found, there in uses(*waiting.pop()):
            if key == own:
                return True
            if key not in seen and not is_object_type(found):
                seen.add(key)
                waiting.append((found, there))
    return False


@rule("CW432")
def file_circles(subject: Subject) -> Iterator[Finding]:
    """Check that files of shared types do not refer to each other in circles."""
    for node in subject.nodes if subject.card is None else ():
        parsed = parse_ref(node.schema.ref or "")
        target = target_of(node.schema, subject)
        if parsed is None or target is None or not parsed.file:
            continue
        if target[0] == subject.file:
            hint = f"write '#/types/{parsed.name}'"
            yield _circle(node, "the file refers to itself by its name", hint)
        elif subject.file in _files_behind(target[0], subject):
            message = f"'{parsed.file}' refers back to this file"
            yield _circle(node, message, "move what both need into a third file")


def _circle(node: Node, message: str, hint: str) -> Finding:
    return Finding((*node.path, "$ref"), message, hint)


def _files_behind(file: str, subject: Subject) -> set[str]:
    """Return the files that a file of shared types needs, directly or not."""
    waiting, seen = [file], set[str]()
    while waiting:
        there = Subject(waiting.pop(), {}, None, subject.around)
        for node in schemas_of_types(subject.around.commons.get(there.file, {})):
            target = target_of(node.schema, there)
            if target is not None and target[0] not in {there.file, *seen}:
                seen.add(target[0])
                waiting.append(target[0])
    return seen
