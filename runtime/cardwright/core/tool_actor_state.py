"""Events of tool actors are numbered; the number survives a resume."""

from typing import Any

from cardwright.actors import Akgent, BaseState, SerializableBaseModel

from .event import ToolStateEvent


class ToolActorState(BaseState):
    """Base of the states of tool actors that publish `ToolStateEvent`s."""

    event_seq: int = 0
    """Number of the last event; no number is used twice, also after a resume."""


def emit_tool_event[S: ToolActorState](
    actor: Akgent[Any, S], payload: SerializableBaseModel
) -> ToolStateEvent:
    """Publish what changed under the next number; call it on the actor's own thread.

    Mutate the state, call `notify_state_change()`, and only if there is a delta, call this.
    """
    actor.state.event_seq += 1
    event = ToolStateEvent(tool_id=actor.config.name, seq=actor.state.event_seq, payload=payload)
    actor.notify_event(event)
    return event
