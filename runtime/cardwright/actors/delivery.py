"""Tells subscribers on a thread of their own, in order, and loses nothing."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, Protocol, cast

from cardwright.actors.records import Record, told_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.actors.messages import Message
    from cardwright.actors.pressure import Pressure

__all__ = ["Delivery", "Member", "guarded"]

logger = logging.getLogger(__name__)

# Messages that are handed over at once to those who take several.
_AT_ONCE: Final = 512
_FAILED: Final = "%s.%s failed; the others are told anyway."


class _Listener(Protocol):
    def on_message(self, msg: Message) -> None: ...


@dataclass(eq=False, slots=True)
class Member:
    """A subscriber, as long as it is one."""

    subscriber: _Listener
    active: bool = True

    def tell(self, messages: list[Message]) -> None:
        """Tell of messages, one by one."""
        for message in messages:
            if not self.active:
                return
            try:
                self.subscriber.on_message(message)
            except Exception:
                logger.exception(_FAILED, type(self.subscriber).__name__, "on_message")


def guarded(subscriber: object, hook: str, *arguments: object) -> None:
    """Call a hook; an exception is logged, the others are told anyway."""
    try:
        cast("Callable[..., object]", getattr(subscriber, hook))(*arguments)
    except Exception:
        logger.exception(_FAILED, type(subscriber).__name__, hook)


@dataclass(frozen=True, slots=True)
class _Call:
    """A hook to call, in its turn."""

    hook: str
    arguments: tuple[object, ...]

    def tell(self, member: Member) -> None:
        if member.active and hasattr(member.subscriber, self.hook):
            guarded(member.subscriber, self.hook, *self.arguments)


type _Entry = Message | Record | _Call | Event
type _Item = tuple[tuple[Member, ...], _Entry]


class Delivery:
    """A queue and, from the first subscriber on, the thread that empties it."""

    def __init__(self) -> None:
        """Start with nothing to deliver."""
        self._waiting: deque[_Item] = deque()
        self._tokens: SimpleQueue[bool] = SimpleQueue()
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

    def put(self, members: tuple[Member, ...], entry: Message | Record) -> None:
        """Deliver a message to `members`; never waits."""
        self._put(members, entry)

    def call(self, members: tuple[Member, ...], hook: str, arguments: tuple[object, ...]) -> None:
        """Call an optional hook of `members` when all before is delivered."""
        self._put(members, _Call(hook, arguments))

    def fence(self) -> Event:
        """Return an event that is set when everything until now is delivered."""
        passed = Event()
        if self._thread is None:
            passed.set()
        else:
            self._put((), passed)
        return passed

    def close(self) -> None:
        """End the thread when everything is delivered."""
        self._tokens.put(False)  # noqa: FBT003 - a token that is the last one

    def _put(self, members: tuple[Member, ...], entry: _Entry) -> None:
        self._waiting.append((members, entry))
        self._tokens.put(True)  # noqa: FBT003 - a token for one more

    def _run(self) -> None:
        pressure = cast("Pressure", self._pressure)
        pressure.exempt()
        while self._tokens.get() or self._waiting:
            while self._waiting:
                self._deliver()
                pressure.relieve()

    def _deliver(self) -> None:
        members, entry = self._waiting.popleft()
        self._in_hand = 1
        if isinstance(entry, Event):
            entry.set()
        elif isinstance(entry, _Call):
            for member in members:
                entry.tell(member)
        else:
            batch = self._more(members, [told_message(entry)])
            for member in members:
                member.tell(batch)
        self._in_hand = 0

    def _more(self, members: tuple[Member, ...], batch: list[Message]) -> list[Message]:
        """Take further messages for the same members, as long as nothing else is in between."""
        waiting = self._waiting
        while waiting and len(batch) < _AT_ONCE:
            present, entry = waiting[0]
            if present is not members or isinstance(entry, _Call | Event):
                break
            waiting.popleft()
            batch.append(told_message(entry))
            self._in_hand = len(batch)
        return batch
