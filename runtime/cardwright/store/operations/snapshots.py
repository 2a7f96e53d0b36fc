"""Operations on the snapshots of a stream."""

from cardwright.store.errors import ConcurrencyError, CorruptStoreError
from cardwright.store.operations import heads
from cardwright.store.operations.checksums import checksum, verify
from cardwright.store.operations.heads import Head
from cardwright.store.records import Snapshot, from_microseconds
from cardwright.store.session import Row, Session, first

_SELECT = "SELECT key, sequence, payload, saved_us, checksum FROM snapshots WHERE stream = ?"


def save(session: Session, stream: str, key: str, sequence: int, payload: str, epoch: int) -> bool:
    """Keep a snapshot unless a later one is kept; see `EventStore.save_snapshot`."""
    head = heads.lock(session, stream)
    head.require_epoch(epoch)
    if sequence > head.last_sequence:
        raise ConcurrencyError(f"Stream {stream!r}", sequence, head.last_sequence)
    return put(session, head, key, sequence, payload)


def put(session: Session, head: Head, key: str, sequence: int, payload: str) -> bool:
    """Write a snapshot below a locked head; return whether it was kept."""
    rows = session.rows(
        "INSERT INTO snapshots (stream, key, sequence, saved_us, checksum, payload)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (stream, key) DO UPDATE SET"
        " sequence = excluded.sequence, saved_us = excluded.saved_us,"
        " checksum = excluded.checksum, payload = excluded.payload"
        " WHERE excluded.sequence >= snapshots.sequence RETURNING sequence",
        head.number,
        key,
        sequence,
        head.now_us,
        checksum(_place(head.stream, key, sequence), payload),
        payload,
    )
    return bool(rows)


def load(session: Session, stream: str, key: str) -> Snapshot | None:
    """Return the snapshot of one key, if there is one."""
    head = heads.find(session, stream)
    if head is None:
        return None
    head.require_here()
    row = first(session.rows(f"{_SELECT} AND key = ?", head.number, key))
    return None if row is None else _checked(head, row)


def load_all(session: Session, stream: str) -> list[Snapshot]:
    """Return the snapshots of all keys, sorted by key."""
    head = heads.find(session, stream)
    if head is None:
        return []
    head.require_here()
    found = [_checked(head, row) for row in session.rows(_SELECT, head.number)]
    return sorted(found, key=lambda snapshot: snapshot.key)


def _checked(head: Head, row: Row) -> Snapshot:
    key, sequence, payload, saved_us, crc = row
    where = f"Snapshot {key!r} of stream {head.stream!r}"
    verify(where, _place(head.stream, key, sequence), payload, crc)
    if sequence > head.last_sequence:
        raise CorruptStoreError(
            where, f"it is newer than the log, which ends at {head.last_sequence}"
        )
    return Snapshot(head.stream, key, sequence, payload, from_microseconds(saved_us))


def _place(stream: str, key: str, sequence: int) -> str:
    return f"{stream}/{key}/{sequence}"
