"""The four ways in which a capability reaches an agent's world."""

from enum import StrEnum


class Channels(StrEnum):
    """Names a channel; the value is what specs and stored payloads say."""

    SYSTEM_PROMPT = "system_prompt"
    """Static text in the cached prefix, rendered once."""
    TOOL_CALL = "tool_call"
    """A tool the model may call."""
    COMMAND = "command"
    """A named control surface for people (`/name ...`) and code."""
    LLM_CONTEXT = "llm_context"
    """Volatile state, delivered at the tail as a delta per turn."""


SYSTEM_PROMPT = Channels.SYSTEM_PROMPT
TOOL_CALL = Channels.TOOL_CALL
COMMAND = Channels.COMMAND
LLM_CONTEXT = Channels.LLM_CONTEXT
