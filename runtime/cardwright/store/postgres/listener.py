"""Listens for what other processes announce."""

from typing import override

import psycopg

from cardwright.store.follower import Follower
from cardwright.store.postgres.connections import Connections
from cardwright.store.postgres.failures import explain
from cardwright.store.postgres.session import CHANNEL
from cardwright.store.pulse import Pulse

LOOK_UP_SECONDS = 0.25
"""How often the thread looks whether it should end."""


class Listener(Follower):
    """Wakes the subscribers of the stream that a notification names."""

    def __init__(self, connections: Connections, pulse: Pulse) -> None:
        """Prepare to listen on a connection of its own."""
        super().__init__(pulse)
        self._connections = connections

    @override
    def follow(self) -> None:
        with self._connections.connect() as connection:
            try:
                self._listen(connection)
            except psycopg.Error as error:
                raise explain(error) from error

    def _listen(self, connection: psycopg.Connection) -> None:
        connection.execute(f"LISTEN {CHANNEL}".encode())
        # Whatever was announced before this moment went unheard.
        self.pulse.beat_all()
        while not self.ending.is_set():
            for notice in connection.notifies(timeout=LOOK_UP_SECONDS):
                self.pulse.beat(notice.payload)
