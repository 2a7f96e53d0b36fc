"""Operations on the events of a stream."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cardwright.store.errors import ConcurrencyError, CorruptStoreError, StaleCursorError
from cardwright.store.operations import heads, snapshots
from cardwright.store.operations.checksums import checksum, verify
from cardwright.store.operations.heads import Head
from cardwright.store.records import NewEvent, StoredEvent
from cardwright.store.session import Row, Session, first

PAGE_EVENTS = 1_000
PAGE_BYTES = 4 * 1024 * 1024
"""A page ends at whichever comes first; a larger event is a page of its own."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some events in order, and where the stream ended when they were read."""

    events: list[StoredEvent]
    last_sequence: int


def append(
    session: Session,
    stream: str,
    events: Sequence[NewEvent],
    expected: int,
    epoch: int,
    states: Mapping[str, str],
) -> int:
    """Store events and states behind number `expected`; see `EventStore.append`."""
    head = heads.lock(session, stream)
    head.require_epoch(epoch)
    last = expected + len(events)
    if head.last_sequence != expected:
        if events and _are_stored(session, head, events, expected):
            return last
        raise ConcurrencyError(f"Stream {stream!r}", expected, head.last_sequence)
    if events:
        _insert(session, head, events)
        session.announce(stream)
    for key, payload in states.items():
        snapshots.put(session, head, key, last, payload)
    return last


def _are_stored(session: Session, head: Head, events: Sequence[NewEvent], expected: int) -> bool:
    """Tell whether this very append was carried out before, its answer having been lost."""
    rows = session.rows(
        "SELECT event_id FROM events WHERE stream = ? AND sequence > ? AND sequence <= ?"
        " ORDER BY sequence",
        head.number,
        expected,
        expected + len(events),
    )
    return [row[0] for row in rows] == [event.event_id for event in events]


def _insert(session: Session, head: Head, events: Sequence[NewEvent]) -> None:
    rows = list(_rows(head, events))
    session.run_many(
        "INSERT INTO events"
        " (stream, sequence, end_bytes, recorded_us, checksum, event_id, payload)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    _, sequence, end_bytes, *_ = rows[-1]
    session.run(
        "UPDATE streams SET last_sequence = ?, total_bytes = ? WHERE number = ?",
        sequence,
        end_bytes,
        head.number,
    )


def _rows(head: Head, events: Sequence[NewEvent]) -> Iterator[Row]:
    end_bytes = head.total_bytes
    for sequence, event in enumerate(events, head.last_sequence + 1):
        end_bytes += len(event.payload.encode())
        crc = checksum(_place(head.stream, sequence, event.event_id), event.payload)
        yield head.number, sequence, end_bytes, head.now_us, crc, event.event_id, event.payload


def _place(stream: str, sequence: int, event_id: str) -> str:
    return f"{stream}/{sequence}/{event_id}"


def page(session: Session, stream: str, after: int, until: int | None = None) -> Page:
    """Return the events behind `after`, up to `until`: as many as fit into one page."""
    head = heads.find(session, stream)
    if head is not None:
        head.require_here()
    last = head.last_sequence if head else 0
    if after > last:
        raise StaleCursorError(stream, after, last)
    end = min(last, after + PAGE_EVENTS, last if until is None else until)
    if head is None or after >= end:
        return Page([], last)
    return Page(_checked(stream, after, _select(session, head, after, end)), last)


def _select(session: Session, head: Head, after: int, end: int) -> list[Row]:
    start_bytes = _start_bytes(session, head, after)
    return session.rows(
        "SELECT sequence, event_id, payload, recorded_us, checksum FROM events"
        " WHERE stream = ? AND sequence > ? AND sequence <= ? AND (sequence = ? OR end_bytes <= ?)"
        " ORDER BY sequence",
        head.number,
        after,
        end,
        after + 1,
        start_bytes + PAGE_BYTES,
    )


def _start_bytes(session: Session, head: Head, after: int) -> int:
    if after == 0:
        return 0
    row = first(
        session.rows(
            "SELECT end_bytes FROM events WHERE stream = ? AND sequence = ?", head.number, after
        )
    )
    if row is None:
        raise CorruptStoreError(f"Event {after} of stream {head.stream!r}", "it is missing")
    return int(row[0])


def _checked(stream: str, after: int, rows: list[Row]) -> list[StoredEvent]:
    """Build the events, making sure that none is missing and each is what was stored."""
    found: list[StoredEvent] = []
    wanted = after + 1
    for sequence, event_id, payload, recorded_us, crc in rows:
        if sequence != wanted:
            break
        where = f"Event {sequence} of stream {stream!r}"
        verify(where, _place(stream, sequence, event_id), payload, crc)
        found.append(StoredEvent(stream, sequence, event_id, payload, recorded_us))
        wanted += 1
    if len(found) < max(1, len(rows)):
        raise CorruptStoreError(f"Event {wanted} of stream {stream!r}", "it is missing")
    return found


def max_sequence(session: Session, stream: str) -> int:
    """Return the number of the last event, 0 if there is none."""
    head = heads.find(session, stream)
    if head is None:
        return 0
    head.require_here()
    return head.last_sequence
