"""Messages between actors, and what actors tell the orchestrator about themselves."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Self
from uuid import UUID

from pydantic import Field

from cardwright.actors.addresses import ActorAddress
from cardwright.actors.config import BaseConfig
from cardwright.actors.identifiers import fresh_uuid
from cardwright.actors.registry import register_type
from cardwright.actors.serialization import SerializableBaseModel
from cardwright.actors.state import BaseState

__all__ = [
    "CancelMessage",
    "ClosedNotification",
    "ErrorMessage",
    "EventMessage",
    "HandledMessage",
    "Message",
    "NotificationMessage",
    "OutsideMessage",
    "ProcessedMessage",
    "ReceivedMessage",
    "ResultMessage",
    "SentMessage",
    "StartMessage",
    "StateChangedMessage",
    "StopMessage",
    "StopRecursively",
    "TeamStoppingEvent",
    "UserMessage",
    "WarningMessage",
]


_STAMPED = frozenset({"parent_id", "team_id", "sender"})


def _now() -> datetime:
    return datetime.now(UTC)


class Message(SerializableBaseModel):
    """Base of what actors send each other; stamped by `init` when it is sent."""

    id: UUID = Field(default_factory=fresh_uuid)
    parent_id: UUID | None = None
    team_id: UUID | None = None
    timestamp: datetime | None = Field(default_factory=_now)
    sender: ActorAddress | None = None
    recipient: ActorAddress | None = None
    display_type: Literal["human", "ai", "other"] = "other"

    def init(
        self,
        sender: ActorAddress,
        team_id: UUID | str | None = None,
        current_message: "Message | None" = None,
    ) -> Self:
        """Stamp sender, team and the message that caused this one; return the message."""
        # Every message passes here, so it goes past pydantic's slower way of setting attributes.
        attributes = vars(self)
        attributes["parent_id"] = None if current_message is None else current_message.id
        attributes["team_id"] = UUID(team_id) if isinstance(team_id, str) else team_id
        attributes["sender"] = sender
        self.__pydantic_fields_set__.update(_STAMPED)
        return self


class UserMessage(Message):
    """Text written by a person."""

    content: str
    display_type: Literal["human", "ai", "other"] = "human"


class ResultMessage(Message):
    """The answer to a message."""

    content: str
    display_type: Literal["human", "ai", "other"] = "ai"


class CancelMessage(Message):
    """Asks an agent to abandon its current run."""

    reason: str = ""


class SentMessage(Message):
    """Telemetry: a message was sent. Opens its entry in the ledger."""

    message: Message
    recipient: ActorAddress  # pyright: ignore[reportIncompatibleVariableOverride, reportGeneralTypeIssues] - whatever was sent has one


class OutsideMessage(SentMessage):
    """Telemetry for what stores the team: nobody of the team sent this message to a member."""


class ReceivedMessage(Message):
    """Telemetry: the turn of a message began."""

    message_id: UUID


class ProcessedMessage(Message):
    """Telemetry: the turn of a message ended. Closes its entry in the ledger."""

    message_id: UUID


class HandledMessage(Message):
    """Telemetry: a message was taken from the inbox without a turn. Closes its entry too."""

    message_id: UUID


class StartMessage(Message):
    """Telemetry: an actor was created."""

    config: BaseConfig
    parent: ActorAddress | None = None
    # Gone with its work: a resumed team does not bring it back.
    ephemeral: bool = False


class StopMessage(Message):
    """Telemetry: an actor stopped."""


class NotificationMessage(Message):
    """Base of what people should know of; the defaults keep old payloads loadable."""

    content_type: str | None = None
    content: str = ""
    current_message: Message | None = None


class ErrorMessage(NotificationMessage):
    """Telemetry: an actor failed on something."""

    traceback: str | None = None


class WarningMessage(NotificationMessage):
    """Telemetry: a handled condition that people should know of."""


class StateChangedMessage(Message):
    """Telemetry: a snapshot of an actor's state."""

    state: BaseState


class EventMessage(Message):
    """Carries a domain event: any value that can be stored."""

    event: object


@register_type
@dataclass(frozen=True, slots=True)
class StopRecursively:
    """Tells an actor to stop its children and itself."""


@register_type
@dataclass(frozen=True, slots=True)
class ClosedNotification:
    """Event: a person dismissed the notification of this id."""

    message_id: UUID


@register_type
@dataclass(frozen=True, slots=True)
class TeamStoppingEvent:
    """Event: the teardown of a team began."""
