"""The waiting messages of an actor: put, taken in order, looked at, or taken out of turn."""

from __future__ import annotations

import logging
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from pykka.messages import (
    ProxyCall,
    _ActorStop,  # pyright: ignore[reportPrivateUsage]  # what `ActorRef.stop` sends
)

from cardwright.actors.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection
    from uuid import UUID

    from pykka._envelope import Envelope

__all__ = ["UNUSUAL", "Inbox"]

logger = logging.getLogger(__name__)

# Waiting messages of one actor that people should know of; then twice as many, and so on.
UNUSUAL: Final = 100_000


class Inbox:
    """A queue in which messages can be seen and picked while they wait.

    It has no bound: two actors that wait for room in each other's inbox would wait for ever, and a
    stop has to get in. What a team tells of itself is bounded instead (see `pressure`), so whoever
    floods a member slows down with the log; and an inbox that only grows says so.

    Every envelope is kept in a deque and announced by a token, both of them operations that cannot
    be interrupted. A picked envelope leaves its token behind, which then announces nothing.
    """

    __slots__ = ("_tokens", "_unusual", "_waiting")

    def __init__(self) -> None:
        """Start empty."""
        self._waiting: deque[Envelope[Any]] = deque()
        self._tokens: SimpleQueue[None] = SimpleQueue()
        self._unusual = UNUSUAL

    def put(self, envelope: Envelope[Any], /) -> None:
        """Append an envelope; never waits."""
        self._waiting.append(envelope)
        self._tokens.put(None)
        if len(self._waiting) > self._unusual:
            self._warn()

    def _warn(self) -> None:
        self._unusual *= 2
        kind = type(self._waiting[0].message).__name__
        logger.warning(
            "%d messages wait in one inbox, the oldest a %s: its actor is slower than its senders.",
            len(self._waiting),
            kind,
        )

    def get(self) -> Envelope[Any]:
        """Take the oldest envelope, waiting for one."""
        while True:
            self._tokens.get()
            try:
                return self._waiting.popleft()
            except IndexError:
                # What this token announced was picked.
                continue

    def empty(self) -> bool:
        """Tell whether nothing waits."""
        return not self._waiting

    def __len__(self) -> int:
        return len(self._waiting)

    def drain(self) -> list[Envelope[Any]]:
        """Take everything, oldest first."""
        taken: list[Envelope[Any]] = []
        while self._waiting:
            try:
                taken.append(self._waiting.popleft())
            except IndexError:
                # Somebody else drains too.
                break
        return taken

    def messages(self) -> list[Message]:
        """Return the waiting messages, oldest first; calls of methods are no messages."""
        waiting = [envelope.message for envelope in self._waiting.copy()]
        return [message for message in waiting if isinstance(message, Message)]

    def calls(self, method: str) -> bool:
        """Tell whether a call of `method` waits: for work that can be cut short."""
        waiting = [envelope.message for envelope in self._waiting.copy()]
        return any(isinstance(one, ProxyCall) and one.attr_path == (method,) for one in waiting)

    def stops(self) -> bool:
        """Tell whether the stop of the actor waits, whichever way it was asked to stop."""
        waiting = [envelope.message for envelope in self._waiting.copy()]
        return any(isinstance(one, _ActorStop) for one in waiting) or self.calls("stop")

    def pick(self, message_ids: Collection[UUID]) -> list[Message]:
        """Remove the waiting messages of these ids and return them, oldest first.

        Messages that someone waits for an answer to stay; unknown ids are ignored.
        """
        wanted = set(message_ids)
        picked: list[Message] = []
        for envelope in self._waiting.copy() if wanted else ():
            message: object = envelope.message
            if envelope.reply_to is not None or not isinstance(message, Message):
                continue
            if message.id in wanted:
                # Envelopes are compared by identity.
                self._waiting.remove(envelope)
                picked.append(message)
        return picked
