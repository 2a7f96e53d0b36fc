"""Reads stored messages quickly: what makes up most of a log has a short way."""

from datetime import datetime
from typing import cast, override
from uuid import UUID

from cardwright.actors import ActorAddress
from cardwright.actors.addresses import ActorAddressStopped
from cardwright.actors.bare_models import bare_model
from cardwright.actors.messages import (
    HandledMessage,
    Message,
    ProcessedMessage,
    ReceivedMessage,
    SentMessage,
)
from cardwright.actors.records import Frozen, Record
from cardwright.actors.registry import marker_of
from cardwright.actors.stored import MODEL_KEY, ActorAddressDict, DeserializeContext
from cardwright.store.teams.log_keys import (
    COMMON,
    OUTSIDE,
    SENT,
    SENT_KEYS,
    LogKeys,
    has_plain,
)
from cardwright.store.teams.payloads import Data, StateChange, as_data, message_of
from cardwright.store.teams.turn_texts import turn_of

_LEDGER = {marker_of(cls): cls for cls in (ReceivedMessage, ProcessedMessage, HandledMessage)}
_AT_ONCE = 10_000
"""Identifiers to remember."""
_LEDGER_KEYS = frozenset({*COMMON, "message_id", MODEL_KEY})


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
    """Makes of the data in a log what an orchestrator keeps in its own."""

    def __init__(self, addresses: LiveAddresses, team_id: UUID) -> None:
        """Resolve addresses with `addresses`."""
        self._addresses = addresses
        self._team = str(team_id)
        # An identifier is named several times: by what was sent, begun, ended and caused.
        self._ids: dict[object, UUID] = {}
        self._keys = LogKeys(self._team)

    def entry_of(self, text: str) -> Message | Record | None:
        """Return what an orchestrator keeps of a text of the log; None if that is nothing."""
        turn = turn_of(text)
        sender = None if turn is None else self._addresses.get(turn.sender_id)
        if turn is not None and sender is not None and turn.team_id == self._team:
            return Record(
                turn.kind,
                sender,
                self._id(turn.parent_id),
                self._known_id(turn.message_id),
                None,
                turn.seconds,
                bytes.fromhex(turn.id.replace("-", "")),
            )
        data = as_data(text)
        is_other = StateChange.of(data) is not None or data.get(MODEL_KEY) == OUTSIDE
        return None if is_other else self.entry(data)

    def entry(self, data: Data) -> Message | Record | None:
        """Return a message, or the compact form that an orchestrator itself keeps of the ledger."""
        marker = data.get(MODEL_KEY)
        ledger = _LEDGER.get(cast("str", marker))
        if ledger is not None and data.keys() == _LEDGER_KEYS and self._keys.is_record(data):
            return self._record(ledger, data, self._known_id(data["message_id"]))
        if marker == SENT and data.keys() == SENT_KEYS and self._keys.is_record(data):
            inner = self._plain(cast("Data", data["message"]))
            if inner is not None:
                recipient = self._address(data["recipient"])
                return self._record(SentMessage, data, Frozen.of(inner), recipient)
        return self.read(data)

    def read(self, data: Data) -> Message | None:
        """Return the message; None, with a warning, if it cannot be read."""
        return self._plain(data) or message_of(data, self._addresses)

    def _record(
        self,
        kind: type[Message],
        data: Data,
        subject: UUID | Frozen,
        recipient: ActorAddress | None = None,
    ) -> Record:
        return Record(
            kind,
            self._addresses.resolve_address(cast("ActorAddressDict", data["sender"])),
            self._id(data["parent_id"]),
            subject,
            recipient,
            datetime.fromisoformat(cast("str", data["timestamp"])).timestamp(),
            bytes.fromhex(cast("str", data["id"]).replace("-", "")),
        )

    def _plain(self, data: Data) -> Message | None:
        """Return the message if its own fields are plain values of the right types."""
        found = self._keys.class_of(data.get(MODEL_KEY))
        if found is None:
            return None
        cls, fields = found
        if not has_plain(data, fields):
            return None
        return self._made(cls, data, **{name: data[name] for name in fields})

    def _made[M: Message](self, cls: type[M], data: Data, **own: object) -> M:
        # We wrote it, and it has exactly the known fields: no need to validate each of them again.
        attributes: dict[str, object] = {
            "id": self._id(data["id"]),
            "parent_id": self._id(data["parent_id"]),
            "team_id": self._id(data["team_id"]),
            "timestamp": _time(data["timestamp"]),
            "sender": self._address(data["sender"]),
            "recipient": self._address(data["recipient"]),
            "display_type": data["display_type"],
            **own,
        }
        return bare_model(cls, attributes, set(attributes))

    def _address(self, data: object) -> ActorAddress | None:
        if data is None:
            return None
        return self._addresses.resolve_address(cast("ActorAddressDict", data))

    def _id(self, text: object) -> UUID | None:
        return None if text is None else self._known_id(text)

    def _known_id(self, text: object) -> UUID:
        if len(self._ids) > _AT_ONCE:
            # Those that are named together are near each other.
            self._ids.clear()
        found = self._ids.get(text)
        if found is None:
            found = self._ids[text] = UUID(cast("str", text))
        return found


def _time(text: object) -> datetime | None:
    return None if text is None else datetime.fromisoformat(cast("str", text))
