"""Who is told of everything that happens in a team."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from uuid import UUID

from cardwright.actors.changes import Snapshot
from cardwright.actors.delivery import Delivery, Member, as_told, guarded
from cardwright.actors.records import Record, inert

if TYPE_CHECKING:
    from threading import Event

    from cardwright.actors.messages import Message
    from cardwright.actors.pressure import Pressure

__all__ = ["EventSubscriber", "Subscribers"]


class EventSubscriber(Protocol):
    """Is told of everything that happens in a team, in order, on a thread for all subscribers.

    Whatever was told is delivered, even after the team has stopped; one that takes its time holds
    up the others, and in the end the team, but never the orchestrator. It must not wait for
    members. Inherit from it, or have `on_message` and any of the others.
    """

    # A subscriber with a thread of its own only takes note: it is told on the orchestrator's
    # thread, before the others, and before the orchestrator answers whoever asks it next. With a
    # method `on_state(sender, snapshot)` it gets states that way, which are not written out then.
    inline: ClassVar[bool] = False

    def set_restoring(self, team_id: UUID, restoring: bool) -> None:
        """Take note that a stored team is being rebuilt, or is no longer."""
        del team_id, restoring

    def on_stop_request(self, team_id: UUID) -> None:
        """Take note that the teardown of the team begins."""
        del team_id

    def on_stop(self, team_id: UUID) -> None:
        """Take note that the team has stopped; nothing follows."""
        del team_id

    def on_message(self, msg: Message) -> None:
        """Take note of a message; its addresses are inert."""
        del msg


class Subscribers:
    """The subscribers of one team, told in the order of subscription.

    An exception in one is logged and never keeps the others from being told.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._inline: tuple[Member, ...] = ()
        self._others: tuple[Member, ...] = ()
        self.delivery = Delivery()

    @property
    def are_there(self) -> bool:
        """Whether anybody is told."""
        return bool(self._inline or self._others)

    def add(self, subscriber: EventSubscriber, thread_name: str, pressure: Pressure) -> None:
        """Append a subscriber; the thread starts with the first that needs it."""
        member = Member(subscriber)
        if getattr(subscriber, "inline", False):
            self._inline = (*self._inline, member)
        else:
            self._others = (*self._others, member)
            self.delivery.start(thread_name, pressure)

    def remove(self, subscriber: EventSubscriber) -> None:
        """Tell a subscriber nothing more; an unknown one is ignored."""
        for member in (*self._inline, *self._others):
            if member.subscriber is subscriber:
                member.active = False
        self._inline = tuple(member for member in self._inline if member.active)
        self._others = tuple(member for member in self._others if member.active)

    def clear(self) -> None:
        """Forget all; what was told them is still delivered."""
        self._inline = self._others = ()
        self.delivery.close()

    def tell(self, entry: Message | Record) -> None:
        """Tell all of a message, with inert addresses."""
        if self._inline:
            if type(entry) is Record and isinstance(entry.subject, Snapshot):
                self._tell_of_state(entry, entry.subject)
                return
            messages = as_told([entry])
            for member in self._inline:
                member.tell(messages)
            if self._others:
                for message in messages:
                    self.delivery.put(self._others, message)
        elif self._others:
            self.delivery.put(self._others, entry)

    def _tell_of_state(self, entry: Record, state: Snapshot[Any]) -> None:
        """Tell of a state, which is written out only for those who want it as a message."""
        for member in self._inline:
            if hasattr(member.subscriber, "on_state"):
                guarded(member.subscriber, "on_state", inert(entry.sender), state)
            else:
                member.tell(as_told([entry]))
        if self._others:
            self.delivery.put(self._others, entry)

    def tell_of_mail(self, entry: Record) -> None:
        """Tell those that store mail (`on_mail`) what somebody else gave to a member."""
        for member in self._inline:
            if hasattr(member.subscriber, "on_mail"):
                for message in as_told([entry]):
                    guarded(member.subscriber, "on_mail", message)

    def tell_hook(self, hook: str, *arguments: object) -> None:
        """Call an optional hook of all that have it, after all that was told before."""
        for member in self._inline:
            if hasattr(member.subscriber, hook):
                guarded(member.subscriber, hook, *arguments)
        if self._others:
            self.delivery.call(self._others, hook, arguments)

    def fence(self) -> Event:
        """Return an event that is set when all was delivered that was told until now."""
        return self.delivery.fence()
