"""What of a spec may be dead, as plain data for the manifest: `check` looks for its use in code."""

from collections.abc import Iterator

from cardwright_generator.spec.checks.conditions import names_in
from cardwright_generator.spec.language import CardSpec
from cardwright_generator.spec.references import candidates
from cardwright_generator.spec.subject import Subject


def suspects(spec: CardSpec) -> dict[str, object]:
    """Configuration that the spec itself does not use, and what else only code can use.

    `fields` maps a capability, or `""` for the card, to its unused fields; `known` to all of them.
    """
    known = {"": list(spec.fields), **{key: list(c.config) for key, c in spec.capabilities.items()}}
    used = frozenset(_used(spec))
    unused = {
        owner: [name for name in names if (owner, name) not in used]
        for owner, names in known.items()
    }
    return {
        "card": spec.card,
        "params": {key: capability.param for key, capability in spec.capabilities.items()},
        "known": known,
        "fields": {owner: names for owner, names in unused.items() if names},
        "configs": {
            key: owner
            for owner, capability in spec.capabilities.items()
            for key, endpoint in capability.endpoints.items()
            if endpoint.renders is None and capability.config
        },
        "actors": {key: actor.class_ for key, actor in spec.actors.items()},
        "events": {key: list(_names_of_event(spec, key)) for key in spec.events},
        "environment": [key for key, one in spec.environment.items() if one.read_by is None],
    }


def _used(spec: CardSpec) -> Iterator[tuple[str, str]]:
    """Fields that conditions, defaults, texts and names of the spec refer to."""
    named = [(one.name, one.capability) for one in names_in(Subject("", spec.types, spec))]
    named += [(one.named_by, None) for one in spec.depends_on if one.named_by is not None]
    for name, capability in named:
        for found in candidates(spec, name, capability):
            yield found.capability or "", found.name


def _names_of_event(spec: CardSpec, key: str) -> Iterator[str]:
    """The names that code has for the payload of an event."""
    name = key.rpartition("/")[2]
    yield name
    declared = spec.types.get(name)
    if declared is not None and declared.class_ is not None:
        yield declared.class_.partition(":")[2]
