"""The waiting messages of an actor: look at them, or take some out of turn."""

from collections import deque
from collections.abc import Collection
from queue import Queue
from typing import TYPE_CHECKING, cast
from uuid import UUID

from pykka._envelope import Envelope

from cardwright.actors.messages import Message

if TYPE_CHECKING:
    from pykka._actor import ActorInbox

__all__ = ["peek", "take"]

type _Inbox = Queue[Envelope[object]]


def peek(inbox: "ActorInbox") -> list[Message]:
    """Return the waiting messages, oldest first; calls of methods are no messages."""
    queue = cast("_Inbox", inbox)
    with queue.mutex:
        waiting = [envelope.message for envelope in queue.queue]
    return [message for message in waiting if isinstance(message, Message)]


def take(inbox: "ActorInbox", message_ids: Collection[UUID]) -> list[Message]:
    """Remove the waiting messages of these ids and return them, oldest first.

    Messages that someone waits for an answer to stay; unknown ids are ignored.
    """
    wanted = set(message_ids)
    if not wanted:
        return []
    queue = cast("_Inbox", inbox)
    with queue.mutex:
        taken = [envelope for envelope in queue.queue if _is_wanted(envelope, wanted)]
        chosen = {id(envelope) for envelope in taken}
        queue.queue = deque(item for item in queue.queue if id(item) not in chosen)
    return [cast("Message", envelope.message) for envelope in taken]


def _is_wanted(envelope: Envelope[object], wanted: set[UUID]) -> bool:
    message = envelope.message
    return envelope.reply_to is None and isinstance(message, Message) and message.id in wanted
