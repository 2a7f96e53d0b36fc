"""A small pool of connections that heals itself.

psycopg_pool is not used: it reconnects in background threads with growing pauses, where a call here
connects at once or says why it cannot.
"""

import math
import os
import threading
from collections.abc import Callable

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cardwright.store.errors import StoreClosedError, StoreUnavailableError
from cardwright.store.postgres import layout
from cardwright.store.postgres.failures import explain

MOST = 8
"""Connections of one store at the same time, the one that listens not counted."""

_ENCODING = {"client_encoding": "utf8"}
_IDLE = psycopg.pq.TransactionStatus.IDLE

# Durable means on disk when COMMIT returns, whatever the database's own default is; and a process
# that was frozen amid a transaction must not keep the others from its streams.
_SETTINGS = """
SELECT set_config('search_path', 'cardwright', false),
    set_config('lock_timeout', %(wait_ms)s, false),
    set_config('idle_in_transaction_session_timeout', '15s', false),
    CASE current_setting('synchronous_commit')
        WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
"""


class Connections:
    """Hands out connections with an open transaction, new ones where old ones have died."""

    def __init__(self, url: str, timeout: float) -> None:
        """Read the URL; nothing is connected yet. `timeout` in seconds is for each wait.

        Raises:
            ValueError: the URL cannot be read; it is not repeated, as it may hold a password.
        """
        try:
            settings = conninfo_to_dict(url)
        except psycopg.Error:
            raise ValueError("the PostgreSQL URL cannot be read; check its spelling") from None
        self._timeout = timeout
        self._conninfo = make_conninfo("", **{**_network(timeout), **settings, **_ENCODING})
        self._free = threading.BoundedSemaphore(MOST)
        self._lock = threading.Lock()
        self._idle: list[psycopg.Connection] = []
        self._process = os.getpid()
        self._prepared = False
        self._closed = False

    def run[T](self, begin: str, operation: Callable[[psycopg.Connection], T]) -> T:
        """Run an operation between `begin` and COMMIT and return its result when both are done.

        Raises:
            StoreError: what the database or the network reported; also errors of the operation.
        """
        if not self._free.acquire(timeout=self._timeout):
            raise StoreUnavailableError(f"All {MOST} connections stayed in use. Try again.")
        try:
            return self._run(begin, operation)
        except psycopg.Error as error:
            raise explain(error) from error
        finally:
            self._free.release()

    def _run[T](self, begin: str, operation: Callable[[psycopg.Connection], T]) -> T:
        while (connection := self._take()) is not None:
            attempt = _Attempt(begin, operation)
            try:
                return attempt.run(connection)
            except psycopg.OperationalError:
                if attempt.committing or not connection.closed:
                    raise
                # It died in the pool, and so did the others; nothing was committed on it.
                self._drop_idle()
            finally:
                self._give_back(connection)
        connection = self.connect()
        try:
            return _Attempt(begin, operation).run(connection)
        finally:
            self._give_back(connection)

    def connect(self) -> psycopg.Connection:
        """Return a new connection, outside of the pool.

        Raises:
            StoreError: there is no connection to be had, or the tables do not fit.
        """
        try:
            connection = psycopg.connect(self._conninfo, autocommit=True)
        except psycopg.Error as error:
            raise explain(error) from error
        try:
            wait_ms = str(math.ceil(self._timeout * 1000))
            connection.execute(_SETTINGS, {"wait_ms": wait_ms})
            if not self._prepared:
                layout.prepare(connection)
                self._prepared = True
        except psycopg.Error as error:
            connection.close()
            raise explain(error) from error
        except BaseException:
            connection.close()
            raise
        return connection

    def close(self) -> None:
        """Close the idle connections; those in use are closed when they come back."""
        with self._lock:
            self._closed = True
        self._drop_idle()

    def _take(self) -> psycopg.Connection | None:
        with self._lock:
            # A forked process must not share the connections of its parent.
            if self._closed or os.getpid() != self._process:
                raise StoreClosedError
            return self._idle.pop() if self._idle else None

    def _give_back(self, connection: psycopg.Connection) -> None:
        try:
            if connection.info.transaction_status != _IDLE:
                connection.execute("ROLLBACK")
        except psycopg.Error:
            connection.close()
        with self._lock:
            if not (self._closed or connection.closed):
                self._idle.append(connection)
                return
        connection.close()

    def _drop_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


class _Attempt[T]:
    """One run of an operation on one connection."""

    def __init__(self, begin: str, operation: Callable[[psycopg.Connection], T]) -> None:
        self._begin = begin.encode()
        self._operation = operation
        self.committing = False

    def run(self, connection: psycopg.Connection) -> T:
        # A pipeline sends statements without waiting for each answer: two waits instead of seven.
        with connection.pipeline():
            connection.execute(self._begin)
            result = self._operation(connection)
            self.committing = True
            connection.execute("COMMIT")
        return result


def _network(timeout: float) -> dict[str, str | int]:
    """Return what makes a dead network noticed; the URL may say otherwise."""
    return {
        "application_name": "cardwright",
        "connect_timeout": max(2, math.ceil(timeout)),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    }
