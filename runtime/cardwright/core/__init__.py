"""The core of a card: what it declares, how it is bound, what it serves.

Generated cards, handwritten logic and hosts import from here; it imports actors and pydantic only.
"""

from cardwright.actors import ActorAddress, Akgent, BaseConfig
from cardwright.actors.messages import Message

from .call import CallContext, calling, current_call
from .card import ToolCard
from .channels import COMMAND, LLM_CONTEXT, SYSTEM_PROMPT, TOOL_CALL, Channels
from .command_signature import RestOfLine
from .commands import CommandRegistry
from .context_state import AnyContextState, ContextState
from .context_update import ContextUpdater
from .data import Data, JsonObject, PlainData, Truncate, UniqueBy, now
from .errors import (
    CardDefinitionError,
    CommandNotRecognized,
    RetriableError,
    SecretMissingError,
    ToolObserverGone,
)
from .event import CommandArg, CommandDescriptor, CommandsAnnouncedEvent, ToolStateEvent
from .factory import ToolFactory
from .json_text import JsonText
from .logic import CardLogic
from .media import MediaContent, Toolset
from .moved import moved_names
from .observer import ActorToolObserver, ToolObserver, ToolStateCarrier
from .params import (
    BaseToolParam,
    normalize_system_prompt_to_llm_context,
    served,
)
from .policy import ToolPolicy, internal, policy, policy_of
from .provider import provider, rendered
from .secret import Secret
from .state import ToolState
from .state_failures import noticing
from .tool_actor_state import ToolActorState, emit_tool_event

__all__ = [
    "COMMAND",
    "LLM_CONTEXT",
    "SYSTEM_PROMPT",
    "TOOL_CALL",
    "ActorAddress",
    "ActorToolObserver",
    "Akgent",
    "AnyContextState",
    "BaseConfig",
    "BaseToolParam",
    "CallContext",
    "CardDefinitionError",
    "CardLogic",
    "Channels",
    "CommandArg",
    "CommandDescriptor",
    "CommandNotRecognized",
    "CommandRegistry",
    "CommandsAnnouncedEvent",
    "ContextState",
    "ContextUpdater",
    "Data",
    "JsonObject",
    "JsonText",
    "MediaContent",
    "Message",
    "PlainData",
    "RestOfLine",
    "RetriableError",
    "Secret",
    "SecretMissingError",
    "ToolActorState",
    "ToolCard",
    "ToolFactory",
    "ToolObserver",
    "ToolObserverGone",
    "ToolPolicy",
    "ToolState",
    "ToolStateCarrier",
    "ToolStateEvent",
    "Toolset",
    "Truncate",
    "UniqueBy",
    "calling",
    "current_call",
    "emit_tool_event",
    "internal",
    "moved_names",
    "normalize_system_prompt_to_llm_context",
    "noticing",
    "now",
    "policy",
    "policy_of",
    "provider",
    "rendered",
    "served",
]
