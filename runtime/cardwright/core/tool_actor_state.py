"""Events of tool actors are numbered; the number survives a resume."""

from typing import Any

from cardwright.actors import Akgent, BaseState, SerializableBaseModel
from cardwright.actors.frozen import frozen
from cardwright.actors.records import message_of

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
    return hand_over_tool_event(actor, frozen(payload))


def hand_over_tool_event[S: ToolActorState](
    actor: Akgent[Any, S], payload: SerializableBaseModel
) -> ToolStateEvent:
    """As `emit_tool_event`, of a payload that shares nothing with what is changed later."""
    actor.state.event_seq += 1
    seq = actor.state.event_seq
    event = message_of(ToolStateEvent, tool_id=actor.config.name, seq=seq, payload=payload)
    actor.hand_over_event(event)
    return event
