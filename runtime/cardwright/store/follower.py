"""A thread that notices what other processes write."""

import logging
import math
import threading
from abc import ABC, abstractmethod
from time import monotonic

from cardwright.store.errors import StoreError
from cardwright.store.pulse import Pulse

logger = logging.getLogger(__name__)

RETRY_SECONDS = 0.5
QUIET_SECONDS = 60.0
"""An interruption that comes sooner after the last one is the same to people."""


class Follower(ABC):
    """Turns the writes of other processes into pulses, through every interruption."""

    def __init__(self, pulse: Pulse) -> None:
        """Prepare; `start` makes the thread, at the first subscription."""
        self.pulse = pulse
        self.ending = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def follow(self) -> None:
        """Follow on one connection until `ending` is set; call `pulse.beat_all` when it stands.

        Raises:
            StoreError: the connection was lost.
        """

    def start(self) -> None:
        """Follow from now on; a second call changes nothing."""
        with self._lock:
            if self._thread is None and not self.ending.is_set():
                self._thread = threading.Thread(
                    target=self._run, name="store-follower", daemon=True
                )
                self._thread.start()

    def close(self) -> None:
        """End the thread and wait for it."""
        with self._lock:
            self.ending.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        told = -math.inf
        while not self.ending.is_set():
            try:
                self.follow()
            except StoreError as error:
                # Subscribers meanwhile look by themselves.
                level = logging.WARNING if monotonic() - told > QUIET_SECONDS else logging.DEBUG
                logger.log(level, "Following other processes was interrupted: %s", error)
                told = monotonic()
                self.ending.wait(RETRY_SECONDS)
