"""The engine over a PostgreSQL database."""

import weakref

from cardwright.store.postgres.connections import Connections
from cardwright.store.postgres.listener import Listener
from cardwright.store.postgres.session import PostgresSession
from cardwright.store.pulse import Pulse
from cardwright.store.session import Operation

# The rows of `streams` are locked before they are judged, so this level is enough for writing.
_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class PostgresEngine:
    """A transaction per operation, on connections that are kept."""

    poll_seconds = 1.0
    """Notifications wake subscribers; this is for those that get lost."""

    def __init__(self, url: str, timeout: float) -> None:
        """Connect once, creating the tables if they are not there.

        Raises:
            ValueError: the URL cannot be read.
            StoreError: the database cannot be used.
        """
        self.pulse = Pulse()
        self._connections = Connections(url, timeout)
        self._listener = Listener(self._connections, self.pulse)
        self._let_go = weakref.finalize(self, _close, self._listener, self._connections)
        self._connections.run(_READ, lambda _: None)

    def read[T](self, operation: Operation[T]) -> T:
        """Run an operation on one consistent view."""
        return self._connections.run(
            _READ, lambda connection: operation(PostgresSession(connection, set()))
        )

    def write[T](self, operation: Operation[T]) -> T:
        """Run an operation and return when its effect is durable."""
        announced: set[str] = set()
        result = self._connections.run(
            _WRITE, lambda connection: operation(PostgresSession(connection, announced))
        )
        for stream in announced:
            self.pulse.beat(stream)
        return result

    def follow(self) -> None:
        """Listen for other processes."""
        self._listener.start()

    def close(self) -> None:
        """Stop listening and close the connections."""
        self._let_go()


def _close(listener: Listener, connections: Connections) -> None:
    listener.close()
    connections.close()
