"""Prerequisites first: the order in which cards are bound."""

import logging
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from functools import cache

from .card import ToolCard

logger = logging.getLogger(__name__)


def topological_sort(cards: Sequence[ToolCard]) -> list[ToolCard]:
    """`cards` with every prerequisite before its dependents; otherwise in input order.

    Nodes are class names. Instances of one class stay together and their declarations add up.

    Raises:
        ValueError: A mandatory prerequisite is absent, or there is a cycle.
    """
    groups: dict[str, list[ToolCard]] = {}
    for card in cards:
        groups.setdefault(type(card).__name__, []).append(card)
    prerequisites = {name: _prerequisites(name, group, groups) for name, group in groups.items()}
    return [card for name in _ordered(prerequisites) for card in groups[name]]


def _prerequisites(name: str, group: Sequence[ToolCard], groups: Mapping[str, object]) -> set[str]:
    needed = {other for card in group for other in card.depends_on}
    wanted = {other for card in group for other in card.optional_dependencies}
    for other in sorted(needed - groups.keys()):
        raise ValueError(
            f"{name} depends on {other}, which is not among the cards: add {other} to the list"
        )
    for other in sorted(wanted - needed - groups.keys()):
        warn_of_absent(name, other)
    return (needed | wanted) & groups.keys()


@cache
def warn_of_absent(name: str, other: str) -> None:
    """Log that a card works without another; once in a process, however many agents carry it."""
    logger.warning(
        "%s works without %s, which is not among the cards, with less to offer", name, other
    )


def _ordered(prerequisites: Mapping[str, set[str]]) -> list[str]:
    dependents: dict[str, list[str]] = defaultdict(list)
    open_count = {name: len(needed) for name, needed in prerequisites.items()}
    for name, needed in prerequisites.items():
        for other in needed:
            dependents[other].append(name)
    ready = deque(name for name, count in open_count.items() if count == 0)
    ordered: list[str] = []
    while ready:
        ordered.append(name := ready.popleft())
        for dependent in dependents[name]:
            open_count[dependent] -= 1
            if open_count[dependent] == 0:
                ready.append(dependent)
    if len(ordered) < len(prerequisites):
        stuck = ", ".join(sorted(prerequisites.keys() - set(ordered)))
        raise ValueError(f"cards depend on each other in a cycle: {stuck}")
    return ordered
