"""The rules about schemas: every kind of change in every use."""

from collections.abc import Iterator

from .kinds import KINDS, Effect, Kind, Member, weight
from .rule import GONE, Category, Example, Rule
from .uses import USES, Flow, Use

_WHY = {
    Flow.IN: {
        Effect.NARROWS: "Values that were accepted are refused: existing callers fail.",
        Effect.WIDENS: "Nothing that worked stops working.",
        Effect.REPLACES: "A value that was right is refused, or means something else.",
        Effect.TELLS: "Nothing is refused, but readers choose values by what they read.",
    },
    Flow.OUT: {
        Effect.NARROWS: "Readers meet less than they are prepared for, which they can stand.",
        Effect.WIDENS: "Readers meet values that they were never told of.",
        Effect.REPLACES: "Readers take a value for what it was before.",
        Effect.TELLS: "Readers understand values by what is said about them.",
    },
    Flow.KEPT: {
        Effect.NARROWS: "What an earlier version stored does not load, or loads with a loss.",
        Effect.WIDENS: "All that is stored still loads.",
        Effect.REPLACES: "What is stored does not load, or means something else.",
        Effect.TELLS: "Stored data stays as it is; people read another text.",
    },
}
_VISIT: dict[str, object] = {
    "base": "plain",
    "description": "One visit.",
    "type": "object",
    "required": ["day"],
    "properties": {"day": {"type": "string", "description": "Day of the visit."}},
}


def schema_rules() -> Iterator[Rule]:
    """One rule per kind and use."""
    for use in USES:
        for kind in KINDS:
            if use.name not in kind.absent:
                yield _rule(use, kind)


def rule_id(use: Use, kind: str) -> str:
    """The id of a kind in a use."""
    return f"{use.name}-{kind}"


def _rule(use: Use, kind: Kind) -> Rule:
    level, step = weight(kind, use.name, use.flow)
    part = use.part
    return Rule(
        id=rule_id(use, kind.name),
        purpose=kind.purpose.format(part=part, Part=part[0].upper() + part[1:]),
        category=_category(use, kind),
        level=level,
        step=step,
        why=_WHY[use.flow][kind.effect],
        example=Example(_edits(use, kind.before, kind), _edits(use, kind.after, kind)),
        mirrors=tuple(
            rule_id(use, mirror)
            for mirror in kind.mirrors
            if use.name not in next(one.absent for one in KINDS if one.name == mirror)
        ),
    )


def _category(use: Use, kind: Kind) -> Category:
    """Defaults and texts of configuration concern whoever constructs a card, not what is stored."""
    constructed = use.name == "field" and kind.name in {"default-changed", "description-changed"}
    return Category.SOURCE if constructed else use.category


def _edits(use: Use, members: Member, kind: Kind) -> dict[str, object]:
    found: dict[str, object] = {f"{use.path}.{name}": value for name, value in members.items()}
    others = {*kind.before, *kind.after} - members.keys()
    found |= {f"{use.path}.{name}": GONE for name in others}
    if any("items" in str(value) for value in members.values()):
        found["types.Visit"] = _VISIT
    if use.required is not None:
        found[use.required] = [*_own(use), *(n for n, value in members.items() if _needed(value))]
    return found


def _own(use: Use) -> list[str]:
    return {"result": ["text"], "state": ["guests"], "stored": ["name"]}[use.name]


def _needed(value: object) -> bool:
    return isinstance(value, dict) and not {"default", "auto"} & value.keys()
