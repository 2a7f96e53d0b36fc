"""Names that refer to configuration: in `when`, `default_from`, `named_by` and braces (A2)."""

import re
from dataclasses import dataclass
from typing import Literal

from cardwright_generator.spec.language import CardSpec, FieldSpec

_CONDITION = re.compile(r"(?P<no>not )?(?P<name>[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)\Z")


@dataclass(frozen=True, slots=True)
class Condition:
    """`x` holds while x is neither None nor False; `not x` while it is."""

    name: str
    negated: bool


def parse_condition(text: str) -> Condition | None:
    """Read a `when`; None if it is not one."""
    found = _CONDITION.match(text)
    return Condition(found["name"], found["no"] is not None) if found else None


@dataclass(frozen=True, slots=True)
class Reference:
    """What a name refers to: a config field, a field of the card, or a capability (no schema)."""

    kind: Literal["config", "field", "capability"]
    name: str
    capability: str | None = None
    schema: FieldSpec | None = None


def candidates(card: CardSpec, name: str, capability: str | None = None) -> tuple[Reference, ...]:
    """Return all a name can mean, seen from a capability (None: from the card); one is right."""
    owner, _, field = name.rpartition(".")
    if owner:
        return tuple(_config(card, owner, field))
    found = _config(card, capability, name) if capability else []
    if name in card.fields:
        found.append(Reference("field", name, schema=card.fields[name]))
    if name in card.capabilities:
        found.append(Reference("capability", name))
    return tuple(found)


def _config(card: CardSpec, capability: str, name: str) -> list[Reference]:
    spec = card.capabilities.get(capability)
    if spec is None or name not in spec.config:
        return []
    return [Reference("config", name, capability, spec.config[name])]


def known_names(card: CardSpec, capability: str | None = None) -> list[str]:
    """Return the names that can be referred to, for hints."""
    own = list(card.capabilities[capability].config) if capability in card.capabilities else []
    return [*own, *card.fields, *card.capabilities]
