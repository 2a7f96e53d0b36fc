"""Names of configuration in conditions and defaults: a declared rename changes none of them."""

from collections.abc import Iterator, Mapping

from cardwright_generator.spec.language import CardSpec, FieldSpec
from cardwright_generator.spec.references import candidates, parse_condition

type Renames = Mapping[str, str]


def renames_of(card: CardSpec) -> dict[str, str]:
    """Old name of configuration, `field` or `capability.field`, to present name."""
    return dict(_renames(card))


def _renames(card: CardSpec) -> Iterator[tuple[str, str]]:
    for name, field in card.fields.items():
        if field.renamed_from is not None:
            yield field.renamed_from, name
    for key, capability in card.capabilities.items():
        old = capability.renamed_from or key
        if old != key:
            yield old, key
        for name, field in capability.config.items():
            before = field.renamed_from or name
            if (old, before) != (key, name):
                yield f"{old}.{before}", f"{key}.{name}"


def full_name(card: CardSpec, name: str, capability: str | None, renames: Renames) -> str:
    """A name of configuration as unmistakable text: `field` or `capability.field`, as of today."""
    found = candidates(card, name, capability)
    if not found:
        return name
    first = found[0]
    full = f"{first.capability}.{first.name}" if first.capability else first.name
    return renames.get(full, full)


def condition(
    card: CardSpec, when: str | None, capability: str | None, renames: Renames
) -> str | None:
    """A `when` in the one way to write it; `None` stays."""
    parsed = None if when is None else parse_condition(when)
    if parsed is None:
        return when
    name = full_name(card, parsed.name, capability, renames)
    return f"not {name}" if parsed.negated else name


def source(card: CardSpec, name: str, capability: str | None) -> FieldSpec | None:
    """The field that a `default_from` names."""
    found = candidates(card, name, capability)
    return found[0].schema if found else None
