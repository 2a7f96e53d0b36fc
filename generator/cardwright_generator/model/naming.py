"""Python names that follow from the names in a spec."""

import keyword
import re

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake(name: str) -> str:
    """`KnowledgeGraph` as `knowledge_graph`, `MCP` as `mcp`."""
    return _BOUNDARY.sub("_", name).lower()


def camel(name: str) -> str:
    """`stale_after` as `StaleAfter`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def stem(card: str) -> str:
    """The card's name without `Tool`: `PlanningTool` as `Planning`."""
    return card.removesuffix("Tool") or card


def folder(card: str) -> str:
    """Name of the emitted subpackage of a card."""
    return identifier(snake(stem(card)))


def identifier(name: str) -> str:
    """`name` as a Python identifier that is no keyword."""
    cleaned = re.sub(r"\W", "_", name)
    return f"{cleaned}_" if keyword.iskeyword(cleaned) else cleaned
