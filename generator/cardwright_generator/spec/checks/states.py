"""Context states, and the endpoints that provide or render them (CW601 to CW607)."""

from collections.abc import Iterator

from cardwright_generator.spec.checks.endpoints import POLICY_KEYS, keys_of
from cardwright_generator.spec.diagnostics import did_you_mean
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Endpoint, Subject
from cardwright_generator.spec.words import part

_WITH_STATE = frozenset({"channels", "name", "state", "when"})
_WITH_RENDERS = frozenset({"channels", "name", "doc", "renders", "when", "internal", *POLICY_KEYS})


@rule("CW601")
def context_endpoints(subject: Subject) -> Iterator[Finding]:
    """Check that an llm_context endpoint takes `state`, and nothing else does."""
    for one in subject.endpoints:
        if "llm_context" in one.spec.channels and one.spec.state is None:
            message = f"{part(one.path)} serves llm_context, but names no state"
            yield Finding(one.path, message, "add `state: <type with base: context>`", at="key")
        elif one.spec.state is not None and "llm_context" not in one.spec.channels:
            message = f"'state' of {part(one.path)} belongs to the channel llm_context"
            yield Finding((*one.path, "state"), message, at="key")


@rule("CW602")
def lonely_state(subject: Subject) -> Iterator[Finding]:
    """Check that a state endpoint says nothing but its state."""
    for one in subject.endpoints:
        if one.spec.state is None or "llm_context" not in one.spec.channels:
            continue
        for key in keys_of(one.spec):
            if key not in _WITH_STATE:
                message = f"'{key}' of {part(one.path)} cannot stand beside 'state'"
                yield Finding((*one.path, key), message, at="key")


@rule("CW603")
def state_types(subject: Subject) -> Iterator[Finding]:
    """Check that a state is a context type of the card."""
    for one in subject.endpoints:
        if one.spec.state is None:
            continue
        found = subject.types.get(one.spec.state)
        if found is None or found.base != "context":
            message = f"'state' of {part(one.path)} names no context type: '{one.spec.state}'"
            known = [name for name, spec in subject.types.items() if spec.base == "context"]
            hint = did_you_mean(one.spec.state, known) or "declare it with `base: context`"
            yield Finding((*one.path, "state"), message, hint)


@rule("CW604")
def context_classes(subject: Subject) -> Iterator[Finding]:
    """Check that a context type names the class that renders it."""
    for name, spec in subject.types.items():
        if spec.base == "context" and spec.class_ is None:
            message = f"context type '{name}' names no class"
            hint = "add `class: module:Name`, the class with render_full and render_delta"
            yield Finding(("types", name), message, hint, at="key")


@rule("CW605")
def mixed_channels(subject: Subject) -> Iterator[Finding]:
    """Check that a state is served on llm_context alone."""
    for one in subject.endpoints:
        if "llm_context" in one.spec.channels and len(one.spec.channels) > 1:
            message = f"{part(one.path)} serves llm_context beside other channels"
            hint = "declare a second endpoint with `renders` for the other channels"
            yield Finding((*one.path, "channels"), message, hint)


@rule("CW606")
def rendered_states(subject: Subject) -> Iterator[Finding]:
    """Check that `renders` names a state endpoint of the same capability, whose param it has."""
    for one in subject.endpoints:
        endpoints = one.capability.endpoints
        states = [key for key, spec in endpoints.items() if spec.state is not None]
        if one.spec.renders is not None and one.spec.renders not in states:
            message = f"'renders' of {part(one.path)} names no state endpoint: '{one.spec.renders}'"
            yield Finding((*one.path, "renders"), message, _state_hint(one, states, subject))


def _state_hint(one: Endpoint, states: list[str], subject: Subject) -> str | None:
    if any(other.key == one.spec.renders and other.spec.state for other in subject.endpoints):
        return "that state belongs to another capability: declare this endpoint there"
    return did_you_mean(one.spec.renders, states)


@rule("CW607")
def lonely_renders(subject: Subject) -> Iterator[Finding]:
    """Check that an endpoint that renders has neither arguments nor an answer of its own."""
    for one in subject.endpoints:
        if one.spec.renders is None:
            continue
        for key in keys_of(one.spec):
            if key not in _WITH_RENDERS:
                message = f"'{key}' of {part(one.path)} cannot stand beside 'renders'"
                yield Finding((*one.path, key), message, at="key")
