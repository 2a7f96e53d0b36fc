"""Cardwright's runtime: cards, the agents' tools made from specs, and what they run on."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.bench import LocalTeam, RetryRequested
    from cardwright.core import (
        COMMAND,
        LLM_CONTEXT,
        SYSTEM_PROMPT,
        TOOL_CALL,
        ActorToolObserver,
        BaseToolParam,
        CardLogic,
        Channels,
        CommandArg,
        CommandDescriptor,
        CommandNotRecognized,
        CommandRegistry,
        CommandsAnnouncedEvent,
        ContextState,
        ContextUpdater,
        RetriableError,
        ToolCard,
        ToolFactory,
        ToolObserver,
        ToolObserverGone,
        ToolState,
        ToolStateCarrier,
        ToolStateEvent,
        normalize_system_prompt_to_llm_context,
    )
    from cardwright.tools import ToolContext, ToolRegistry, tool

__version__ = "0.1.0"

__all__ = [
    "COMMAND",
    "LLM_CONTEXT",
    "SYSTEM_PROMPT",
    "TOOL_CALL",
    "ActorToolObserver",
    "BaseToolParam",
    "CardLogic",
    "Channels",
    "CommandArg",
    "CommandDescriptor",
    "CommandNotRecognized",
    "CommandRegistry",
    "CommandsAnnouncedEvent",
    "ContextState",
    "ContextUpdater",
    "LocalTeam",
    "RetriableError",
    "RetryRequested",
    "ToolCard",
    "ToolContext",
    "ToolFactory",
    "ToolObserver",
    "ToolObserverGone",
    "ToolRegistry",
    "ToolState",
    "ToolStateCarrier",
    "ToolStateEvent",
    "__version__",
    "normalize_system_prompt_to_llm_context",
    "tool",
]

_HOMES = {
    "LocalTeam": "cardwright.bench",
    "RetryRequested": "cardwright.bench",
    "ToolContext": "cardwright.tools",
    "ToolRegistry": "cardwright.tools",
    "tool": "cardwright.tools",
}


def __getattr__(name: str) -> object:
    """Load the core, the bench or the tools when one of its names is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'cardwright' has no attribute {name!r}")
    home = import_module(_HOMES.get(name, "cardwright.core"))
    return globals().setdefault(name, getattr(home, name))


def __dir__() -> list[str]:
    return sorted(__all__)
