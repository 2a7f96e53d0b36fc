"""Holds the end of a turn back until the state that the turn left behind can be stored with it.

An actor says "processed" and then, if need be, publishes its state. A log that ended in between
would say that the message was dealt with, without what came of it.
"""

from collections.abc import Callable, Iterable
from uuid import UUID

from pykka.messages import ProxyCall

from cardwright.actors import ActorAddress, ActorDeadError
from cardwright.actors.addresses import ActorAddressImpl
from cardwright.actors.messages import ProcessedMessage
from cardwright.actors.refs import Reply
from cardwright.store.teams.intake import Numbered

type Find = Callable[[ActorAddress], ActorAddress | None]
"""Returns the live address of an actor of this process."""


class TurnGuard:
    """Splits what arrived into what may be stored and what has to wait a moment."""

    def __init__(self, orchestrator: ActorAddress, find: Find) -> None:
        """Watch the turns of the team of `orchestrator`."""
        self._orchestrator = orchestrator
        self._find = find
        self._fence: Reply | None = None
        self._fenced: set[int] = set()
        self._complete: set[int] = set()

    def advance(self) -> None:
        """Call before taking messages: what was sent before an answered fence is among them."""
        if self._fence is not None and self._fence.answered:
            self._complete |= self._fenced
            self._fence = None

    def split(self, items: list[Numbered]) -> tuple[list[Numbered], list[Numbered]]:
        """Return what may be stored, and what to show again with what comes next."""
        held = {item.number for item in _last_words(items) if item.number not in self._complete}
        self._complete.clear()
        if held and self._fence is None:
            over = {it.number for it in items if it.number in held and self._is_over(it)}
            self._raise_fence(over)
        ready = [item for item in items if item.number not in held]
        return ready, [item for item in items if item.number in held]

    def _is_over(self, item: Numbered) -> bool:
        sender, message = item.message.sender, item.message
        address = None if sender is None else self._find(sender)
        if not isinstance(address, ActorAddressImpl) or not isinstance(message, ProcessedMessage):
            return True
        actor = address.ref.actor
        current = None if actor is None else actor.current_message
        return current is None or current.id != message.message_id

    def _raise_fence(self, numbers: set[int]) -> None:
        """Learn when the orchestrator has passed on all that it has been told so far."""
        if not numbers or not isinstance(self._orchestrator, ActorAddressImpl):
            return
        fence = Reply()
        try:
            self._orchestrator.ref.deliver(ProxyCall(("get_metadata",), (), {}), fence)
        except ActorDeadError:
            # It has passed on everything before it ended.
            fence.set()
        self._fence, self._fenced = fence, numbers


def _last_words(items: Iterable[Numbered]) -> list[Numbered]:
    """Return the ends of turns after which their actors said nothing more yet."""
    last: dict[UUID, Numbered] = {}
    for item in items:
        if item.message.sender is not None:
            last[item.message.sender.agent_id] = item
    return [item for item in last.values() if isinstance(item.message, ProcessedMessage)]
