"""What happened in a team since it started."""

from typing import TYPE_CHECKING
from uuid import UUID

from cardwright.actors.messages import EventMessage

if TYPE_CHECKING:
    from cardwright.actors.messages import Message

__all__ = ["EventLog"]


class EventLog:
    """Telemetry in the order of its arrival; readers get copies of the list.

    It holds everything in memory. Paging belongs behind these same methods.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._messages: list[Message] = []
        self._events: list[EventMessage] = []

    def append(self, message: "Message") -> None:
        """Record a message."""
        self._messages.append(message)
        if isinstance(message, EventMessage):
            self._events.append(message)

    def messages(
        self, sender: UUID | None = None, message_type: "type[Message] | None" = None
    ) -> "list[Message]":
        """Return the messages of a sender (by agent id) and of a type; all by default."""
        return [
            message
            for message in self._messages
            if (message_type is None or isinstance(message, message_type))
            and (sender is None or _sent_by(message, sender))
        ]

    def events(
        self, sender: UUID | None = None, event_class: type | None = None
    ) -> list[EventMessage]:
        """Return the event messages of a sender whose event is of a class; all by default."""
        return [
            message
            for message in self._events
            if (event_class is None or isinstance(message.event, event_class))
            and (sender is None or _sent_by(message, sender))
        ]

    def __len__(self) -> int:
        return len(self._messages)


def _sent_by(message: "Message", agent_id: UUID) -> bool:
    return message.sender is not None and message.sender.agent_id == agent_id
