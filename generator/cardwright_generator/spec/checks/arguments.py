"""Arguments of endpoints, as a model fills them (CW412, CW414, CW417, CW426, CW428)."""

from collections.abc import Iterator

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import ArgumentSpec, Schema, TypeSpec
from cardwright_generator.spec.reach import Reached, reached, recursive_type
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Endpoint, Subject
from cardwright_generator.spec.words import part


def _arguments(
    subject: Subject, channel: str | None = None
) -> Iterator[tuple[Endpoint, NodePath, ArgumentSpec]]:
    for endpoint in subject.endpoints:
        if channel is None or channel in endpoint.spec.channels:
            for name, argument in endpoint.spec.arguments.items():
                yield endpoint, (*endpoint.path, "arguments", name), argument


@rule("CW412")
def recursive_arguments(subject: Subject) -> Iterator[Finding]:
    """Check that no argument reaches a type that contains itself."""
    for _, path, argument in _arguments(subject):
        if name := recursive_type(argument, subject):
            message = f"{part(path)} reaches type '{name}', which contains itself"
            hint = "name the parts by id in a flat list"
            yield Finding(path, message, hint, at="key")


@rule("CW414")
def python_in_arguments(subject: Subject) -> Iterator[Finding]:
    """Check that no argument of a tool reaches a Python type: it has no schema."""
    for _, path, argument in _arguments(subject, "tool_call"):
        for one in reached(path, argument, subject):
            if one.node.schema.python is not None:
                yield _forbidden(one, path, "python", "a Python type")


@rule("CW417")
def secrets_in_arguments(subject: Subject) -> Iterator[Finding]:
    """Check that no argument is or reaches a secret: a model must not see one."""
    for _, path, argument in _arguments(subject):
        for one in reached(path, argument, subject):
            if one.node.schema.secret:
                yield _forbidden(one, path, "secret", "a secret")


def _forbidden(one: Reached, path: NodePath, key: str, what: str) -> Finding:
    place = one.place if one.foreign else (*one.place, key)
    return Finding(place, f"{part(path)} is or holds {what}", at="key")


@rule("CW426")
def two_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that an argument has one default."""
    for _, path, argument in _arguments(subject):
        if argument.has_default and argument.default_from is not None:
            message = f"{part(path)} has both 'default' and 'default_from'"
            yield Finding((*path, "default_from"), message, at="key")


@rule("CW428")
def subclassed_arguments(subject: Subject) -> Iterator[Finding]:
    """Check that a type with a handwritten class only leaves the logic, never enters it."""
    starts: list[tuple[NodePath, Schema]] = [
        *((path, argument) for _, path, argument in _arguments(subject)),
        *((node.path, node.schema) for node in subject.nodes if node.role == "field"),
    ]
    for path, schema in starts:
        for one in reached(path, schema, subject):
            inner = one.node.schema
            if isinstance(inner, TypeSpec) and inner.class_ is not None:
                message = f"{part(path)} takes type '{one.type_name}', which has a class of its own"
                hint = "such a type can only be returned: the loaded value would be its base"
                yield Finding(path, message, hint, at="key")
