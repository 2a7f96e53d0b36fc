"""What an orchestrator keeps of its team: the log, the roster, the states, and who is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, override
from uuid import UUID

from cardwright.actors.addresses import ActorAddress
from cardwright.actors.akgent import Akgent
from cardwright.actors.changes import Snapshot
from cardwright.actors.delivery import Member, as_told
from cardwright.actors.event_log import EventLog, LogArchive
from cardwright.actors.messages import (
    EventMessage,
    HandledMessage,
    Message,
    NotificationMessage,
    OutsideMessage,
    ProcessedMessage,
    ReceivedMessage,
    SentMessage,
    StartMessage,
    StateChangedMessage,
    StopMessage,
    TeamStoppingEvent,
)
from cardwright.actors.pressure import Pressure
from cardwright.actors.records import Frozen, Record
from cardwright.actors.roster import Roster
from cardwright.actors.subscribers import EventSubscriber, Subscribers
from cardwright.actors.telemetry import Telemetry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from threading import Event

    from pykka._envelope import Envelope

    from cardwright.actors.state import BaseState

__all__ = ["TeamRecord"]

_LOGGED = (
    SentMessage,
    ReceivedMessage,
    ProcessedMessage,
    HandledMessage,
    NotificationMessage,
    EventMessage,
)


class TeamRecord(Akgent):
    """Records the telemetry of a team and tells subscribers; its own doings are no telemetry."""

    def __init__(self, **kwargs: Any) -> None:  # noqa: ANN401 - the keywords of the base actor
        """Start with nothing recorded."""
        super().__init__(**kwargs)
        # Silent, even for an orchestrator above it.
        self._telemetry = Telemetry(self._address, self.team_id, None)
        self._log = EventLog()
        self._roster = Roster()
        self._states: dict[UUID, Snapshot[BaseState]] = {}
        self._subscribers = Subscribers()
        self._pressure = Pressure(self.inbox, self._subscribers.delivery)
        self._akgent_ref.pressure = self._pressure

    @override
    def _announce(self) -> None:
        # Recorded before anybody can subscribe.
        self._log.append(self._start_message().init(self._address, self.team_id))

    @override
    def _actor_loop_setup(self) -> None:
        self._pressure.exempt()
        super()._actor_loop_setup()

    @override
    def _take(self, envelope: Envelope[Any]) -> None:
        # Records come without an envelope.
        entry: object = envelope
        if isinstance(entry, Record):
            if entry.kind is OutsideMessage:
                # No telemetry of anybody: it is neither logged nor told to others.
                self._subscribers.tell_of_mail(entry)
            elif isinstance(entry.subject, Snapshot):
                self._states[entry.sender.agent_id] = entry.subject
                self._subscribers.tell(entry)
            else:
                self._record(entry)
        else:
            super()._take(envelope)
        if self._pressure.waiting:
            self._pressure.relieve()

    @override
    def _actor_loop_teardown(self) -> None:
        try:
            super()._actor_loop_teardown()
        finally:
            self._pressure.close()

    @override
    def on_receive(self, message: object) -> object:
        """Record telemetry; anything else is handled as by any actor."""
        if isinstance(message, _LOGGED):
            if not self._is_own(message):
                self._record(message)
        elif isinstance(message, StateChangedMessage):
            self._record_state(message)
        elif isinstance(message, StartMessage):
            self._record_start(message)
        elif isinstance(message, StopMessage):
            self._record_stop(message)
        else:
            return super().on_receive(message)
        return None

    def _record(self, message: Message | Record) -> None:
        self._log.append(message)
        self._subscribers.tell(message)

    def _record_state(self, message: StateChangedMessage) -> None:
        if message.sender is not None:
            self._states[message.sender.agent_id] = message.state.snapshot()
        self._subscribers.tell(message)

    def _record_start(self, message: StartMessage) -> None:
        self._enter(message)
        self._record(message)

    def _record_stop(self, message: StopMessage) -> None:
        self._enter(message)
        self._record(message)

    def _enter(self, message: Message) -> None:
        """Let the roster follow a start or a stop; of members that are gone, nothing is kept."""
        if message.sender is None or self._is_own(message):
            return
        if isinstance(message, StartMessage):
            self._roster.add(message.sender)
        elif isinstance(message, StopMessage):
            self._roster.discard(message.sender.agent_id)
            self._states.pop(message.sender.agent_id, None)

    def _is_own(self, message: Message) -> bool:
        return message.sender is not None and message.sender.agent_id == self.agent_id

    def subscribe(self, subscriber: EventSubscriber) -> None:
        """Tell `subscriber` of everything from now on."""
        name = f"{self.config.name}-subscribers"
        self._subscribers.add(subscriber, name, self._pressure)

    def follow(self, subscriber: EventSubscriber, known: Collection[UUID] = ()) -> None:
        """Tell `subscriber` of all that happened in this life of the team, then of what happens.

        Whoever has subscribed before hears nothing twice: this is for the one that stores the team.

        Args:
            subscriber: who listens from now on.
            known: agent ids of those whose start is no news; that of the orchestrator may be.
        """
        news = [it for it in self._log.of_this_life() if not _is_start_of(it, known)]
        states = [
            Record(StateChangedMessage, member, None, self._states[member.agent_id])
            for member in self._roster.living()
            if member.agent_id in self._states
        ]
        Member(subscriber).tell(as_told([*news, *states]))
        self.subscribe(subscriber)

    def unsubscribe(self, subscriber: EventSubscriber) -> None:
        """Tell it no more; an unknown subscriber is ignored."""
        self._subscribers.remove(subscriber)

    def emitMessage(self, message: Message) -> None:
        """Record a message as the team's own: stamped, logged, dispatched, handled by nobody."""
        self._record(Frozen.of(message.init(self._address, self.team_id)).thaw())

    def restore_message(self, message: Message) -> None:
        """Record a message of an earlier life; the announcement of its end is skipped."""
        if isinstance(message, EventMessage) and isinstance(message.event, TeamStoppingEvent):
            return
        self._enter(message)
        self._record(message)

    def restore_entries(self, entries: Sequence[Message | Record]) -> None:
        """Record a stretch of an earlier life, messages or what the log itself keeps of them."""
        for entry in entries:
            if isinstance(entry, Record):
                self._record(entry)
            else:
                self.restore_message(entry)

    def restore_page(
        self,
        counts: Mapping[tuple[type[Message], UUID | None], int],
        read: Callable[[], Sequence[Message | Record]],
        joined: Sequence[Message] = (),
    ) -> None:
        """Record a stretch of an earlier life that is read when somebody asks for it.

        Args:
            counts: how many entries it has, by class and sender.
            read: returns the entries, what the log itself keeps of them.
            joined: the starts and stops among them, which the roster follows.
        """
        if self._subscribers.are_there:
            self.restore_entries(read())
            return
        for message in joined:
            self._enter(message)
        self._log.take(counts, read)

    def end_restoration(self) -> None:
        """Take note that the team is rebuilt, once subscribers know all that was restored."""
        self._subscribers.fence().wait()
        self.restoring = False

    def delivered(self) -> Event:
        """Return an event that is set when subscribers know all that was recorded until now."""
        return self._subscribers.fence()

    def archive_log(self, archive: LogArchive) -> None:
        """Let `archive` keep the pages of the log that leave the memory.

        Raises:
            RuntimeError: pages have left it already.
        """
        self._log.use(archive)

    def count_messages(
        self,
        sender: ActorAddress | UUID | str | None = None,
        message_type: type[Message] | None = None,
    ) -> int:
        """Count what was recorded: by a sender, of a type, or all; never reads the log."""
        return self._log.count(_agent_id(sender), message_type)

    def get_messages(
        self,
        sender: ActorAddress | UUID | str | None = None,
        message_type: type[Message] | None = None,
    ) -> list[Message]:
        """Return what was recorded, oldest first: by a sender, of a type, or all."""
        return self._log.messages(_agent_id(sender), message_type)

    def get_events(
        self,
        agent_id: ActorAddress | UUID | str | None = None,
        event_class: type | None = None,
    ) -> list[EventMessage]:
        """Return the recorded event messages: of an agent, with an event of a class, or all."""
        return self._log.events(_agent_id(agent_id), event_class)

    def get_states(self) -> dict[UUID, BaseState]:
        """Return the last published state of each member that has not stopped, as copies."""
        return {key: one.state().serializable_copy() for key, one in self._states.items()}


def _is_start_of(entry: Message | Record, known: Collection[UUID]) -> bool:
    return (
        isinstance(entry, StartMessage)
        and entry.sender is not None
        and entry.sender.agent_id in known
    )


def _agent_id(who: ActorAddress | UUID | str | None) -> UUID | None:
    if isinstance(who, ActorAddress):
        return who.agent_id
    return UUID(who) if isinstance(who, str) else who
