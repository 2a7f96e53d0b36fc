"""Tells subscribers on a thread of their own, in order, and loses nothing."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, Protocol, cast

from cardwright.actors.records import Record, kind_of, told_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.actors.messages import Message
    from cardwright.actors.pressure import Pressure

__all__ = ["Delivery", "Member", "as_told", "guarded"]

logger = logging.getLogger(__name__)

# Messages that are handed over at once to those who take several.
_AT_ONCE: Final = 512
_FAILED: Final = "%s.%s failed; the others are told anyway."


type Entry = Message | Record
# For whom, and what; or nobody, and what to do when all before is delivered.
type _Item = tuple[tuple[Member, ...], Entry] | tuple[None, Callable[[], object]]


class _Listener(Protocol):
    def on_message(self, msg: Message) -> None: ...


@dataclass(eq=False, slots=True)
class Member:
    """A subscriber, as long as it is one."""

    subscriber: _Listener
    active: bool = True

    def tell(self, messages: list[Message]) -> None:
        """Tell of messages, one by one; whatever one of them raises, the next is told anyway."""
        for message in messages:
            if not self.active:
                return
            try:
                self.subscriber.on_message(message)
            except BaseException:
                # Not even an exit: the thread belongs to the others, too.
                logger.exception(_FAILED, type(self.subscriber).__name__, "on_message")


def guarded(subscriber: object, hook: str, *arguments: object) -> None:
    """Call a hook; an exception is logged, the others are told anyway."""
    try:
        cast("Callable[..., object]", getattr(subscriber, hook))(*arguments)
    except BaseException:
        logger.exception(_FAILED, type(subscriber).__name__, hook)


def _call(members: tuple[Member, ...], hook: str, arguments: tuple[object, ...]) -> None:
    for member in members:
        if member.active and hasattr(member.subscriber, hook):
            guarded(member.subscriber, hook, *arguments)


def as_told(entries: list[Entry]) -> list[Message]:
    """Return the entries as subscribers see them, without those that cannot be told."""
    try:
        return list(map(told_message, entries))
    except Exception:  # noqa: BLE001 - of one of them: the others are told
        return [message for entry in entries for message in _told_alone(entry)]


def _told_alone(entry: Entry) -> list[Message]:
    try:
        return [told_message(entry)]
    except Exception:
        logger.exception("A %s cannot be told to subscribers.", kind_of(entry).__name__)
        return []


class Delivery:
    """A queue and, from the first subscriber on, the thread that empties it."""

    def __init__(self) -> None:
        """Start with nothing to deliver."""
        self._waiting: deque[_Item] = deque()
        # Of the thread, which sleeps when nothing waits: one call is enough for many items.
        self._wake_up: SimpleQueue[None] = SimpleQueue()
        self._asleep = self._ended = False
        self._in_hand = 0
        self._thread: Thread | None = None
        self._pressure: Pressure | None = None

    def __len__(self) -> int:
        """How much is not delivered yet."""
        return len(self._waiting) + self._in_hand

    def start(self, name: str, pressure: Pressure) -> None:
        """Begin to deliver, unless begun."""
        if self._thread is None:
            self._pressure = pressure
            self._thread = Thread(target=self._run, name=name, daemon=True)
            self._thread.start()

    def put(self, members: tuple[Member, ...], entry: Entry) -> None:
        """Deliver a message to `members`; never waits."""
        self._waiting.append((members, entry))
        if self._asleep:
            self._wake_up.put(None)

    def call(self, members: tuple[Member, ...], hook: str, arguments: tuple[object, ...]) -> None:
        """Call an optional hook of `members` when all before is delivered."""
        self._do(partial(_call, members, hook, arguments))

    def fence(self) -> Event:
        """Return an event that is set when everything until now is delivered."""
        passed = Event()
        if self._thread is None:
            passed.set()
        else:
            self._do(passed.set)
        return passed

    def close(self) -> None:
        """End the thread when everything is delivered."""
        self._do(self._end)

    def _do(self, action: Callable[[], object]) -> None:
        self._waiting.append((None, action))
        if self._asleep:
            self._wake_up.put(None)

    def _end(self) -> None:
        self._ended = True

    def _run(self) -> None:
        pressure = cast("Pressure", self._pressure)
        pressure.exempt()
        while not self._ended:
            # Whoever puts something in after the look sees that a call is needed.
            self._asleep = True
            if not self._waiting:
                self._wake_up.get()
            self._asleep = False
            while self._waiting:
                self._deliver()
                pressure.relieve()

    def _deliver(self) -> None:
        members, entry = self._waiting.popleft()
        self._in_hand = 1
        if members is None:
            cast("Callable[[], object]", entry)()
        else:
            messages = as_told(self._with_more(members, cast("Entry", entry)))
            for member in members:
                member.tell(messages)
        self._in_hand = 0

    def _with_more(self, members: tuple[Member, ...], entry: Entry) -> list[Entry]:
        """Take further entries for the same members, as long as nothing else is in between."""
        waiting, batch = self._waiting, [entry]
        while waiting and waiting[0][0] is members and len(batch) < _AT_ONCE:
            batch.append(cast("Entry", waiting.popleft()[1]))
        self._in_hand = len(batch)
        return batch
