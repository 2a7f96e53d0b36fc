"""Context updates per conversation: one agent may talk in many at once."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Final, cast

from cardwright.bench import MemberState
from cardwright.core import ActorToolObserver, ContextUpdater
from cardwright.core.provider import ContextProvider

_MOST_CONVERSATIONS: Final = 1_000
"""Forgetting an older one costs it one complete update, nothing else."""


class Conversation:
    """What one conversation was last told: baselines and numbering of its own.

    The message history stays the record; this is the cache that lets an update be a difference.
    """

    def __init__(self, providers: Sequence[ContextProvider]) -> None:
        self.state = MemberState()
        self._lock = Lock()
        # An updater needs no more of its observer than the state, which here is the conversation's.
        self._updater = ContextUpdater(cast("ActorToolObserver", self), providers)

    def update(self, messages: Sequence[object]) -> str | None:
        """The next block for this history, `None` when nothing is new; it counts as delivered."""
        with self._lock:
            return self._updater.compose_update(messages)


class Conversations:
    """The conversations of one agent, by pydantic-ai's conversation id."""

    def __init__(self, providers: Sequence[ContextProvider]) -> None:
        self._providers = providers
        self._lock = Lock()
        self._recent: OrderedDict[str, Conversation] = OrderedDict()

    def of(self, conversation_id: str | None) -> Conversation:
        """The conversation of that id; a new one without an id."""
        if conversation_id is None:
            return Conversation(self._providers)
        with self._lock:
            found = self._recent.setdefault(conversation_id, Conversation(self._providers))
            self._recent.move_to_end(conversation_id)
            if len(self._recent) > _MOST_CONVERSATIONS:
                self._recent.popitem(last=False)
            return found
