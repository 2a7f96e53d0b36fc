"""What can go wrong with a stored team, beside the errors of its store."""

from cardwright.store.errors import LeaseHeldError, StoreError, StoreUnavailableError


class TeamPausedError(StoreUnavailableError):
    """The team could not be stored in time: what it did is kept and tried again, not acknowledged.

    The team goes on by itself when the cause, which the text names, is gone.
    """


class TeamStateError(StoreError, ValueError):
    """The team is not in the state that the call needs; the text says in which it is."""


class TeamRunsElsewhereError(LeaseHeldError):
    """The team is running under another lease; the text says where in a reader's words."""

    def __init__(self, held: LeaseHeldError, place: str) -> None:
        """Keep what the store said of the lease; `place` is such as `process 7 on box`."""
        super().__init__(held.stream, held.owner, held.seconds)
        lease = f"its lease ends in {held.seconds:.1f} s"
        text = f"team {held.stream} is running in {place} ({lease}): stop it there, or wait"
        self.args = (text,)


class TeamNotStoredError(StoreError):
    """The team runs no more in this process, and its last doings could not be stored."""


class TeamRemainsError(StoreError):
    """The team is deleted, but something of it that lies outside of the store could not be."""
