"""What PostgreSQL and the network report, said as an error of the store."""

import psycopg

from cardwright.store.errors import (
    CorruptStoreError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)

_FULL = "53100"
_CORRUPT = "XX001", "XX002"
_READ_ONLY = "25006"
_LOCKED = "55P03", "40001", "40P01"
# Classes of conditions that pass: connection, rights to connect, transaction state, conflicts,
# resources, locks, an operator's intervention, the system. A lost connection has no code at all.
_PASSING = {"08", "25", "28", "40", "53", "55", "57", "58"}
_NO_RIGHT = "42501", "3F000", "42P01"


def explain(error: psycopg.Error) -> StoreError:
    """Return the error of the store that says what happened and what to do."""
    state, reason = error.sqlstate or "", _reason(error)
    if state == _FULL:
        return StoreFullError(f"The disk of the database server is full ({reason}). Free space.")
    if state in _CORRUPT:
        return CorruptStoreError("The database", reason)
    if state in _NO_RIGHT:
        return StoreVersionError(
            f"The tables of the store are not there for this user ({reason}). Grant the rights on "
            "schema cardwright, or let a user open the store who may create it."
        )
    if state and state[:2] not in _PASSING:
        return StoreError(f"The database refused a statement ({reason}). Please report this.")
    return StoreUnavailableError(_unavailable(state, reason))


def _unavailable(state: str, reason: str) -> str:
    if state == _READ_ONLY:
        return "The database server takes no writes (a standby?). Connect to the primary."
    if state in _LOCKED:
        return f"Another session stayed in the way ({reason}). Try again."
    return f"The database is not available ({reason}). Check that it runs; then repeat the call."


def _reason(error: psycopg.Error) -> str:
    """Return the first line, without details: those may quote what was to be stored."""
    text = error.diag.message_primary or str(error) or type(error).__name__
    return text.strip().splitlines()[0].rstrip(".")
