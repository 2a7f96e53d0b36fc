"""What every event store does, whatever database it stands on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol, Self

from cardwright.store.records import Lease, NewEvent, Snapshot, StoredEvent, TeamRecord
from cardwright.store.subscription import Subscription


class EventStore(Protocol):
    """Durable event streams of teams, with snapshots, team records, agent cards and leases.

    Threads may share a store; each process, a forked one too, opens it for itself. Promised are:

    - **Durable.** A call that returned is on disk. A call that raised `StoreUnavailableError` may
      be repeated unchanged: an append that had been carried out is recognised by its event ids.
    - **Ordered.** The events of a stream are numbered 1, 2, 3, … without a gap. Whoever sees an
      event can see all events before it.
    - **Atomic.** The events and snapshots of one append are stored together or not at all.
    - **Exclusive.** Once a stream has been leased, only the newest epoch writes to it; this is
      decided in the transaction that writes. Unleased streams have epoch 0.
    - **Honest.** Damaged data raises `CorruptStoreError`; nothing is skipped or made up.

    Payloads are text, by convention JSON from `cardwright.actors.serialize`; a store never looks
    inside. Names and ids have 1 to 200 characters. All times are of the database's clock.

    Any method may raise `StoreUnavailableError` (retryable; `StoreFullError` if the disk is full),
    `CorruptStoreError` or `StoreClosedError`; any argument that cannot be stored is a `ValueError`.
    """

    def append(
        self,
        stream: str,
        events: Sequence[NewEvent],
        *,
        expected_sequence: int,
        epoch: int = 0,
        snapshots: Mapping[str, str] | None = None,
    ) -> int:
        """Store `events` behind event `expected_sequence` and return the last sequence.

        `snapshots` (key to payload) are saved at that last sequence in the same transaction.
        Without events this only checks that the caller is still up to date and in charge.

        Raises:
            ConcurrencyError: the stream does not end at `expected_sequence`.
            FencedError: `epoch` is not the epoch of the stream's lease.
            StreamGone: the stream was deleted.
        """
        ...

    def read(
        self, stream: str, *, after: int = 0, limit: int | None = None
    ) -> Iterator[StoredEvent]:
        """Yield the events behind number `after`, at most `limit`, in order.

        Reads page by page, so that memory stays flat, and stops where the stream ended when the
        first page was read. A stream that was never written to is empty.

        Raises:
            StreamGone: the stream was deleted, now or while reading.
            StaleCursorError: the stream has no event `after`.
        """
        ...

    def subscribe(self, stream: str, *, after: int = 0) -> Subscription:
        """Follow a stream: what is stored behind number `after`, then what any process appends."""
        ...

    def get_max_sequence(self, stream: str) -> int:
        """Return the number of the last event; 0 if there is none.

        Raises:
            StreamGone: the stream was deleted.
        """
        ...

    def delete_stream(self, stream: str, *, epoch: int = 0) -> None:
        """Delete events, snapshots, lease and team record of that name for good. Cards stay.

        The name is never used again, so that a forgotten writer cannot bring the team back.
        Deleting twice does nothing more.

        Raises:
            FencedError: `epoch` is not the epoch of the stream's lease.
        """
        ...

    def save_snapshot(
        self, stream: str, key: str, sequence: int, payload: str, *, epoch: int = 0
    ) -> bool:
        """Keep `payload` as the latest state of `key`, as of event `sequence`.

        Returns whether it was kept: a snapshot of a later sequence is not replaced.

        Raises:
            ConcurrencyError: `sequence` is newer than the log.
            FencedError: `epoch` is not the epoch of the stream's lease.
            StreamGone: the stream was deleted.
        """
        ...

    def load_snapshot(self, stream: str, key: str) -> Snapshot | None:
        """Return the latest snapshot of `key`, if there is one.

        Raises:
            StreamGone: the stream was deleted.
        """
        ...

    def load_snapshots(self, stream: str) -> list[Snapshot]:
        """Return the latest snapshot of each key, sorted by key.

        Raises:
            StreamGone: the stream was deleted.
        """
        ...

    def create_team(
        self, team_id: str, payload: str, *, labels: Mapping[str, str] | None = None
    ) -> TeamRecord:
        """Store the record of a new team, at version 1.

        Raises:
            TeamExistsError: there is such a record.
            StreamGone: a team of that id was deleted.
        """
        ...

    def load_team(self, team_id: str) -> TeamRecord:
        """Return the record of a team.

        Raises:
            TeamNotFoundError: there is none, or it was deleted.
        """
        ...

    def list_teams(self, *, labels: Mapping[str, str] | None = None) -> Iterator[TeamRecord]:
        """Yield the teams that have all these labels, oldest first, page by page.

        A damaged record is logged and left out, so that it does not hide the others.
        """
        ...

    def update_team(
        self,
        team_id: str,
        payload: str,
        *,
        expected_version: int,
        labels: Mapping[str, str] | None = None,
    ) -> TeamRecord:
        """Replace payload and labels of a record (`None` keeps the labels).

        Raises:
            TeamNotFoundError: there is no such record.
            ConcurrencyError: the record is not at `expected_version`.
        """
        ...

    def delete_team(self, team_id: str, *, expected_version: int) -> None:
        """Delete the record alone; `delete_stream` deletes it with everything else of the team.

        Raises:
            TeamNotFoundError: there is no such record.
            ConcurrencyError: the record is not at `expected_version`.
        """
        ...

    def save_cards(self, payloads: Iterable[str]) -> list[str]:
        """Store agent cards, JSON objects, by their content and return their hashes in order.

        `can_be_hired` belongs to the team that uses the card: it is neither stored nor hashed.
        """
        ...

    def load_cards(self, hashes: Iterable[str]) -> dict[str, str]:
        """Return the cards by hash, as key-sorted compact JSON.

        Raises:
            CardNotFoundError: for some of the hashes there is no card.
        """
        ...

    def acquire_lease(self, stream: str, owner: str, *, ttl: float) -> Lease:
        """Take the stream for `ttl` seconds, if it is free, expired or the owner's own already.

        Every success starts a new epoch: older ones can write no more. Name each run of a process
        differently, as the same owner may take its own lease over.

        Raises:
            LeaseHeldError: another owner's lease is running.
            StreamGone: the stream was deleted.
        """
        ...

    def renew_lease(self, lease: Lease, *, ttl: float) -> Lease:
        """Let the lease last `ttl` seconds from now, even if it expired and nobody took over.

        Raises:
            FencedError: it was taken over or released.
            StreamGone: the stream was deleted.
        """
        ...

    def release_lease(self, lease: Lease) -> None:
        """Give the stream back: the next owner need not wait, this epoch writes no more.

        A lease that was taken over, released or deleted already is left as it is.
        """
        ...

    def current_lease(self, stream: str) -> Lease | None:
        """Return the running lease of a stream: where the team lives; `None` if nowhere."""
        ...

    def close(self) -> None:
        """Finish the writes under way and let go of the database.

        Later calls, and subscribers that wait, get `StoreClosedError`.
        """
        ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()
