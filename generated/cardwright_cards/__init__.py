# Generated from specs/: do not edit.
# Change the spec, then run: cardwright generate
"""The cards of this project; each is imported when it is first asked for.

Params and types stay in the subpackage of their card.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from .catalogue import CARDS

if TYPE_CHECKING:
    from .exec import ExecTool
    from .knowledge_graph import KnowledgeGraphTool
    from .mcp import MCPTool
    from .metadata import MetadataTool
    from .planning import PlanningTool
    from .search import SearchTool
    from .skill import SkillTool
    from .vector_store import VectorStoreTool
    from .workspace import WorkspaceTool

__all__ = [
    "ExecTool",
    "KnowledgeGraphTool",
    "MCPTool",
    "MetadataTool",
    "PlanningTool",
    "SearchTool",
    "SkillTool",
    "VectorStoreTool",
    "WorkspaceTool",
]


def __getattr__(name: str) -> object:
    if name in CARDS:
        module, _, attribute = CARDS[name].partition(":")
        return getattr(import_module(module), attribute)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
