"""Under what an orchestrator counts the texts of its log, found without making messages of them."""

import re
from typing import cast
from uuid import UUID

from cardwright.actors import UnresolvableClassError, resolve_type
from cardwright.actors.messages import Message, OutsideMessage, SentMessage
from cardwright.actors.registry import marker_of
from cardwright.actors.stored import MODEL_KEY
from cardwright.store.teams.payloads import Data, StateChange
from cardwright.store.teams.plain_messages import Fields, plain_fields
from cardwright.store.teams.turn_texts import TurnText

COMMON = frozenset(Message.model_fields)
"""The fields of every message."""
OUTSIDE = marker_of(OutsideMessage)
SENT = marker_of(SentMessage)
SENT_KEYS = frozenset({*COMMON, "message", MODEL_KEY})
# What a record keeps of an identifier: it was drawn at random.
_RANDOM = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")

type LogKey = tuple[type[Message], UUID | None]
"""What a message is, and the agent id of who said it."""
type LogItem = LogKey | str | None
"""Of an event: its key, its text if it has to be read, None if no orchestrator has it."""


class LogKeys:
    """Finds the keys of what is sure to be readable: sent messages of plain values, and turns."""

    def __init__(self, team_id: str) -> None:
        """Look at the log of that team."""
        self._team = team_id
        self._classes: dict[object, tuple[type[Message], Fields] | None] = {}
        self._keys: dict[tuple[type[Message], str], LogKey] = {}

    def item(self, said: TurnText | Data, text: str) -> LogItem:
        """Return the key of an event, its text if that does not tell, or None."""
        if isinstance(said, TurnText):
            return self._key(said.kind, said.sender_id)
        if StateChange.of(said) is not None or said.get(MODEL_KEY) == OUTSIDE:
            return None
        if not self.is_plain_sent(said):
            return text
        return self._key(SentMessage, str(cast("Data", said["sender"])["agent_id"]))

    def is_plain_sent(self, data: Data) -> bool:
        """Tell whether it says that a message was sent, and both are sure to be readable."""
        if data.get(MODEL_KEY) != SENT or data.keys() != SENT_KEYS or not self.is_record(data):
            return False
        message = cast("Data", data["message"])
        found = self.class_of(message.get(MODEL_KEY))
        return found is not None and has_plain(message, found[1])

    def is_record(self, data: Data) -> bool:
        """Tell whether a record says all of it."""
        return (
            data["team_id"] == self._team
            and data["sender"] is not None
            and data["timestamp"] is not None
            and data["display_type"] == "other"
            and _RANDOM.fullmatch(cast("str", data["id"])) is not None
        )

    def class_of(self, marker: object) -> tuple[type[Message], Fields] | None:
        """Return the class of that marker and its fields, if loading one only sets them."""
        if marker not in self._classes:
            self._classes[marker] = _plain_class(marker)
        return self._classes[marker]

    def _key(self, kind: type[Message], sender: str) -> LogKey:
        found = self._keys.get((kind, sender))
        if found is None:
            found = self._keys[kind, sender] = (kind, UUID(sender))
        return found


def has_plain(data: Data, fields: Fields) -> bool:
    """Tell whether the fields of a message are these, and hold values of the right types."""
    if len(data) != len(fields) + len(COMMON) + 1 or not data.keys() >= COMMON:
        return False
    return all(type(data.get(name)) is kind for name, kind in fields.items())


def _plain_class(marker: object) -> tuple[type[Message], Fields] | None:
    try:
        found = resolve_type(str(marker))
    except UnresolvableClassError:
        return None
    # An old name has a successor, which may have to migrate the data.
    if not issubclass(found, Message) or marker_of(found) != marker:
        return None
    fields = plain_fields(found)
    return None if fields is None else (found, fields)
