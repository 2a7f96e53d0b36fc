"""The engine over one SQLite file."""

import os
import sqlite3
import threading
import weakref

from cardwright.store.errors import CorruptStoreError, StoreClosedError
from cardwright.store.pulse import Pulse
from cardwright.store.session import Operation
from cardwright.store.sqlite.failures import explain, spoils_connection
from cardwright.store.sqlite.file import StoreFile
from cardwright.store.sqlite.session import SqliteSession
from cardwright.store.sqlite.watcher import Watcher
from cardwright.store.sqlite.writer import Writer


class SqliteEngine:
    """One writer thread and a few idle read connections."""

    poll_seconds = 1.0
    """The watcher wakes subscribers; this is for the time in which it cannot."""

    def __init__(self, path: str, timeout: float) -> None:
        """Open or create the file at `path`.

        Raises:
            StoreError: it cannot be opened, is damaged, or is not ours.
        """
        self.pulse = Pulse()
        self._file = StoreFile(path, timeout)
        self._writer = Writer(self._file, self.pulse)
        self._readers = _Readers(self._file)
        self._watcher = Watcher(self._file, self.pulse)
        # A store that nobody closed lets go of its file and threads all the same.
        self._let_go = weakref.finalize(self, _close, self._watcher, self._writer, self._readers)

    def read[T](self, operation: Operation[T]) -> T:
        """Run an operation on one consistent view."""
        connection = self._readers.take()
        try:
            connection.execute("BEGIN")
            result = operation(SqliteSession(connection))
            connection.execute("COMMIT")
        except (sqlite3.Error, CorruptStoreError) as error:
            self._readers.give_back(connection, spoiled=spoils_connection(error))
            raise explain(error, self._file.path) from error
        except BaseException:
            self._readers.give_back(connection)
            raise
        self._readers.give_back(connection)
        return result

    def write[T](self, operation: Operation[T]) -> T:
        """Run an operation and return when its effect is durable."""
        return self._writer.write(operation)

    def follow(self) -> None:
        """Watch for what other processes write."""
        self._watcher.start()

    def close(self) -> None:
        """Finish the writes, close all connections."""
        self._let_go()


def _close(watcher: Watcher, writer: Writer, readers: "_Readers") -> None:
    watcher.close()
    writer.close()
    readers.close()


class _Readers:
    """Idle connections for reading. Each thread takes one out and gives it back."""

    def __init__(self, file: StoreFile) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._process = os.getpid()
        self._closed = False

    def take(self) -> sqlite3.Connection:
        with self._lock:
            # A forked process must not share the connections of its parent.
            if self._closed or os.getpid() != self._process:
                raise StoreClosedError
            self._file.require_same()
            if self._idle:
                return self._idle.pop()
        return self._file.connect()

    def give_back(self, connection: sqlite3.Connection, *, spoiled: bool = False) -> None:
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            spoiled = True
        with self._lock:
            if not (spoiled or self._closed):
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._drop_idle()

    def _drop_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()
