"""The writer thread: what waits at the same moment becomes durable with one sync of the disk."""

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from cardwright.store.errors import CorruptStoreError, StoreClosedError
from cardwright.store.pulse import Pulse
from cardwright.store.session import Operation
from cardwright.store.sqlite.failures import explain, is_lock, spoils_connection
from cardwright.store.sqlite.file import StoreFile
from cardwright.store.sqlite.session import SqliteSession

MOST_AT_ONCE = 256
"""Operations in one transaction; more would only make the first of them wait longer."""


class _Job(Protocol):
    """An operation that waits for its turn, whatever it returns."""

    def run(self, connection: sqlite3.Connection) -> set[str]: ...

    def succeed(self) -> None: ...

    def fail(self, error: Exception) -> None: ...


class _Write[T]:
    """One operation, and the caller that waits for it."""

    def __init__(self, operation: Operation[T]) -> None:
        self._operation = operation
        self._settle: Callable[[], None] = lambda: None
        self.future: Future[T] = Future()

    def run(self, connection: sqlite3.Connection) -> set[str]:
        """Run inside the common transaction; what it refuses is undone for it alone."""
        session = SqliteSession(connection)
        connection.execute("SAVEPOINT job")
        try:
            result = self._operation(session)
        except (sqlite3.Error, CorruptStoreError):
            raise
        except Exception as error:  # noqa: BLE001 - handed to the caller, whatever it is
            connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")
            refusal = error
            self._settle = lambda: self.future.set_exception(refusal)
            return set()
        connection.execute("RELEASE job")
        self._settle = lambda: self.future.set_result(result)
        return session.announced

    def succeed(self) -> None:
        """Give the caller its answer: the transaction is on disk."""
        self._settle()

    def fail(self, error: Exception) -> None:
        """Tell the caller that the transaction was not committed."""
        self.future.set_exception(error)


class Writer:
    """Owns the one connection that writes."""

    def __init__(self, file: StoreFile, pulse: Pulse) -> None:
        """Start the thread; `close` ends it."""
        self._file = file
        self._pulse = pulse
        self._connection: sqlite3.Connection | None = None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        self._gate = threading.Lock()
        self._thread = threading.Thread(
            target=self._serve, name=f"store-writer-{file.path.name}", daemon=True
        )
        self._thread.start()

    def write[T](self, operation: Operation[T]) -> T:
        """Run an operation in a transaction and return when it is durable.

        Raises:
            StoreError: nothing of it was stored.
        """
        job = _Write(operation)
        with self._gate:
            # A forked process has a copy of the store, but not of the thread.
            if self._closed or not self._thread.is_alive():
                raise StoreClosedError
            self._jobs.put(job)
        return job.future.result()

    def close(self) -> None:
        """Finish what was begun and close the connection."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _serve(self) -> None:
        while True:
            batch, last = self._next_batch()
            if batch:
                self._commit(batch)
            if last:
                self._drop_connection()
                return

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """Wait for a job and take along those that queued up during the last commit."""
        batch: list[_Job] = []
        job = self._jobs.get()
        while job is not None:
            batch.append(job)
            if len(batch) == MOST_AT_ONCE or self._jobs.empty():
                return batch, False
            job = self._jobs.get()
        return batch, True

    def _commit(self, batch: list[_Job]) -> None:
        try:
            announced = self._transact(batch)
        except Exception as error:  # noqa: BLE001 - each caller waits for an answer, whatever it is
            self._recover(error)
            self._refuse(batch, error)
            return
        for job in batch:
            job.succeed()
        for stream in announced:
            self._pulse.beat(stream)

    def _refuse(self, batch: list[_Job], error: Exception) -> None:
        if len(batch) > 1 and not is_lock(error):
            # Perhaps one of them is to blame: the others must not suffer for it.
            for job in batch:
                self._commit([job])
            return
        for job in batch:
            job.fail(self._explained(error))

    def _transact(self, batch: list[_Job]) -> set[str]:
        connection = self._connected()
        announced: set[str] = set()
        connection.execute("BEGIN IMMEDIATE")
        for job in batch:
            announced |= job.run(connection)
        connection.execute("COMMIT")
        return announced

    def _connected(self) -> sqlite3.Connection:
        self._file.require_same()
        if self._connection is None:
            self._connection = self._file.connect()
        return self._connection

    def _recover(self, error: Exception) -> None:
        """Undo the transaction, and part with a connection that may remember damaged pages."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop_connection()
        else:
            if spoils_connection(error):
                self._drop_connection()

    def _drop_connection(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.close()

    def _explained(self, error: Exception) -> Exception:
        if not isinstance(error, sqlite3.Error):
            return error
        explained = explain(error, self._file.path)
        explained.__cause__ = error
        return explained
