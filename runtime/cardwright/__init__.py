"""Cardwright's runtime: cards, the agents' tools made from specs, and what they run on."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.bench import LocalTeam
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
    "ToolCard",
    "ToolFactory",
    "ToolObserver",
    "ToolObserverGone",
    "ToolState",
    "ToolStateCarrier",
    "ToolStateEvent",
    "__version__",
    "normalize_system_prompt_to_llm_context",
]


def __getattr__(name: str) -> object:
    """Load the core, or the bench, when one of its names is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module 'cardwright' has no attribute {name!r}")
    home = import_module("cardwright.bench" if name == "LocalTeam" else "cardwright.core")
    return globals().setdefault(name, getattr(home, name))


def __dir__() -> list[str]:
    return sorted(__all__)
