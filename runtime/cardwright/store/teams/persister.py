"""Stores what happens in a team, in its order, each thing once; says when it is safe."""

import logging
from collections.abc import Callable
from threading import Condition, Event, Thread
from typing import ClassVar, override
from uuid import UUID

from cardwright.actors import EventSubscriber
from cardwright.actors.messages import Message, StateChangedMessage, StopMessage
from cardwright.store.errors import CorruptStoreError, StoreError
from cardwright.store.protocol import EventStore
from cardwright.store.records import NewEvent
from cardwright.store.teams.errors import TeamNotStoredError, TeamPausedError
from cardwright.store.teams.intake import Intake, Numbered
from cardwright.store.teams.message_texts import MessageTexts
from cardwright.store.teams.payloads import StateChange
from cardwright.store.teams.states import StateBook
from cardwright.store.teams.turn_guard import TurnGuard

logger = logging.getLogger(__name__)

BATCH = 1_000
"""Most messages of one append."""
MOMENT = 0.0005
"""Seconds until a turn that just ended is looked at again."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0


class Persister(EventSubscriber):
    """Subscriber with a thread of its own: log and snapshots go into the store in one append.

    While the store is away it keeps what it has, tries the same append again, and lets the team
    wait once its queue is full. Nothing counts as stored before the store said so.
    """

    # It only takes note on the orchestrator's thread, so that whoever asked the orchestrator
    # something knows that all before it is here.
    inline: ClassVar[bool] = True

    def __init__(
        self,
        store: EventStore,
        team_id: UUID,
        guard: TurnGuard,
        *,
        epoch: int,
        sequence: int,
        book: StateBook,
    ) -> None:
        """Prepare to append behind `sequence` under the lease of `epoch`; see `start`."""
        self._store = store
        self._stream = str(team_id)
        self._guard = guard
        self._epoch = epoch
        self._sequence = sequence
        self._book = book
        self._texts = MessageTexts()
        self._intake = Intake()
        self._carried: list[Numbered] = []
        self._stored = 0
        self._progress = Condition()
        self._pause: StoreError | None = None
        self._failure: StoreError | None = None
        self._abandoned = Event()
        self._on_end: Callable[[StoreError | None], None] | None = None
        self._thread = Thread(target=self._run, name="team-store", daemon=True)

    def start(self, on_end: Callable[[StoreError | None], None]) -> None:
        """Begin to store; `on_end` is called on the thread when all is stored, or with an error."""
        self._on_end = on_end
        self._thread.start()

    @override
    def on_message(self, msg: Message) -> None:
        """Queue a message; waits while the queue is full."""
        self._intake.put(msg)

    def on_mail(self, msg: Message) -> None:
        """Queue a message that a member got from outside: it is delivered again if need be."""
        self._intake.put(msg)

    @override
    def on_stop(self, team_id: UUID) -> None:
        """Store the rest and end."""
        self._intake.close()

    @property
    def paused(self) -> StoreError | None:
        """Why the team waits for its store; None if it does not."""
        return self._pause

    @property
    def sequence(self) -> int:
        """The number of the last event that is stored."""
        return self._sequence

    def flush(self, timeout: float) -> None:
        """Wait until everything that was queued before is stored.

        Raises:
            TeamPausedError: it is not within `timeout` seconds.
            StoreError: this copy of the team has lost its right to store.
        """
        wanted = self._intake.count
        with self._progress:
            self._progress.wait_for(lambda: self._is_stored(wanted), timeout)
            if self._failure is not None:
                # Anew: it would gather the frames of all who ever asked.
                raise self._failure.with_traceback(None)
            if self._stored < wanted:
                why = self._pause or "the store is slower than the team"
                raise TeamPausedError(f"Not stored within {timeout:g} s: {why}") from self._pause

    def join(self, timeout: float) -> None:
        """Wait for the end; after `timeout` seconds give up what is not stored.

        Raises:
            TeamNotStoredError: the last doings of the team are not stored.
        """
        self._thread.join(timeout)
        if self._thread.is_alive():
            self._abandoned.set()
            if not self._intake.closed:
                # Nothing is stored that its members still do.
                self.fail(self._pause or TeamNotStoredError("the team does not end"))
            self._thread.join()
        if self._failure is not None:
            raise TeamNotStoredError(
                f"The team has stopped, but not all it did is stored: {self._failure}"
            ) from self._failure

    def fail(self, error: StoreError) -> None:
        """Store nothing more: somebody else is in charge of the team."""
        with self._progress:
            self._failure = self._failure or error
            self._progress.notify_all()
        self._abandoned.set()
        self._intake.close()

    def _is_stored(self, wanted: int) -> bool:
        return self._stored >= wanted or self._failure is not None

    def _run(self) -> None:
        try:
            while self._step():
                pass
            self._append([], self._book.rest())
        except StoreError as error:
            self.fail(error)
        except Exception as error:
            logger.exception("Storing the team %s failed.", self._stream)
            self.fail(TeamNotStoredError(f"the team cannot be stored ({type(error).__name__})"))
        if self._on_end is not None:
            self._on_end(self._failure)

    def _step(self) -> bool:
        """Store what has arrived; tell whether there is more to come."""
        self._guard.advance()
        # Asked before taking: what comes in between is taken the next time.
        closed = self._intake.closed
        arrived = self._intake.take(MOMENT if self._carried else None, BATCH)
        items = self._carried + arrived
        if closed and not arrived:
            # Nobody says anything any more.
            ready, self._carried = items, []
        else:
            ready, self._carried = self._guard.split(items)
        if ready:
            self._append(*self._encoded(ready))
        self._note(items)
        return bool(items) or not closed

    def _note(self, items: list[Numbered]) -> None:
        if not items:
            return
        newest = items[-1].number
        stored = min((item.number for item in self._carried), default=newest + 1) - 1
        with self._progress:
            if stored > self._stored:
                self._stored = stored
                self._progress.notify_all()

    def _encoded(self, items: list[Numbered]) -> tuple[list[NewEvent], dict[str, str]]:
        """Return the events, and the snapshots that are due; of each state the last one counts."""
        last = {
            item.message.sender: item.number
            for item in items
            if isinstance(item.message, StateChangedMessage)
        }
        events: list[NewEvent] = []
        snapshots: dict[str, str] = {}
        for number, message in items:
            if not isinstance(message, StateChangedMessage):
                events.append(NewEvent(self._texts.text(message)))
                if isinstance(message, StopMessage) and message.sender is not None:
                    self._book.forget(str(message.sender.agent_id))
                    self._texts.forget(message.sender.agent_id)
            elif last[message.sender] == number:
                self._add_change(message, events, snapshots)
        return events, snapshots

    def _add_change(
        self, message: StateChangedMessage, events: list[NewEvent], snapshots: dict[str, str]
    ) -> None:
        found = self._change(message)
        if found is None:
            return
        change, text = found
        events.append(NewEvent(text))
        if (snapshot := self._book.count(change, len(text))) is not None:
            snapshots[change.agent_id] = snapshot

    def _change(self, message: StateChangedMessage) -> tuple[StateChange, str] | None:
        try:
            return self._book.change(message)
        except Exception:
            logger.exception("The state of %s cannot be stored.", message.sender)
            return None

    def _append(self, events: list[NewEvent], snapshots: dict[str, str]) -> None:
        """Append, repeating the very same batch until the store takes it."""
        pause = FIRST_PAUSE
        while True:
            try:
                self._sequence = self._store.append(
                    self._stream,
                    events,
                    expected_sequence=self._sequence,
                    epoch=self._epoch,
                    snapshots=snapshots,
                )
            except StoreError as error:
                if not (error.retryable or isinstance(error, CorruptStoreError)):
                    raise
                self._wait(error, pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                break
        if self._pause is not None:
            logger.warning("Team %s goes on: its store is back.", self._stream)
            self._pause = None

    def _wait(self, error: StoreError, seconds: float) -> None:
        if self._pause is None:
            logger.error("Team %s pauses: %s", self._stream, error)
        self._pause = error
        if self._abandoned.wait(seconds):
            raise self._failure or error
