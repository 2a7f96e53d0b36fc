"""References to configuration: conditions, defaults from configuration, braces (CW701-CW708)."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardwright_generator.spec.assignable import assignable
from cardwright_generator.spec.diagnostics import NodePath, did_you_mean
from cardwright_generator.spec.kinds import allowed_kinds
from cardwright_generator.spec.language import CardSpec, Schema
from cardwright_generator.spec.narrowness import beyond
from cardwright_generator.spec.references import (
    Reference,
    candidates,
    known_names,
    parse_condition,
)
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.templates import Template, parse_template
from cardwright_generator.spec.words import within

_TEXT_KINDS = frozenset({"string", "integer", "number", "boolean", "null", "any"})


@dataclass(frozen=True, slots=True)
class Referring:
    """A name that refers to configuration, and where it stands."""

    path: NodePath
    name: str
    use: str
    capability: str | None
    card: CardSpec

    @property
    def found(self) -> tuple[Reference, ...]:
        """All that it can mean."""
        return candidates(self.card, self.name, self.capability)


def _conditions(subject: Subject) -> Iterator[tuple[NodePath, str, str | None]]:
    """Every `when`: its path, its text and the capability from which it is seen."""
    card = subject.card
    if card is None:
        return
    places: list[tuple[NodePath, str | None, str | None]] = [
        (("depends_on", index), item.when, None) for index, item in enumerate(card.depends_on)
    ]
    places += [(("actors", key), actor.when, None) for key, actor in card.actors.items()]
    places += [(("capabilities", key), spec.when, key) for key, spec in card.capabilities.items()]
    for endpoint in subject.endpoints:
        places.append((endpoint.path, endpoint.spec.when, endpoint.capability_key))
        for name, argument in endpoint.spec.arguments.items():
            path = (*endpoint.path, "arguments", name)
            places.append((path, argument.when, endpoint.capability_key))
    for path, when, capability in places:
        if when is not None:
            yield (*path, "when"), when, capability


def _templates(subject: Subject) -> Iterator[tuple[NodePath, Template, str | None]]:
    """Every text with braces: docs and descriptions of endpoints, names of actors."""
    for endpoint in subject.endpoints:
        texts: list[tuple[NodePath, str | None]] = [((*endpoint.path, "doc"), endpoint.spec.doc)]
        texts += [
            ((*endpoint.path, "arguments", name, "description"), argument.description)
            for name, argument in endpoint.spec.arguments.items()
        ]
        for path, text in texts:
            if text is not None:
                yield path, parse_template(text), endpoint.capability_key
    for key, actor in subject.card.actors.items() if subject.card else ():
        yield ("actors", key, "name"), parse_template(actor.name), None


def names_in(subject: Subject) -> Iterator[Referring]:
    """Every name of a card that refers to configuration."""
    if subject.card is None:
        return
    for path, use, name, capability in (
        *_names_in_conditions(subject),
        *_names_in_braces(subject),
        *_names_of_defaults(subject),
    ):
        yield Referring(path, name, use, capability, subject.card)


type _Use = tuple[NodePath, str, str, str | None]


def _names_in_conditions(subject: Subject) -> Iterator[_Use]:
    for path, text, capability in _conditions(subject):
        if condition := parse_condition(text):
            yield path, "when", condition.name, capability


def _names_in_braces(subject: Subject) -> Iterator[_Use]:
    for path, template, capability in _templates(subject):
        for placeholder in template.placeholders:
            for name in placeholder.names:
                if path[0] != "actors" or name != "team_id":
                    yield path, "braces", name, capability


def _names_of_defaults(subject: Subject) -> Iterator[_Use]:
    for endpoint in subject.endpoints:
        for key, argument in endpoint.spec.arguments.items():
            if argument.default_from is not None:
                path = (*endpoint.path, "arguments", key, "default_from")
                yield path, "default_from", argument.default_from, endpoint.capability_key


@rule("CW701")
def unknown_names(subject: Subject) -> Iterator[Finding]:
    """Check that each name refers to configuration that exists."""
    for one in names_in(subject):
        if not one.found:
            message = f"'{one.name}' in {within(one.path)} is no configuration of the card"
            hint = did_you_mean(one.name, known_names(one.card, one.capability))
            yield Finding(one.path, message, hint or _all_names(one))


def _all_names(one: Referring) -> str:
    known = known_names(one.card, one.capability)
    return f"known here: {', '.join(known)}" if known else "declare it in `fields` or `config`"


@rule("CW702")
def ambiguous_names(subject: Subject) -> Iterator[Finding]:
    """Check that no name refers to two things."""
    for one in names_in(subject):
        if len(one.found) > 1:
            message = f"'{one.name}' in {within(one.path)} is both a config field and of the card"
            hint = f"rename one of them, or write '{one.capability}.{one.name}'"
            yield Finding(one.path, message, hint)


@rule("CW703")
def defaults_from(subject: Subject) -> Iterator[Finding]:
    """Check that a default from configuration has the type of the argument."""
    for endpoint in subject.endpoints:
        for key, argument in endpoint.spec.arguments.items():
            found = _value_of(subject, argument.default_from, endpoint.capability_key)
            if found and (problem := _unfit(found.schema, argument, subject)):
                path = (*endpoint.path, "arguments", key)
                message = f"'{argument.default_from}' does not fit the {problem} of {within(path)}"
                yield Finding((*path, "default_from"), message, f"give both the same {problem}")


def _unfit(source: Schema | None, target: Schema, subject: Subject) -> str | None:
    """Say what of a target the values of a source may break."""
    if source is None or source.secret or not assignable(source, target, subject):
        return "type"
    return beyond(source, target, subject) and "bounds"


def _value_of(subject: Subject, name: str | None, capability: str) -> Reference | None:
    if subject.card is None or name is None:
        return None
    found = candidates(subject.card, name, capability)
    return found[0] if len(found) == 1 else None


@rule("CW718")
def values_of_nothing(subject: Subject) -> Iterator[Finding]:
    """Check that a field of another capability has a value while that capability is off."""
    for one in names_in(subject):
        found = one.found[0] if len(one.found) == 1 else None
        if found is None or found.schema is None or one.use == "when":
            continue
        if found.capability not in {None, one.capability} and not found.schema.has_default:
            message = f"'{one.name}' in {within(one.path)} has no value while its capability is off"
            yield Finding(one.path, message, "give the field a default, or use one of the card")


@rule("CW704")
def broken_braces(subject: Subject) -> Iterator[Finding]:
    """Check how braces are written."""
    for path, template, _ in _templates(subject):
        if template.fault is not None:
            message = f"'{template.fault}' in {within(path)} is no placeholder"
            yield Finding(path, message, "write `{name}`, or `{{` and `}}` for braces")
        elif path[0] != "actors":
            for placeholder in template.placeholders:
                if len(placeholder.names) > 1:
                    message = f"alternatives in {within(path)} belong to names of actors"
                    yield Finding(path, message, "write one name in braces")


@rule("CW705")
def broken_conditions(subject: Subject) -> Iterator[Finding]:
    """Check how conditions are written."""
    for path, text, _ in _conditions(subject):
        if text.strip() and parse_condition(text) is None:
            message = f"'{text}' in {within(path)} is no condition"
            yield Finding(path, message, "write `field`, `not field` or `capability.field`")


@rule("CW706")
def constant_conditions(subject: Subject) -> Iterator[Finding]:
    """Check that a condition can be false: what it names may be null or false."""
    for one in names_in(subject):
        schema = one.found[0].schema if len(one.found) == 1 else None
        if one.use != "when" or schema is None:
            continue
        if not allowed_kinds(schema, subject) & {"boolean", "null", "any"}:
            message = f"'{one.name}' in {within(one.path)} is never null or false"
            yield Finding(one.path, message, "a condition asks whether a value is set")


@rule("CW707")
def unwritable_values(subject: Subject) -> Iterator[Finding]:
    """Check that what stands in braces can be written as text."""
    for one in names_in(subject):
        if one.use == "braces" and len(one.found) == 1:
            schema = one.found[0].schema
            if schema is None or not allowed_kinds(schema, subject) <= _TEXT_KINDS:
                message = f"'{one.name}' in {within(one.path)} cannot be written as text"
                yield Finding(one.path, message, "name a field that holds text or a number")


@rule("CW708")
def idle_braces(subject: Subject) -> Iterator[Finding]:
    """Check that braces stand only where they are replaced."""
    known = _configuration(subject)
    for node in subject.nodes:
        text = node.schema.description
        if text is None or node.role == "argument":
            continue
        for placeholder in parse_template(text).placeholders:
            if known & set(placeholder.names):
                name = "|".join(placeholder.names)
                message = f"'{{{name}}}' in {within(node.path)} is not replaced there"
                hint = "braces work in docs and descriptions of arguments only"
                yield Finding((*node.path, "description"), message, hint)


def _configuration(subject: Subject) -> set[str]:
    card = subject.card
    if card is None:
        return set()
    return set(card.fields).union(*(spec.config for spec in card.capabilities.values()))
