"""Endpoints: what each one may say on its channels (CW608 to CW621)."""

from collections.abc import Iterator

from cardwright_generator.spec.checks.names import named
from cardwright_generator.spec.diagnostics import NodePath, dotted
from cardwright_generator.spec.kinds import allowed_kinds, is_object_type, type_words
from cardwright_generator.spec.language import ArgumentSpec, EndpointSpec, Schema
from cardwright_generator.spec.reach import reached
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Endpoint, Subject
from cardwright_generator.spec.words import part

POLICY_KEYS = ("timeout", "parallel_safe", "idempotency", "approval")


def keys_of(endpoint: EndpointSpec) -> list[str]:
    """Return the keys of an endpoint as they are written in the file, sorted."""
    fields = EndpointSpec.model_fields
    return sorted(fields[name].alias or name for name in endpoint.model_fields_set)


@rule("CW608")
def one_command(subject: Subject) -> Iterator[Finding]:
    """Check that a capability has one command at most."""
    seen: dict[str, str] = {}
    for one in subject.endpoints:
        if "command" in one.spec.channels:
            first = seen.setdefault(one.capability_key, one.key)
            if first != one.key:
                message = f"capability '{one.capability_key}' already has the command '{first}'"
                yield Finding(one.path, message, "declare another capability", at="key")


@rule("CW609")
def same_public_name(subject: Subject) -> Iterator[Finding]:
    """Check that a public name is used once per channel in a card."""
    seen: dict[tuple[str, str], Endpoint] = {}
    for one in subject.endpoints:
        for channel in dict.fromkeys(one.spec.channels):
            first = seen.setdefault((channel, one.name), one)
            if first.key != one.key:
                message = f"'{one.name}' on {channel} is already the name of endpoint '{first.key}'"
                hint = f"the other is {dotted(first.path)}: give one of them another `name`"
                yield named(one, message, hint)


@rule("CW610")
def repeated_channels(subject: Subject) -> Iterator[Finding]:
    """Check that no list of channels names one twice."""
    for one in subject.endpoints:
        yield from _repeated((*one.path, "channels"), list(one.spec.channels))
    for key, capability in subject.card.capabilities.items() if subject.card else ():
        yield from _repeated(("capabilities", key, "expose"), list(capability.expose or ()))


def _repeated(path: tuple[str | int, ...], channels: list[str]) -> Iterator[Finding]:
    for index, channel in enumerate(channels):
        if channel in channels[:index]:
            message = f"'{path[-1]}' of {part(path[:-1])} lists '{channel}' twice"
            yield Finding((*path, index), message)


@rule("CW611")
def policy_keys(subject: Subject) -> Iterator[Finding]:
    """Check that keys about tool calls stand on tools."""
    for one in subject.endpoints:
        if "tool_call" in one.spec.channels:
            continue
        for key in keys_of(one.spec):
            if key in POLICY_KEYS and one.spec.state is None:
                message = f"'{key}' of {part(one.path)} belongs to the channel tool_call"
                yield Finding((*one.path, key), message, at="key")


@rule("CW612")
def internal_commands(subject: Subject) -> Iterator[Finding]:
    """Check that `internal` stands on commands only."""
    for one in subject.endpoints:
        if one.spec.internal and one.spec.channels != ["command"]:
            message = (
                f"'internal' of {part(one.path)} belongs to an endpoint that is a command only"
            )
            yield Finding((*one.path, "internal"), message, at="key")


@rule("CW613")
def rest_of_line(subject: Subject) -> Iterator[Finding]:
    """Check where `rest_of_line` stands."""
    for one in subject.endpoints:
        names = list(one.spec.arguments)
        for index, name in enumerate(names):
            argument = one.spec.arguments[name]
            if argument.rest_of_line and (reason := _not_at_end(one, argument, index)):
                path = (*one.path, "arguments", name, "rest_of_line")
                yield Finding(path, f"'rest_of_line' of '{name}' {reason}", at="key")


