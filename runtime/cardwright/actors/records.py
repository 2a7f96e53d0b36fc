"""The ledger of turns in a compact form: made for every message, read only when somebody asks."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import lru_cache
from time import time
from typing import Any, ClassVar, Final, NamedTuple, Self, cast
from uuid import UUID

from cardwright.actors.addresses import ActorAddress, ActorAddressImpl
from cardwright.actors.bare_models import bare_model
from cardwright.actors.changes import Snapshot
from cardwright.actors.frozen import FIXED, frozen
from cardwright.actors.identifiers import fresh_bytes, uuid_of
from cardwright.actors.messages import (
    Message,
    OutsideMessage,
    SentMessage,
    StateChangedMessage,
)
from cardwright.actors.shapes import ATOMS
from cardwright.actors.snapshots import snapshot_addresses

__all__ = [
    "Frozen",
    "Record",
    "Shape",
    "inert",
    "kind_of",
    "live_message",
    "message_of",
    "told_message",
]

_time: Final = datetime.fromtimestamp
_STAMPS: Final = frozenset({"parent_id", "team_id", "sender"})
_TURN_FIELDS: Final = _STAMPS | {"message_id"}
_STATE_FIELDS: Final = _STAMPS | {"state"}
_SENT_FIELDS: Final = _STAMPS | {"message", "recipient"}


# Under which name a record keeps what it is about, and what is given of such a message.
_TURN: Final = ("message_id", _TURN_FIELDS)
_ABOUT: Final[dict[type[Message], tuple[str, frozenset[str]]]] = {
    SentMessage: ("message", _SENT_FIELDS),
    OutsideMessage: ("message", _SENT_FIELDS),
    StateChangedMessage: ("state", _STATE_FIELDS),
}


def message_of[M: Message](cls: type[M], **given: object) -> M:
    """Make a message of values that are valid already: validation costs more than all the rest."""
    attributes = _defaults(cls).copy()
    attributes["id"], attributes["timestamp"] = uuid_of(fresh_bytes()), _time(time(), UTC)
    attributes.update(given)
    return bare_model(cls, attributes, set(given))


@lru_cache(maxsize=256)
def _defaults(cls: type[Message]) -> dict[str, Any]:
    """Return a value for each field, in order; only those that every message shares count."""
    fields = cls.model_fields.items()
    return {name: None if field.is_required() else field.default for name, field in fields}


class Shape(NamedTuple):
    """What many messages have in common: class, attributes, and which of them were given."""

    kind: type[Message]
    names: tuple[str, ...]
    given: frozenset[str]


class Frozen:
    """What a message was like when it was sent: whoever forwards it stamps it anew."""

    __slots__ = ("shape", "values")
    _shapes: ClassVar[dict[Shape, Shape]] = {}
    # Messages of a class mostly look like the one before.
    _last: ClassVar[dict[type[Message], Shape]] = {}

    def __init__(self, shape: Shape, values: tuple[Any, ...]) -> None:
        """Keep the values of the attributes; `shape` says of which."""
        self.shape = shape
        self.values = values

    @classmethod
    def of(cls, message: Message) -> Self:
        """Copy a message."""
        attributes = message.__dict__
        values = tuple(attributes.values())
        if not FIXED.issuperset(map(type, values)):
            values = tuple(map(frozen, values))
        if message.__pydantic_private__ or message.__pydantic_extra__ is not None:
            # Extra and private attributes are rare: such a message is copied as pydantic does it.
            given = frozenset(message.__pydantic_fields_set__)
            shape, values = Shape(type(message), (), given), (message.model_copy(deep=True),)
            return cls(cls._shapes.setdefault(shape, shape), values)
        return cls(cls._shape_of(type(message), message), values)

    @classmethod
    def _shape_of(cls, kind: type[Message], message: Message) -> Shape:
        names, given = (
            tuple(message.__dict__),
            cast("AbstractSet[str]", message.__pydantic_fields_set__),
        )
        last = cls._last.get(kind)
        if last is not None and last.given == given and last.names == names:
            return last
        shape = Shape(kind, names, frozenset(given))
        cls._last[kind] = shape = cls._shapes.setdefault(shape, shape)
        return shape

    def thaw(self) -> Message:
        """Return the message; whoever changes it changes nothing here."""
        kind, names, given = self.shape
        if not names:
            return cast("Message", self.values[0]).model_copy(deep=True)
        values = self.values
        if not FIXED.issuperset(map(type, values)):
            values = tuple(map(frozen, values))
        return bare_model(kind, dict(zip(names, values, strict=True)), set(given))

    def told(self) -> Message:
        """Return the message with inert addresses."""
        kind, names, given = self.shape
        if not names:
            return snapshot_addresses(self.thaw())
        told = [
            value
            if type(value) in ATOMS
            else value.inert
            if type(value) is ActorAddressImpl
            else frozen(snapshot_addresses(value))
            for value in self.values
        ]
        return bare_model(kind, dict(zip(names, told, strict=True)), set(given))


class Record:
    """What every message causes: it was sent, its turn began, ended, a state changed."""

    __slots__ = ("at", "id", "kind", "parent", "recipient", "sender", "subject")
    # It travels through an inbox without an envelope.
    reply_to: ClassVar[None] = None

    def __init__(
        self,
        kind: type[Message],
        sender: ActorAddress,
        parent: UUID | None,
        subject: UUID | Frozen | Snapshot[Any],
        recipient: ActorAddress | None = None,
        at: float | None = None,
        identifier: bytes | None = None,
    ) -> None:
        """Note what happened now; `subject` is what it is about.

        That is the id of a message, the message itself if it was sent, or a state.
        """
        self.kind = kind
        self.sender = sender
        self.parent = parent
        self.subject = subject
        self.recipient = recipient
        self.at = time() if at is None else at
        self.id = fresh_bytes() if identifier is None else identifier

    @property
    def message(self) -> Record:
        """The entry itself, for the loop of an actor."""
        return self

    def live(self) -> Message:
        """Return the entry as a message with live addresses."""
        return self._as_message(self.sender, self.recipient, _thawed(self.subject))

    def told(self) -> Message:
        """Return the entry as subscribers see it, with inert addresses."""
        sender, recipient, subject = self.sender, self.recipient, self.subject
        told: object = subject
        if isinstance(subject, Frozen):
            told = subject.told()
        elif isinstance(subject, Snapshot):
            told = snapshot_addresses(subject.state())
        if type(sender) is ActorAddressImpl:
            sender = sender.inert
        if type(recipient) is ActorAddressImpl:
            recipient = recipient.inert
        return self._as_message(sender, recipient, told)

    def _as_message(
        self, sender: ActorAddress, recipient: ActorAddress | None, subject: object
    ) -> Message:
        kind = self.kind
        name, fields = _ABOUT.get(kind, _TURN)
        attributes: dict[str, Any] = {
            "id": uuid_of(self.id),
            "parent_id": self.parent,
            "team_id": sender.identity.team_id,
            "timestamp": _time(self.at, UTC),
            "sender": sender,
            "recipient": recipient,
            "display_type": "other",
            name: subject,
        }
        return bare_model(kind, attributes, set(fields))


def _thawed(subject: UUID | Frozen | Snapshot[Any]) -> object:
    if isinstance(subject, Frozen):
        return subject.thaw()
    return subject.state() if isinstance(subject, Snapshot) else subject


def inert(address: ActorAddress) -> ActorAddress:
    """Return the address as it is stored."""
    return address.inert if isinstance(address, ActorAddressImpl) else address


def kind_of(entry: Message | Record) -> type[Message]:
    """Return the class of what an entry of the log tells."""
    return entry.kind if type(entry) is Record else type(cast("Message", entry))


def live_message(entry: Message | Record) -> Message:
    """Return an entry of the log as a message with live addresses."""
    return entry.live() if type(entry) is Record else cast("Message", entry)


def told_message(entry: Message | Record) -> Message:
    """Return an entry of the log as subscribers see it."""
    return entry.told() if type(entry) is Record else snapshot_addresses(cast("Message", entry))
