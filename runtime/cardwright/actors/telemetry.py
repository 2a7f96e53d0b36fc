"""How an actor tells its orchestrator what it is doing."""

from __future__ import annotations

import logging
from traceback import format_exception
from typing import TYPE_CHECKING, Any

from cardwright.actors.addresses import ActorAddressImpl
from cardwright.actors.errors import ActorDeadError, WarningError
from cardwright.actors.messages import (
    ErrorMessage,
    HandledMessage,
    Message,
    OutsideMessage,
    ProcessedMessage,
    ReceivedMessage,
    SentMessage,
    StateChangedMessage,
    WarningMessage,
)
from cardwright.actors.records import Frozen, Record

if TYPE_CHECKING:
    from uuid import UUID

    from cardwright.actors.addresses import ActorAddress
    from cardwright.actors.changes import Snapshot
    from cardwright.actors.refs import AkgentRef

__all__ = ["Telemetry", "failure_message"]

logger = logging.getLogger(__name__)


class Telemetry:
    """Stamps and delivers telemetry while the orchestrator lives; without one it is silent.

    What every message causes goes as a compact record, everything else as the message it is.
    """

    __slots__ = ("_orchestrator", "_sender", "_team", "_team_id")

    def __init__(
        self, sender: ActorAddress, team_id: UUID, orchestrator: ActorAddress | None
    ) -> None:
        """Speak for `sender`."""
        self._sender = sender
        self._team_id = team_id
        self._team = orchestrator
        # An orchestrator that never came to life hears nothing.
        self._orchestrator: AkgentRef | None = (
            orchestrator.ref if isinstance(orchestrator, ActorAddressImpl) else None
        )

    def report(self, message: Message, current: Message | None) -> None:
        """Tell the orchestrator, if there is a living one; never raises for a dead one."""
        if (orchestrator := self._orchestrator) is None:
            return
        message.init(self._sender, self._team_id, current)
        _relieve(orchestrator)
        try:
            orchestrator.deliver(message)
        except ActorDeadError:
            logger.debug("Telemetry of %s is lost: its team has stopped.", self._sender.name)

    def sent(self, message: Message, recipient: ActorAddress, current: Message | None) -> None:
        """Say that `message` is being sent."""
        if self._orchestrator is not None:
            parent = None if current is None else current.id
            frozen = Frozen.of(message)
            self._post(Record(SentMessage, self._sender, parent, frozen, recipient))

    def keeps(self, recipient: ActorAddress) -> bool:
        """Tell whether what is sent to `recipient` is in the ledger of its team."""
        return self._orchestrator is not None and recipient.team_id == self._team_id

    def handed_in(self, message: Message) -> None:
        """Say that `message` was put into the inbox by nobody of the team."""
        if self._team is not None:
            # In the name of the team: it is no word of the recipient.
            frozen = Frozen.of(message)
            parent = message.parent_id
            self._post(Record(OutsideMessage, self._team, parent, frozen, self._sender))

    def began(self, message: Message) -> None:
        """Say that the turn of `message` begins."""
        if self._orchestrator is not None:
            about = message.id
            self._post(Record(ReceivedMessage, self._sender, about, about))

    def ended(self, message: Message) -> None:
        """Say that the turn of `message` ended."""
        if (orchestrator := self._orchestrator) is not None:
            about = message.id
            # Nobody is held back here: that was done when the turn began.
            orchestrator.post(Record(ProcessedMessage, self._sender, about, about))

    def absorbed(self, message: Message, current: Message | None) -> None:
        """Say that `message` will have no turn."""
        if self._orchestrator is not None:
            parent = None if current is None else current.id
            self._post(Record(HandledMessage, self._sender, parent, message.id))

    def state_changed(self, snapshot: Snapshot[Any], current: Message | None) -> None:
        """Say what the state is like now."""
        if self._orchestrator is not None:
            parent = None if current is None else current.id
            self._post(Record(StateChangedMessage, self._sender, parent, snapshot))

    def _post(self, record: Record) -> None:
        if (orchestrator := self._orchestrator) is not None:
            _relieve(orchestrator)
            orchestrator.post(record)


def _relieve(orchestrator: AkgentRef) -> None:
    pressure = orchestrator.pressure
    if pressure is not None and pressure.is_high():
        pressure.hold_back()


def failure_message(error: BaseException, current: Message | None) -> Message:
    """Return what people are told of `error`; a `WarningError` is no failure of the actor."""
    kind, text = type(error).__name__, str(error)
    if current is not None:
        current = Frozen.of(current).thaw()
    if isinstance(error, WarningError):
        return WarningMessage(content_type=kind, content=text, current_message=current)
    frames = "".join(format_exception(error))
    return ErrorMessage(content_type=kind, content=text, current_message=current, traceback=frames)
