"""What SQLite reports, said as an error of the store."""

import sqlite3
from pathlib import Path

from cardwright.store.errors import (
    CorruptStoreError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
)

_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
# SQLite says FULL for a full disk only; a quota or a file size limit looks like a failed write.
_REFUSED_WRITES = {sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}


_OUR_FAULT = {
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_MISUSE,
    sqlite3.SQLITE_RANGE,
}
"""Errors that no waiting cures."""

_UNAVAILABLE = {
    **dict.fromkeys(_LOCKED, "stayed locked by another process. End that process, or try again."),
    sqlite3.SQLITE_READONLY: "is read-only. Let this user write to the file and its folder.",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened. Let this user write to its folder.",
}


def primary(error: Exception) -> int:
    """Return SQLite's primary result code; -1 if Python itself raised the error."""
    return extended(error) & 0xFF if extended(error) >= 0 else -1


def extended(error: Exception) -> int:
    """Return SQLite's extended result code; -1 if Python itself raised the error."""
    return getattr(error, "sqlite_errorcode", -1)


def is_lock(error: Exception) -> bool:
    """Tell whether another connection was in the way."""
    return primary(error) in _LOCKED


def spoils_connection(error: Exception) -> bool:
    """Tell whether a connection should not be used again: it may remember damaged pages."""
    if not isinstance(error, sqlite3.Error | CorruptStoreError):
        return False
    return primary(error) not in _LOCKED | {sqlite3.SQLITE_FULL}


def explain(error: Exception, path: Path) -> StoreError:
    """Return the error of the store that says what happened and what to do."""
    if isinstance(error, StoreError):
        return error
    code, store = primary(error), f"The store {path.name}"
    if code in _CORRUPT or _is_undecodable(error) or _lacks_tables(error):
        return CorruptStoreError(store, str(error))
    if code == sqlite3.SQLITE_FULL or extended(error) in _REFUSED_WRITES:
        return StoreFullError(f"{store} could not grow ({error}). Free space on its disk.")
    if code in _OUR_FAULT:
        return StoreError(f"{store} refused a statement ({error}). Please report this.")
    return StoreUnavailableError(f"{store} {_UNAVAILABLE.get(code, _failed(error))}")


def _failed(error: Exception) -> str:
    return f"could not be read or written ({error}). Check its disk."


def _is_undecodable(error: Exception) -> bool:
    return "decode" in str(error).lower() and primary(error) == -1


def _lacks_tables(error: Exception) -> bool:
    return str(error).startswith(("no such table", "no such column"))
