"""Texts: everything that a model, a user or a reader needs is described (CW501-CW507)."""

from collections.abc import Iterator

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.reach import Reached, reached
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.words import anything, part, within

_TEXTS = frozenset({"description", "doc", "summary", "when", "when_missing", "use"})


@rule("CW501")
def arguments(subject: Subject) -> Iterator[Finding]:
    """Check that each argument of an endpoint is described."""
    for endpoint in subject.endpoints:
        for name, argument in endpoint.spec.arguments.items():
            if argument.description is None:
                path = (*endpoint.path, "arguments", name)
                message = f"{part(path)} has no description"
                yield Finding(path, message, "say what the model should put there", at="key")


@rule("CW502")
def reached_properties(subject: Subject) -> Iterator[Finding]:
    """Check that each property that a tool's argument reaches is described."""
    told: set[tuple[NodePath, str]] = set()
    for endpoint in subject.endpoints:
        if "tool_call" not in endpoint.spec.channels:
            continue
        for name, argument in endpoint.spec.arguments.items():
            path = (*endpoint.path, "arguments", name)
            for one in reached(path, argument, subject):
                message = _undescribed(one, part(path))
                if message and (one.place, message) not in told:
                    told.add((one.place, message))
                    hint = "the model reads the description of each property"
                    yield Finding(one.place, message, hint, at="key")


def _undescribed(one: Reached, argument: str) -> str | None:
    if one.node.role != "property" or one.node.schema.description is not None:
        return None
    owner = f" of type '{one.type_name}'" if one.type_name else ""
    where = f", which {argument} reaches," if one.foreign else ""
    return f"property '{one.node.key}'{owner}{where} has no description"


@rule("CW503")
def fields(subject: Subject) -> Iterator[Finding]:
    """Check that each configuration field is described."""
    for node in subject.nodes:
        if node.role == "field" and node.schema.description is None:
            yield Finding(node.path, f"{part(node.path)} has no description", at="key")


@rule("CW504")
def blank_texts(subject: Subject) -> Iterator[Finding]:
    """Check that no text is blank."""
    for path, value in subject.leaves:
        if path[-1] in _TEXTS and isinstance(value, str) and not value.strip():
            yield Finding(path, f"'{path[-1]}' of {within(path[:-1])} is blank")


@rule("CW206")
def missing_values(subject: Subject) -> Iterator[Finding]:
    """Check that a key that is written has a value: null means something for few of them."""
    for path, value in subject.leaves:
        if value is None and path[-1] != "returns":
            hint = "leave out the key, or write its value; a text that starts with '#' needs quotes"
            yield Finding(path, f"{anything(path)} has no value", hint, at="key")


@rule("CW505")
def docs(subject: Subject) -> Iterator[Finding]:
    """Check that each endpoint says what it does."""
    for endpoint in subject.endpoints:
        if endpoint.spec.doc is None and "llm_context" not in endpoint.spec.channels:
            yield Finding(endpoint.path, f"{part(endpoint.path)} has no doc", "add `doc`", at="key")


@rule("CW506")
def summary_line(subject: Subject) -> Iterator[Finding]:
    """Check that the summary is one line."""
    if subject.card and "\n" in subject.card.summary.strip():
        hint = "the first sentence here, the rest in `description`"
        yield Finding(("summary",), "the summary has more than one line", hint)
