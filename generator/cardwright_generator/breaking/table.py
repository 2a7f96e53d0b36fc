"""Short ways to write a rule of a table, with the one that reports the opposite beside it."""

from .rule import GONE, Category, Edits, Example, Level, Rule, Step

_ERR, _INFO = Level.ERR, Level.INFO
_AS_IT_IS: Edits = {}


def pair(
    category: Category,
    names: tuple[str, str],
    levels: tuple[Level, Level],
    purposes: tuple[str, str],
    whys: tuple[str, str],
    edits: tuple[Edits, Edits],
) -> tuple[Rule, Rule]:
    """Two rules that mirror each other; the edits are the state before and after the first."""
    example = Example(*edits)
    first, second = names
    return (
        Rule(first, purposes[0], category, levels[0], whys[0], example, (second,)),
        Rule(second, purposes[1], category, levels[1], whys[1], example.swapped(), (first,)),
    )


def own(
    category: Category,
    name: str,
    level: Level,
    purpose: str,
    why: str,
    edits: tuple[Edits, Edits],
    step: Step = Step.NONE,
) -> tuple[Rule]:
    """A rule that is its own mirror."""
    return (Rule(name, purpose, category, level, why, Example(*edits), (name,), step),)


def text(
    category: Category, name: str, purpose: str, path: str, before: object, after: object
) -> tuple[Rule]:
    """A rule about words alone."""
    why = "Nothing is refused, but whoever reads it acts on other words."
    return own(category, name, _INFO, purpose, why, ({path: before}, {path: after}), Step.PATCH)


_QUIET: Edits = {
    "fields.quiet": {"type": "boolean", "default": False, "description": "Say nothing."}
}


def condition(
    category: Category, what: str, path: str, around: Edits = _AS_IT_IS
) -> tuple[Rule, ...]:
    """The rules about the `when` of one sort of part."""
    part = what.replace("-", " ")
    wide, narrow = {**_QUIET, **around, path: GONE}, {**_QUIET, **around, path: "quiet"}
    return (
        *pair(
            category,
            (f"{what}-condition-added", f"{what}-condition-removed"),
            (_ERR, _INFO),
            (
                f"The {part} exists under a condition only and did always before.",
                f"The {part} always exists and did under a condition only before.",
            ),
            (
                "Where the configuration does not meet the condition, it is gone.",
                "It is there for more configurations than before.",
            ),
            (wide, narrow),
        ),
        *own(
            category,
            f"{what}-condition-changed",
            _ERR,
            f"The {part} exists under another condition.",
            "Some configurations lose it, others gain it.",
            (narrow, {**narrow, path: "not quiet"}),
        ),
    )
