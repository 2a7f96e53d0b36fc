"""The head of a stream: where it ends, who may write. Each write locks it first."""

from dataclasses import dataclass

from cardwright.store.errors import FencedError, StreamGone
from cardwright.store.session import Row, Session, first

_SELECT = (
    "SELECT number, last_sequence, total_bytes, epoch, owner, expires_us, deleted_us, $now"
    " FROM streams WHERE name = ?"
)


@dataclass(frozen=True, slots=True)
class Head:
    """One row of `streams`, and the time at which it was read."""

    stream: str
    number: int
    last_sequence: int
    total_bytes: int
    epoch: int
    owner: str | None
    expires_us: int | None
    deleted_us: int | None
    now_us: int

    @property
    def leased(self) -> bool:
        """Whether an owner holds the stream at this moment."""
        return self.owner is not None and (self.expires_us or 0) > self.now_us

    def require_here(self) -> None:
        """Refuse a deleted stream.

        Raises:
            StreamGone: it was deleted.
        """
        if self.deleted_us is not None:
            raise StreamGone(self.stream)

    def require_epoch(self, epoch: int) -> None:
        """Refuse a writer that is not, or no longer, in charge.

        A lease that expired still counts until somebody takes over: nobody else wrote meanwhile.

        Raises:
            StreamGone: the stream was deleted.
            FencedError: another epoch is in charge, or none since the lease was released.
        """
        self.require_here()
        released = self.epoch > 0 and self.owner is None
        if epoch != self.epoch or released:
            raise FencedError(self.stream, epoch, self.epoch)


def find(session: Session, stream: str) -> Head | None:
    """Return the head of a stream that was written to or leased."""
    return _head(stream, session.rows(_SELECT, stream))


def find_locked(session: Session, stream: str) -> Head | None:
    """Return the head and keep every other writer of this stream waiting."""
    return _head(stream, session.rows(f"{_SELECT} $lock", stream))


def lock(session: Session, stream: str) -> Head:
    """Return the locked head of a stream that need not exist yet."""
    while (head := find_locked(session, stream)) is None:
        session.run("INSERT INTO streams (name) VALUES (?) ON CONFLICT DO NOTHING", stream)
    return head


def _head(stream: str, rows: list[Row]) -> Head | None:
    row = first(rows)
    return None if row is None else Head(stream, *row)
