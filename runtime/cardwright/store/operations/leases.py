"""Operations on leases: one live owner per stream, told apart by a growing epoch."""

from cardwright.store.errors import FencedError, LeaseHeldError, StreamGone
from cardwright.store.operations import heads
from cardwright.store.records import Lease, from_microseconds
from cardwright.store.session import Session, first

_MICROSECONDS = 1_000_000


def acquire(session: Session, stream: str, owner: str, ttl: float) -> Lease:
    """Start a new epoch, unless another owner's lease is running."""
    head = heads.lock(session, stream)
    head.require_here()
    if head.leased and head.owner is not None and head.owner != owner:
        left = ((head.expires_us or 0) - head.now_us) / _MICROSECONDS
        raise LeaseHeldError(stream, head.owner, left)
    return _write(
        session, head.number, Lease(stream, owner, head.epoch + 1, from_microseconds(0)), ttl
    )


def renew(session: Session, lease: Lease, ttl: float) -> Lease:
    """Let a lease last longer, unless it was taken over or released."""
    head = heads.find_locked(session, lease.stream)
    if head is None:
        raise FencedError(lease.stream, lease.epoch, 0)
    head.require_epoch(lease.epoch)
    return _write(session, head.number, lease, ttl)


def _write(session: Session, number: int, lease: Lease, ttl: float) -> Lease:
    row = first(
        session.rows(
            "UPDATE streams SET epoch = ?, owner = ?, expires_us = $now + ? WHERE number = ?"
            " RETURNING expires_us",
            lease.epoch,
            lease.owner,
            int(ttl * _MICROSECONDS),
            number,
        )
    )
    if row is None:  # never: the row is locked, and rows of streams are not deleted
        raise StreamGone(lease.stream)
    return Lease(lease.stream, lease.owner, lease.epoch, from_microseconds(row[0]))


def release(session: Session, lease: Lease) -> None:
    """Leave the stream without an owner; the epoch stays, so that it is never given twice."""
    session.run(
        "UPDATE streams SET owner = NULL, expires_us = NULL WHERE name = ? AND epoch = ?",
        lease.stream,
        lease.epoch,
    )


def current(session: Session, stream: str) -> Lease | None:
    """Return the lease that is running now."""
    head = heads.find(session, stream)
    if head is None or head.owner is None or not head.leased:
        return None
    return Lease(stream, head.owner, head.epoch, from_microseconds(head.expires_us or 0))
