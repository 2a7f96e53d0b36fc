"""What the tool layer remembers per agent."""

import logging
from collections.abc import Mapping
from typing import Any, cast, override

from pydantic import Field, InstanceOf

from cardwright.actors import SerializableBaseModel, deserialize_object

from .context_state import AnyContextState, ContextState

logger = logging.getLogger(__name__)


class ToolState(SerializableBaseModel):
    """Persisted with the agent's state, under the field name `tool_state`.

    Read it anew at each use (`observer.state.tool_state`): a restore replaces the object.
    """

    context_baselines: dict[str, InstanceOf[ContextState[Any]]] = Field(default_factory=dict)
    """Last delivered state per provider name: a cache, the message history is the record."""
    context_update_seq: int = 0
    """Number of the last delivered context update."""
    active_model: str | None = None
    """Roster key `provider:model` in force; `None` for the configured one."""

    @classmethod
    @override
    def upgrade_stored(cls, data: dict[str, object]) -> dict[str, object]:
        """A baseline is a cache: one that no longer loads costs a full snapshot, no more."""
        stored = data.get("context_baselines")
        if not isinstance(stored, Mapping):
            return data
        read = {name: _readable(it) for name, it in cast("Mapping[str, object]", stored).items()}
        lost = sorted(name for name, state in read.items() if state is None)
        if lost:
            logger.warning("stored context baselines do not load, to be sent anew: %s", lost)
        kept = {name: state for name, state in read.items() if state is not None}
        return {**data, "context_baselines": kept}


def _readable(payload: object) -> AnyContextState | None:
    try:
        state = deserialize_object(payload)
    except (ValueError, TypeError):
        return None
    return cast("AnyContextState", state) if isinstance(state, ContextState) else None
