"""What can go wrong with a store.

StoreError                      everything below
├── ConcurrencyError            somebody else wrote first
├── FencedError                 another owner has taken the stream over
├── LeaseHeldError              another owner holds the lease
├── StreamGone                  the stream was deleted (LookupError)
├── StaleCursorError            a cursor lies beyond the end of the stream (LookupError)
├── TeamNotFoundError           no such team record (LookupError)
├── TeamExistsError             there is such a team record already
├── CardNotFoundError           no such agent card (LookupError)
├── CorruptStoreError           what was stored cannot be read back
├── StoreVersionError           a newer version wrote the store, or it lacks what we need
├── StoreClosedError            `close()` was called
└── StoreUnavailableError       retryable: nothing was acknowledged, call again later
    └── StoreFullError          the disk is full

An argument that can never be stored (a NUL character, a negative sequence) is a `ValueError`.
"""

from collections.abc import Iterable
from typing import ClassVar


class StoreError(Exception):
    """Base of all errors of a store."""

    retryable: ClassVar[bool] = False
    """Whether the very same call may succeed later. Repeating an `append` never writes twice."""


class ConcurrencyError(StoreError):
    """The stream or record is not where the caller believed it to be."""

    def __init__(self, what: str, expected: int, actual: int) -> None:
        """Keep the number the caller expected and the one that was found."""
        self.expected = expected
        self.actual = actual
        super().__init__(
            f"{what} is at {actual}, not at {expected} as expected: somebody else wrote first. "
            "Read what is new, decide again and repeat with the new number."
        )


class FencedError(StoreError):
    """The writer's epoch is not that of the present lease, so it must not write any more."""

    def __init__(self, stream: str, epoch: int, current: int) -> None:
        """Keep the epoch of the writer and the one of the stream."""
        self.stream = stream
        self.epoch = epoch
        self.current = current
        super().__init__(
            f"Stream {stream!r} refuses epoch {epoch}: its epoch is {current}. Another owner took "
            "over or the lease was released; stop this copy, or acquire the lease again."
        )


class LeaseHeldError(StoreError):
    """Another owner holds the lease."""

    def __init__(self, stream: str, owner: str, seconds: float) -> None:
        """Keep who holds the lease, and for how many seconds at most unless it is renewed."""
        self.stream = stream
        self.owner = owner
        self.seconds = seconds
        super().__init__(
            f"Stream {stream!r} is leased by {owner!r} for another {seconds:.1f} s. "
            "Stop it there, or wait until the lease ends."
        )


class StreamGone(StoreError, LookupError):  # noqa: N818 - the name the issue gives it
    """The stream was deleted; its name is never used again."""

    def __init__(self, stream: str) -> None:
        """Keep the name of the stream."""
        self.stream = stream
        super().__init__(f"Stream {stream!r} was deleted. Create a team with a new id.")


class StaleCursorError(StoreError, LookupError):
    """A reader's position lies beyond the end of the stream."""

    def __init__(self, stream: str, after: int, last: int) -> None:
        """Keep the reader's position and the last sequence of the stream."""
        self.stream = stream
        self.after = after
        self.last = last
        super().__init__(
            f"Stream {stream!r} ends at {last}; position {after} was never reached. The position "
            "is of another store, or the store is an older copy: read again from 0."
        )


class TeamNotFoundError(StoreError, LookupError):
    """There is no record of this team."""

    def __init__(self, team_id: str) -> None:
        """Keep the id."""
        self.team_id = team_id
        super().__init__(f"There is no team {team_id!r}. Check the id against the list of teams.")


class TeamExistsError(StoreError):
    """There is a record of this team already."""

    def __init__(self, team_id: str) -> None:
        """Keep the id."""
        self.team_id = team_id
        super().__init__(f"Team {team_id!r} exists. Update it, or create one with a new id.")


class CardNotFoundError(StoreError, LookupError):
    """Agent cards that a team refers to are not in the store."""

    def __init__(self, hashes: Iterable[str]) -> None:
        """Keep the hashes without a card."""
        self.hashes = tuple(sorted(hashes))
        super().__init__(
            f"No agent card with hash {', '.join(self.hashes)}. Save the cards before the team "
            "record that refers to them, or restore the store from a backup."
        )


class CorruptStoreError(StoreError):
    """What is stored is damaged; nothing is guessed and nothing is skipped."""

    def __init__(self, where: str, problem: str) -> None:
        """Name the damaged thing and what is wrong with it."""
        super().__init__(
            f"{where} is damaged ({problem}). Restore it from a backup; the store goes on by "
            "itself when the data can be read again."
        )


class StoreVersionError(StoreError):
    """The database cannot serve this version of the program."""


class StoreClosedError(StoreError):
    """The store was closed by this process."""

    def __init__(self) -> None:
        super().__init__("The store is closed. Open it again with `open_store`.")


class StoreUnavailableError(StoreError):
    """The database did not take part. What was acknowledged before is safe.

    Whether the failed call itself was carried out may be unknown (the answer was lost): repeat it
    unchanged. An `append` that had succeeded is recognised and not written twice.
    """

    retryable: ClassVar[bool] = True


class StoreFullError(StoreUnavailableError):
    """The disk took no more; nothing of the call was stored."""
