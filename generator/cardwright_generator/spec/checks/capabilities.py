"""Capabilities: channels, failures and defaults (CW615, CW622 to CW624)."""

from collections.abc import Iterator

from cardwright_generator.spec.diagnostics import NodePath, did_you_mean, listed
from cardwright_generator.spec.language import CapabilitySpec
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.words import part


def capabilities_of(subject: Subject) -> Iterator[tuple[NodePath, CapabilitySpec]]:
    """Return the capabilities of a card, each with its path."""
    for key, capability in subject.card.capabilities.items() if subject.card else ():
        yield ("capabilities", key), capability


def served(capability: CapabilitySpec) -> list[str]:
    """Return the channels a capability serves, in order of its endpoints."""
    found = (channel for one in capability.endpoints.values() for channel in one.channels)
    return list(dict.fromkeys(found))


@rule("CW615")
def unserved_channels(subject: Subject) -> Iterator[Finding]:
    """Check that `expose` names channels that are served."""
    for path, capability in capabilities_of(subject):
        channels = served(capability)
        for index, channel in enumerate(capability.expose or ()):
            if channel not in channels:
                message = f"'expose' of {part(path)} names '{channel}', which no endpoint serves"
                yield Finding((*path, "expose", index), message, f"served: {listed(channels)}")


@rule("CW622")
def unknown_failures(subject: Subject) -> Iterator[Finding]:
    """Check that the failures of a capability are declared, each once."""
    for path, capability in capabilities_of(subject):
        declared = subject.card.failures if subject.card else {}
        for index, name in enumerate(capability.failures):
            where: NodePath = (*path, "failures", index)
            if name not in declared:
                message = f"failure '{name}' of {part(path)} is not declared in 'failures'"
                yield Finding(where, message, did_you_mean(name, declared))
            elif name in capability.failures[:index]:
                yield Finding(where, f"'failures' of {part(path)} lists '{name}' twice")


@rule("CW623")
def unused_failures(subject: Subject) -> Iterator[Finding]:
    """Check that each failure that surfaces as a retry belongs to a capability."""
    used = {name for _, one in capabilities_of(subject) for name in one.failures}
    for name, failure in subject.card.failures.items() if subject.card else ():
        if failure.surfaces == "retry" and name not in used:
            message = f"failure '{name}' belongs to no capability"
            hint = "list it in `failures` of the capabilities that can meet it"
            yield Finding(("failures", name), message, hint, at="key")


@rule("CW624")
def impossible_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that a capability that is on by default needs no configuration."""
    for path, capability in capabilities_of(subject):
        needed = [name for name, field in capability.config.items() if not field.has_default]
        if capability.default is True and needed:
            message = f"{part(path)} is on by default, but {listed(needed)} must be given"
            hint = "write `default: false` or `default: required`, or give the field a default"
            yield Finding(path, message, hint, at="key")
