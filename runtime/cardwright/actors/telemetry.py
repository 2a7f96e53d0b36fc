"""How an actor tells its orchestrator what it is doing."""

import logging
from traceback import format_exception
from typing import TYPE_CHECKING

from cardwright.actors.errors import ActorDeadError, WarningError
from cardwright.actors.messages import ErrorMessage, Message, WarningMessage

if TYPE_CHECKING:
    from uuid import UUID

    from cardwright.actors.addresses import ActorAddress

__all__ = ["Telemetry", "failure_message"]

logger = logging.getLogger(__name__)


class Telemetry:
    """Stamps and delivers telemetry while the orchestrator lives; without one it is silent."""

    __slots__ = ("_orchestrator", "_sender", "_team_id")

    def __init__(
        self, sender: "ActorAddress", team_id: "UUID", orchestrator: "ActorAddress | None"
    ) -> None:
        """Speak for `sender`."""
        self._sender = sender
        self._team_id = team_id
        self._orchestrator = orchestrator

    def report(self, message: Message, current: Message | None) -> None:
        """Tell the orchestrator, if there is a living one; never raises for a dead one."""
        orchestrator = self._orchestrator
        if orchestrator is None:
            return
        message.init(self._sender, self._team_id, current)
        try:
            orchestrator.tell(message)
        except (ActorDeadError, RuntimeError):
            # Stopped, or never brought to life.
            logger.debug(
                "Telemetry of %s is lost: its orchestrator is not there.", self._sender.name
            )


def failure_message(error: BaseException, current: Message | None) -> Message:
    """Return what people are told of `error`; a `WarningError` is no failure of the actor."""
    kind, text = type(error).__name__, str(error)
    if isinstance(error, WarningError):
        return WarningMessage(content_type=kind, content=text, current_message=current)
    frames = "".join(format_exception(error))
    return ErrorMessage(content_type=kind, content=text, current_message=current, traceback=frames)
