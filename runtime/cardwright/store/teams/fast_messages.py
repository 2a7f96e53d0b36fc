"""Reads stored messages quickly: the three kinds that make up most of a log have a short way."""

from datetime import datetime
from typing import Literal, cast, override
from uuid import UUID

from cardwright.actors import ActorAddress
from cardwright.actors.addresses import ActorAddressStopped
from cardwright.actors.messages import (
    HandledMessage,
    Message,
    ProcessedMessage,
    ReceivedMessage,
)
from cardwright.actors.registry import marker_of
from cardwright.actors.stored import ActorAddressDict, DeserializeContext
from cardwright.store.teams.payloads import Data, message_of

type LedgerEntry = ReceivedMessage | ProcessedMessage | HandledMessage

_LEDGER: dict[str, type[LedgerEntry]] = {
    marker_of(cls): cls for cls in (ReceivedMessage, ProcessedMessage, HandledMessage)
}
_KEYS = frozenset(
    {"id", "parent_id", "team_id", "timestamp", "sender", "recipient", "display_type", "message_id"}
    | {"__model__"}
)


class LiveAddresses(DeserializeContext):
    """Stored addresses become those of the revived members, or of stopped ones."""

    def __init__(self) -> None:
        """Know nobody yet."""
        self._known: dict[str, ActorAddress] = {}

    def add(self, address: ActorAddress) -> None:
        """Enter a revived member."""
        self._known[str(address.agent_id)] = address

    def get(self, agent_id: str | None) -> ActorAddress | None:
        """Return the member of that id, if it was revived or met before."""
        return None if agent_id is None else self._known.get(agent_id)

    @override
    def resolve_address(self, data: ActorAddressDict) -> ActorAddress:
        found = self._known.get(data["agent_id"])
        if found is None:
            found = self._known[data["agent_id"]] = ActorAddressStopped(data)
        return found


class MessageReader:
    """Makes messages of the data in a log."""

    def __init__(self, addresses: LiveAddresses) -> None:
        """Resolve addresses with `addresses`."""
        self._addresses = addresses
        self._teams: dict[object, UUID | None] = {None: None}

    def read(self, data: Data) -> Message | None:
        """Return the message; None, with a warning, if it cannot be read."""
        cls = _LEDGER.get(cast("str", data.get("__model__")))
        if cls is None or data.keys() != _KEYS:
            return message_of(data, self._addresses)
        return self._ledger_entry(cls, data)

    def _ledger_entry(self, cls: type[LedgerEntry], data: Data) -> Message:
        # We wrote it, and it has exactly the known fields: no need to validate each of them again.
        return cls.model_construct(
            id=UUID(cast("str", data["id"])),
            parent_id=_uuid(data["parent_id"]),
            team_id=self._team(data["team_id"]),
            timestamp=_time(data["timestamp"]),
            sender=self._address(data["sender"]),
            recipient=self._address(data["recipient"]),
            display_type=cast("Literal['human', 'ai', 'other']", data["display_type"]),
            message_id=UUID(cast("str", data["message_id"])),
        )

    def _address(self, data: object) -> ActorAddress | None:
        return (
            None
            if data is None
            else self._addresses.resolve_address(cast("ActorAddressDict", data))
        )

    def _team(self, text: object) -> UUID | None:
        if text not in self._teams:
            self._teams[text] = _uuid(text)
        return self._teams[text]


def _uuid(text: object) -> UUID | None:
    return None if text is None else UUID(cast("str", text))


def _time(text: object) -> datetime | None:
    return None if text is None else datetime.fromisoformat(cast("str", text))
