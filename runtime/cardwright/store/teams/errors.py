"""What can go wrong with a stored team, beside the errors of its store."""

from cardwright.store.errors import StoreError, StoreUnavailableError


class TeamPausedError(StoreUnavailableError):
    """The team could not be stored in time: what it did is kept and tried again, not acknowledged.

    The team goes on by itself when the cause, which the text names, is gone.
    """


class TeamStateError(StoreError, ValueError):
    """The team is not in the state that the call needs; the text says in which it is."""


class TeamNotStoredError(StoreError):
    """The team runs no more in this process, and its last doings could not be stored."""


class TeamRemainsError(StoreError):
    """The team is deleted, but something of it that lies outside of the store could not be."""