def _not_at_end(one: Endpoint, argument: ArgumentSpec, index: int) -> str | None:
    if one.spec.channels != ["command"]:
        return "belongs to an endpoint that is a command only"
    if index < len(one.spec.arguments) - 1:
        return "belongs to the last argument"
    if type_words(argument) != ("string",):
        return "belongs to an argument of type string"
    optional = [_is_optional(other) for other in one.spec.arguments.values()][:-1]
    if optional != sorted(optional):
        return "needs the required arguments before the optional ones"
    return None


def _is_optional(argument: ArgumentSpec) -> bool:
    return argument.has_default or argument.default_from is not None


@rule("CW614")
def conditional_arguments(subject: Subject) -> Iterator[Finding]:
    """Check that an endpoint has one conditional argument at most, and that it is optional."""
    for one in subject.endpoints:
        first: str | None = None
        for name, argument in one.spec.arguments.items():
            if argument.when is None:
                continue
            path = (*one.path, "arguments", name, "when")
            if first is not None:
                message = f"{part(one.path)} already has the conditional argument '{first}'"
                yield Finding(
                    path, message, "declare two endpoints, each under a condition", at="key"
                )
            elif not _is_optional(argument):
                message = f"{part(path[:-1])} is conditional, but has no default"
                yield Finding(path, message, "the logic is given the default without it", at="key")
            first = first or name


@rule("CW618")
def prompt_endpoints(subject: Subject) -> Iterator[Finding]:
    """Check that a system prompt is a text without arguments."""
    for one in subject.endpoints:
        if "system_prompt" not in one.spec.channels:
            continue
        if one.spec.arguments:
            message = f"{part(one.path)} serves system_prompt, so it has no arguments"
            yield Finding((*one.path, "arguments"), message, at="key")
        if one.spec.renders is None and not _is_text(one.spec.returns, subject):
            message = f"{part(one.path)} serves system_prompt, so it returns a string"
            yield Finding((*one.path, "returns"), message, "write `returns: string`")
        if one.spec.async_:
            message = f"{part(one.path)} serves system_prompt, so it is not async"
            yield Finding((*one.path, "async"), message, at="key")


def _is_text(returns: object, subject: Subject) -> bool:
    if isinstance(returns, Schema):
        return allowed_kinds(returns, subject) == frozenset({"string"})
    return returns == "string"


@rule("CW619")
def answers(subject: Subject) -> Iterator[Finding]:
    """Check that an endpoint says what it returns, even if that is nothing."""
    for one in subject.endpoints:
        told = {"returns", "state", "renders"} & one.spec.model_fields_set
        if not told and set(one.spec.channels) & {"tool_call", "command"}:
            hint = "write `returns: string`, or `returns: null` for nothing"
            message = f"{part(one.path)} does not say what it returns"
            yield Finding(one.path, message, hint, at="key")


@rule("CW620")
def timeouts(subject: Subject) -> Iterator[Finding]:
    """Check that a timeout is a time."""
    for one in subject.endpoints:
        if one.spec.timeout is not None and one.spec.timeout <= 0:
            message = f"'timeout' of {part(one.path)} is not above 0 seconds"
            yield Finding((*one.path, "timeout"), message)


@rule("CW621")
def typed_commands(subject: Subject) -> Iterator[Finding]:
    """Check that the arguments of a command can be written on a line."""
    for one in subject.endpoints:
        if "command" not in one.spec.channels or one.spec.internal:
            continue
        for name, argument in one.spec.arguments.items():
            path = (*one.path, "arguments", name)
            if not _can_be_typed(path, argument, subject):
                message = f"{part(path)} cannot be written on a command line"
                hint = "serve the command by an endpoint of its own, with arguments of text"
                yield Finding(path, message, hint, at="key")


def _can_be_typed(path: NodePath, argument: ArgumentSpec, subject: Subject) -> bool:
    if any(is_object_type(found.node.schema) for found in reached(path, argument, subject)):
        return False
    return _is_optional(argument) or not allowed_kinds(argument, subject) <= {"array", "object"}
