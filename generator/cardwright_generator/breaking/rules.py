"""Every rule, by its id."""

from functools import cache

from cardwright_generator.spec.diagnostics import did_you_mean

from .declared import DECLARED
from .products import schema_rules
from .rule import Rule
from .served import SERVED
from .surroundings import SURROUNDINGS


class UnknownRuleError(LookupError):
    """There is no rule of that id; the text says which is near."""


@cache
def all_rules() -> dict[str, Rule]:
    """Id -> rule, sorted by id."""
    found = (*DECLARED, *SERVED, *SURROUNDINGS, *schema_rules())
    return {rule.id: rule for rule in sorted(found, key=lambda rule: rule.id)}


def rule_of(name: str) -> Rule:
    """The rule of an id, whatever the case; raises `UnknownRuleError`."""
    found = all_rules().get(name.strip().lower())
    if found is None:
        hint = did_you_mean(name.strip().lower(), all_rules()) or "`cardwright rules` lists them"
        message = f"there is no rule '{name}'; {hint}"
        raise UnknownRuleError(message)
    return found
