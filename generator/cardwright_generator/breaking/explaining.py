"""The page of a rule: what it reports, why it matters, and an example before and after."""

from .examples import excerpts
from .rule import Rule
from .rules import rule_of


def page_of_rule(name: str) -> str:
    """A Markdown page; raises `UnknownRuleError`."""
    rule = rule_of(name)
    before, after = excerpts(rule)
    parts = [
        f"# {rule.id}: {rule.purpose}",
        _facts(rule),
        f"**Why it matters.** {rule.why}",
        f"## Before\n\n{_block(before)}",
        f"## After\n\n{_block(after)}",
        _way_out(rule),
    ]
    return "\n\n".join(parts) + "\n"


def _facts(rule: Rule) -> str:
    mirrors = ", ".join(f"`{name}`" for name in rule.mirrors)
    text = (
        f"Category {rule.category}, level {rule.level.name}; it asks for a "
        f"{rule.asks_for.name.lower()} version."
    )
    return f"{text} The opposite change is reported by {mirrors}." if mirrors else text


def _block(text: str) -> str:
    return f"```yaml\n{text}```" if text else "(nothing)"


def _way_out(rule: Rule) -> str:
    if rule.level.name != "ERR":
        return "Nothing has to be done; `--fail-on` decides whether it stops a build."
    return (
        "If the change is meant, raise the version and waive the finding with its reason: "
        '`waivers = [{fingerprint = "...", reason = "..."}]` in `[tool.cardwright]`.'
    )
