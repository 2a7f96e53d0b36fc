"""Declarations: actors, events, dependencies and the observer (CW709 to CW716)."""

from collections.abc import Iterator

from cardwright_generator.spec.diagnostics import did_you_mean
from cardwright_generator.spec.kinds import allowed_kinds
from cardwright_generator.spec.references import candidates
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.templates import parse_template


@rule("CW709")
def actor_names(subject: Subject) -> Iterator[Finding]:
    """Check that the name of an actor starts with `#`: such actors stop last."""
    for key, actor in subject.card.actors.items() if subject.card else ():
        if actor.name == "#" or not _is_marked(actor.name, subject):
            message = f"the name '{actor.name}' of actor '{key}' does not start with '#'"
            hint = f"write \"#{actor.name}\", in quotes: '#' starts a comment"
            yield Finding(("actors", key, "name"), message, hint)


def _is_marked(name: str, subject: Subject) -> bool:
    first = next(iter(parse_template(name).parts), "")
    if isinstance(first, str):
        return first.startswith("#")
    fields = subject.card.fields if subject.card else {}
    patterns = [fields[one].pattern if one in fields else None for one in first.names]
    return all(pattern is not None and pattern.startswith("^#") for pattern in patterns)


@rule("CW716")
def idle_alternatives(subject: Subject) -> Iterator[Finding]:
    """Check that each alternative but the last of a name can be unset."""
    fields = subject.card.fields if subject.card else {}
    for key, actor in subject.card.actors.items() if subject.card else ():
        for placeholder in parse_template(actor.name).placeholders:
            for name in placeholder.names[:-1]:
                field = fields.get(name)
                is_set = field and not allowed_kinds(field, subject) & {"null", "boolean", "any"}
                if is_set or name == "team_id":
                    message = f"'{name}' in actor '{key}' is always set: what follows it is idle"
                    yield Finding(("actors", key, "name"), message, "let the field be null")


@rule("CW717")
def unset_names(subject: Subject) -> Iterator[Finding]:
    """Check that the name of an actor never says None or True."""
    for key, actor in subject.card.actors.items() if subject.card else ():
        for placeholder in parse_template(actor.name).placeholders:
            for name in placeholder.names:
                if problem := _unsayable(name, subject, last=name == placeholder.names[-1]):
                    message = f"'{name}' in the name of actor '{key}' may be {problem}"
                    hint = f"end with what is always set, for example '{{{name}|team_id}}'"
                    advice = hint if problem == "null" else "name a field of text or a number"
                    yield Finding(("actors", key, "name"), message, advice)


def _unsayable(name: str, subject: Subject, *, last: bool) -> str | None:
    found = candidates(subject.card, name) if subject.card and name != "team_id" else ()
    schema = found[0].schema if len(found) == 1 else None
    kinds = allowed_kinds(schema, subject) if schema else frozenset[str]()
    if "boolean" in kinds:
        return "true or false"
    if "any" in kinds:
        return "anything"
    return "null" if last and "null" in kinds else None


@rule("CW710")
def observer_of_actors(subject: Subject) -> Iterator[Finding]:
    """Check that a card with actors has an observer that reaches actors."""
    card = subject.card
    if card is None or not card.actors:
        return
    reaches = card.observer if isinstance(card.observer, str) else card.observer.extends
    if reaches != "actor":
        message = f"the card has actors, but its observer '{reaches}' does not reach any"
        yield Finding(("observer",), message, "write `observer: actor`")


@rule("CW711")
def event_types(subject: Subject) -> Iterator[Finding]:
    """Check that an event is an object type: of the card, or of a file beside it as a `$ref`."""
    for name in subject.card.events if subject.card else ():
        found = subject.resolve(name) if "#" in name else subject.types.get(name)
        if found is None or found.properties is None:
            message = f"event '{name}' is no object type of the card"
            hint = did_you_mean(name, subject.types) or "declare it in `types`, or name a `$ref`"
            yield Finding(("events", name), message, hint, at="key")


@rule("CW712")
def event_emitters(subject: Subject) -> Iterator[Finding]:
    """Check that an event is emitted by an actor of the card."""
    for name, event in subject.card.events.items() if subject.card else ():
        actors = subject.card.actors if subject.card else {}
        if event.emitter not in actors:
            message = f"the emitter of event '{name}' is no actor of the card: '{event.emitter}'"
            hint = did_you_mean(event.emitter, actors) or "name a key of `actors`"
            yield Finding(("events", name, "emitter"), message, hint)


@rule("CW713")
def naming_fields(subject: Subject) -> Iterator[Finding]:
    """Check that `named_by` names a field that is a boolean or a name."""
    for index, item in enumerate(subject.card.depends_on if subject.card else ()):
        if item.named_by is None:
            continue
        fields = subject.card.fields if subject.card else {}
        field, path = fields.get(item.named_by), ("depends_on", index, "named_by")
        if field is None:
            message = f"'named_by' names no field of the card: '{item.named_by}'"
            yield Finding(path, message, did_you_mean(item.named_by, fields))
        elif allowed_kinds(field, subject) ^ {"boolean", "string"}:
            message = f"'named_by' names field '{item.named_by}', which is no boolean or string"
            yield Finding(path, message, "write `type: [boolean, string]`")


@rule("CW714")
def one_strength(subject: Subject) -> Iterator[Finding]:
    """Check that `named_by`, which decides everything, stands alone."""
    for index, item in enumerate(subject.card.depends_on if subject.card else ()):
        for key, given in (("when", item.when is not None), ("optional", item.optional)):
            if item.named_by is not None and given:
                message = f"'{key}' cannot stand beside 'named_by', which decides it"
                yield Finding(("depends_on", index, key), message, at="key")


@rule("CW715")
def repeated_dependencies(subject: Subject) -> Iterator[Finding]:
    """Check that a card depends on each other card once, and not on itself."""
    seen: set[str] = set()
    for index, item in enumerate(subject.card.depends_on if subject.card else ()):
        if item.card in seen:
            message = f"'depends_on' names '{item.card}' twice"
            yield Finding(("depends_on", index, "card"), message)
        seen.add(item.card)
