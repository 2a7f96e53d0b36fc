"""Writes messages as JSON; the ledger of turns, most of what happens, in a short way."""

import json
import logging
from datetime import datetime
from typing import cast
from uuid import UUID

from cardwright.actors import ActorAddress, serialize
from cardwright.actors.messages import (
    ErrorMessage,
    HandledMessage,
    Message,
    OutsideMessage,
    ProcessedMessage,
    ReceivedMessage,
    SentMessage,
)
from cardwright.actors.registry import marker_of
from cardwright.store.teams.json_text import as_text
from cardwright.store.teams.plain_messages import plain_fields

logger = logging.getLogger(__name__)

_LEDGER = frozenset({ReceivedMessage, ProcessedMessage, HandledMessage})
_SENT = frozenset({SentMessage, OutsideMessage})


class MessageTexts:
    """Texts of messages, equal to their dumps; remembers those of addresses."""

    def __init__(self) -> None:
        """Know no address yet."""
        self._addresses: dict[UUID, str] = {}

    def text(self, message: Message) -> str:
        """Return the text; what cannot be stored is replaced by an error that says so."""
        try:
            return self._text(message)
        except Exception as error:
            logger.exception("%s cannot be stored.", type(message).__name__)
            return as_text(serialize(_substitute(message, error)))

    def forget(self, agent_id: UUID) -> None:
        """Drop the address of a member that has stopped."""
        self._addresses.pop(agent_id, None)

    def _text(self, message: Message) -> str:
        cls = type(message)
        if cls in _LEDGER:
            about = cast("ReceivedMessage", message).message_id
            return self._whole(message, f'"message_id":"{about}"')
        if cls in _SENT:
            return self._whole(
                message, f'"message":{self._text(cast("SentMessage", message).message)}'
            )
        fields = plain_fields(cls)
        if fields is None:
            return as_text(serialize(message))
        values = vars(message)
        own = (f'"{name}":{json.dumps(values[name])}' for name in fields)
        return self._whole(message, *own)

    def _whole(self, message: Message, *own: str) -> str:
        """Return the common fields, then the others in their order, then the type."""
        parts = (
            f'"id":"{message.id}"',
            f'"parent_id":{_quoted(message.parent_id)}',
            f'"team_id":{_quoted(message.team_id)}',
            f'"timestamp":{_time(message.timestamp)}',
            f'"sender":{self._address(message.sender)}',
            f'"recipient":{self._address(message.recipient)}',
            f'"display_type":"{message.display_type}"',
            *own,
            f'"__model__":"{marker_of(type(message))}"',
        )
        return f"{{{','.join(parts)}}}"

    def _address(self, address: ActorAddress | None) -> str:
        if address is None:
            return "null"
        found = self._addresses.get(address.agent_id)
        if found is None:
            found = self._addresses[address.agent_id] = as_text(address.serialize())
        return found


def _substitute(message: Message, error: Exception) -> ErrorMessage:
    name = type(message).__name__
    made = ErrorMessage(
        content_type="NotStored",
        content=f"{name} could not be stored ({type(error).__name__}).",
    )
    made.sender, made.team_id = message.sender, message.team_id
    return made


def _quoted(value: UUID | None) -> str:
    return "null" if value is None else f'"{value}"'


def _time(value: datetime | None) -> str:
    return "null" if value is None else f'"{value.isoformat()}"'
