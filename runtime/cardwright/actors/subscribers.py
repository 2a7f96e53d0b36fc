"""Who is told of everything that happens in a team."""

import logging
from typing import TYPE_CHECKING, Protocol
from uuid import UUID

from cardwright.actors.snapshots import snapshot_addresses

if TYPE_CHECKING:
    from cardwright.actors.messages import Message

__all__ = ["EventSubscriber", "Subscribers"]

logger = logging.getLogger(__name__)


class EventSubscriber(Protocol):
    """Is told of everything that happens in a team, on the orchestrator's thread: be quick.

    Inherit from it, or have `on_message` and any of the others.
    """

    def set_restoring(self, team_id: UUID, restoring: bool) -> None:
        """Take note that a stored team is being rebuilt, or is no longer."""
        del team_id, restoring

    def on_stop_request(self, team_id: UUID) -> None:
        """Take note that the teardown of the team begins."""
        del team_id

    def on_stop(self, team_id: UUID) -> None:
        """Take note that the team has stopped; nothing follows."""
        del team_id

    def on_message(self, msg: "Message") -> None:
        """Take note of a message; its addresses are inert."""
        del msg


class Subscribers:
    """The subscribers of one team, told in the order of subscription.

    An exception in one is logged and never keeps the others from being told.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._members: list[EventSubscriber] = []

    def add(self, subscriber: EventSubscriber) -> None:
        """Append a subscriber."""
        self._members.append(subscriber)

    def remove(self, subscriber: EventSubscriber) -> None:
        """Remove a subscriber; an unknown one is ignored."""
        self._members = [member for member in self._members if member is not subscriber]

    def clear(self) -> None:
        """Forget all."""
        self._members = []

    def tell(self, message: "Message") -> None:
        """Tell all of a message, with inert addresses."""
        if not self._members:
            return
        snapshot = snapshot_addresses(message)
        for member in self._members:
            _guarded(member, "on_message", snapshot)

    def tell_hook(self, hook: str, *arguments: object) -> None:
        """Call an optional hook of all that have it."""
        for member in self._members:
            if hasattr(member, hook):
                _guarded(member, hook, *arguments)


def _guarded(member: EventSubscriber, hook: str, *arguments: object) -> None:
    try:
        getattr(member, hook)(*arguments)
    except Exception:
        logger.exception("%s.%s failed; the others are told anyway.", type(member).__name__, hook)
