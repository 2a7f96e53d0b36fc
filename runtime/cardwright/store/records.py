"""What a store takes and gives: plain immutable records around JSON text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import uuid4

_START = datetime(1970, 1, 1, tzinfo=UTC)


def from_microseconds(microseconds: int) -> datetime:
    """Return the time that many microseconds after 1970, in UTC."""
    return _START + timedelta(microseconds=microseconds)


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to append.

    `event_id` makes a repeated append recognisable: keep the same `NewEvent` when you repeat.
    """

    payload: str
    event_id: str = field(default_factory=lambda: uuid4().hex)


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event of a stream. The first has sequence 1, and no number is missing."""

    stream: str
    sequence: int
    event_id: str
    payload: str
    recorded_us: int
    """Microseconds since 1970 by the database's clock."""

    @property
    def recorded_at(self) -> datetime:
        """When the event was stored, in UTC, by the database's clock."""
        return from_microseconds(self.recorded_us)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The latest saved state under one key of a stream.

    It holds everything up to event `sequence`; later events may be newer than it.
    """

    stream: str
    key: str
    sequence: int
    payload: str
    saved_at: datetime


@dataclass(frozen=True, slots=True)
class TeamRecord:
    """The record of a team: JSON text, with labels to find it by."""

    team_id: str
    version: int
    """Starts at 1 and grows by 1 with each update."""
    payload: str
    labels: Mapping[str, str]
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to a stream, until somebody else takes it over."""

    stream: str
    owner: str
    epoch: int
    """Grows with each change of hands; goes into each write."""
    expires_at: datetime
    """By the database's clock; afterwards another owner may take over."""
