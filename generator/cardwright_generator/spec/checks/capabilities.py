"""Capabilities: channels, migrations, failures and defaults (CW615-CW617, CW623-CW624)."""

from collections.abc import Iterator

from cardwright_generator.spec.diagnostics import NodePath, did_you_mean, listed
from cardwright_generator.spec.language import CapabilitySpec, MigrationStep
from cardwright_generator.spec.rules import Finding, rule
from cardwright_generator.spec.subject import Subject
from cardwright_generator.spec.values import misfit
from cardwright_generator.spec.words import part


def _capabilities(subject: Subject) -> Iterator[tuple[NodePath, CapabilitySpec]]:
    for key, capability in subject.card.capabilities.items() if subject.card else ():
        yield ("capabilities", key), capability


def served(capability: CapabilitySpec) -> list[str]:
    """Return the channels a capability serves, in order of its endpoints."""
    found = (channel for one in capability.endpoints.values() for channel in one.channels)
    return list(dict.fromkeys(found))


@rule("CW615")
def unserved_channels(subject: Subject) -> Iterator[Finding]:
    """Check that `expose` names channels that are served."""
    for path, capability in _capabilities(subject):
        channels = served(capability)
        for index, channel in enumerate(capability.expose or ()):
            if channel not in channels:
                message = f"'expose' of {part(path)} names '{channel}', which no endpoint serves"
                yield Finding((*path, "expose", index), message, f"served: {listed(channels)}")


@rule("CW616")
def migrated_fields(subject: Subject) -> Iterator[Finding]:
    """Check that migrations name fields of the capability."""
    for path, capability in _capabilities(subject):
        known = ["expose", *capability.config]
        for name in capability.migrate:
            if name not in known:
                message = f"'migrate' of {part(path)} names no field: '{name}'"
                hint = did_you_mean(name, known) or f"known: {listed(known)}"
                yield Finding((*path, "migrate", name), message, hint, at="key")


@rule("CW617")
def migrated_values(subject: Subject) -> Iterator[Finding]:
    """Check that migrations lead from values that are gone to values that are allowed."""
    for path, capability in _capabilities(subject):
        for name, steps in capability.migrate.items():
            for index, step in enumerate(steps):
                where: NodePath = (*path, "migrate", name, index)
                yield from _bad_step(where, name, step, capability, subject)


def _bad_step(
    path: NodePath, name: str, step: MigrationStep, capability: CapabilitySpec, subject: Subject
) -> Iterator[Finding]:
    if name == "expose":
        channels = served(capability)
        fits_from, fits_to = step.from_ in channels, step.to in channels
        reason = f"'{step.to}' is not served"
    elif name in capability.config:
        schema = capability.config[name]
        problem = misfit(step.to, schema, subject)
        fits_from, fits_to = misfit(step.from_, schema, subject) is None, problem is None
        reason = f"'{step.to}' does not fit '{name}': {problem}"
    else:
        return
    if not fits_to:
        yield Finding((*path, "to"), f"a migration leads to a value that is not allowed: {reason}")
    if fits_from:
        message = f"a migration rewrites '{step.from_}', which is still allowed"
        yield Finding((*path, "from"), message)


@rule("CW622")
def unknown_failures(subject: Subject) -> Iterator[Finding]:
    """Check that the failures of a capability are declared, each once."""
    for path, capability in _capabilities(subject):
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
    used = {name for _, one in _capabilities(subject) for name in one.failures}
    for name, failure in subject.card.failures.items() if subject.card else ():
        if failure.surfaces == "retry" and name not in used:
            message = f"failure '{name}' belongs to no capability"
            hint = "list it in `failures` of the capabilities that can meet it"
            yield Finding(("failures", name), message, hint, at="key")


@rule("CW624")
def impossible_defaults(subject: Subject) -> Iterator[Finding]:
    """Check that a capability that is on by default needs no configuration."""
    for path, capability in _capabilities(subject):
        needed = [name for name, field in capability.config.items() if not field.has_default]
        if capability.default is True and needed:
            message = f"{part(path)} is on by default, but {listed(needed)} must be given"
            hint = "write `default: false` or `default: required`, or give the field a default"
            yield Finding(path, message, hint, at="key")
