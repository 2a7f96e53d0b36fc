"""Listens for what other processes announce."""

import logging
import threading

import psycopg

from cardwright.store.errors import StoreError
from cardwright.store.postgres.connections import Connections
from cardwright.store.postgres.session import CHANNEL
from cardwright.store.pulse import Pulse

logger = logging.getLogger(__name__)

_LOOK_UP_SECONDS = 0.25
"""How often the thread looks whether it should end."""
_RETRY_SECONDS = 0.5


class Listener:
    """A thread with a connection of its own that turns notifications into pulses."""

    def __init__(self, connections: Connections, pulse: Pulse) -> None:
        """Prepare; `start` makes the thread, at the first subscription."""
        self._connections = connections
        self._pulse = pulse
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Listen from now on; a second call changes nothing."""
        with self._lock:
            if self._thread is None and not self._ending.is_set():
                self._thread = threading.Thread(
                    target=self._run, name="store-listener", daemon=True
                )
                self._thread.start()

    def close(self) -> None:
        """End the thread and wait for it."""
        with self._lock:
            self._ending.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self._listen()
            except (psycopg.Error, StoreError) as error:
                # Subscribers meanwhile look by themselves.
                logger.warning("Listening for events was interrupted: %s", error)
                self._ending.wait(_RETRY_SECONDS)

    def _listen(self) -> None:
        with self._connections.connect() as connection:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            # Whatever was announced before this moment went unheard.
            self._pulse.beat_all()
            while not self._ending.is_set():
                for notice in connection.notifies(timeout=_LOOK_UP_SECONDS):
                    self._pulse.beat(notice.payload)
