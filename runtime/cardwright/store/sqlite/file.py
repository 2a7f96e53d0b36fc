"""The file of a store: opening connections to it, and making sure that it stays the same file."""

import os
import sqlite3
import time
from pathlib import Path

from cardwright.store import schema
from cardwright.store.errors import CorruptStoreError, StoreUnavailableError, StoreVersionError
from cardwright.store.sqlite.failures import explain, is_lock

_APPLICATION_ID = 0x43617264
"""Marks the files of this program ("Card"), so that another program's are never touched."""


class StoreFile:
    """Makes configured connections to one file, which it creates the first time only."""

    def __init__(self, path: str, timeout: float) -> None:
        """Open or create the file at `path`; `timeout` is the wait for its lock in seconds.

        Raises:
            StoreError: it cannot be opened, is damaged, or is not ours.
        """
        self.path = Path(path).absolute()
        self._timeout = timeout
        self._identity: tuple[int, int] | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailableError(
                f"The folder of {self.path.name} cannot be created: {error.strerror}."
            ) from error
        self._refuse_emptied()
        self._connect("rwc").close()
        self._identity = self._on_disk()

    def connect(self) -> sqlite3.Connection:
        """Return a new connection to the same file as ever.

        Raises:
            StoreError: as for the constructor, or the file was moved or replaced.
        """
        self.require_same()
        return self._connect("rw")

    def require_same(self) -> None:
        """Refuse a file that was moved or replaced: its new content is not what we know.

        Asked before each transaction, as SQLite would go on writing to a file without a name.

        Raises:
            StoreUnavailableError: the path leads to another file, or to none.
        """
        if self._identity != self._on_disk():
            raise StoreUnavailableError(
                f"The store {self.path.name} was moved or replaced while it was open. Put it back, "
                "or close it in every process and open it again."
            )

    def _connect(self, mode: str) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(
                f"{self.path.as_uri()}?mode={mode}",
                uri=True,
                timeout=self._timeout,
                isolation_level=None,
                check_same_thread=False,
            )
        except sqlite3.Error as error:
            raise explain(error, self.path) from error
        try:
            self._prepare(connection)
        except sqlite3.Error as error:
            connection.close()
            raise explain(error, self.path) from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _on_disk(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)  # noqa: PTH116 - called for each transaction, and twice as fast
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _refuse_emptied(self) -> None:
        """An empty file is a new store to SQLite, even where a log shows that it was one."""
        log = self.path.with_name(f"{self.path.name}-wal")
        if self.path.exists() and not self.path.stat().st_size and log.exists():
            raise CorruptStoreError(f"The store {self.path.name}", "the file is empty")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        _refuse_foreign(connection, self.path)
        self._use_log(connection)
        # FULL syncs the log at every commit: an acknowledged event survives a loss of power.
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute(f"PRAGMA journal_size_limit = {64 * 1024 * 1024}")
        if _version(connection) != schema.VERSION:
            _create_tables(connection)

    def _use_log(self, connection: sqlite3.Connection) -> None:
        """Switch to write-ahead logging; SQLite does not wait by itself when others do the same."""
        deadline = time.monotonic() + self._timeout
        while True:
            try:
                (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as error:
                if not is_lock(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                break
        if mode != "wal":
            raise StoreVersionError(
                f"The store {self.path.name} cannot keep a log here. Put it on a local disk."
            )


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    # One transaction: another process may be creating the tables at this very moment.
    connection.execute("BEGIN")
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    connection.execute("COMMIT")
    if tables and application != _APPLICATION_ID:
        raise StoreVersionError(
            f"{path.name} is a database of another program. Name another file for the store."
        )
    if _version(connection) > schema.VERSION:
        raise StoreVersionError(
            f"The store {path.name} was written by a newer version. Update this program."
        )


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _create_tables(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another process may have been first.
    if _version(connection) != schema.VERSION:
        for statement in schema.tables("INTEGER PRIMARY KEY"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {schema.VERSION}")
    connection.execute("COMMIT")
