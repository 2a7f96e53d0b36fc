"""Watches the file for what other processes commit."""

import sqlite3
from contextlib import closing
from typing import override

from cardwright.store.follower import Follower
from cardwright.store.pulse import Pulse
from cardwright.store.sqlite.failures import explain
from cardwright.store.sqlite.file import StoreFile

LOOK_SECONDS = 0.05
"""SQLite tells nobody; asking it costs some microseconds, however many subscribers there are."""


class Watcher(Follower):
    """Wakes all subscribers when the file has changed."""

    def __init__(self, file: StoreFile, pulse: Pulse) -> None:
        """Prepare to watch `file`."""
        super().__init__(pulse)
        self._file = file

    @override
    def follow(self) -> None:
        with closing(self._file.connect()) as connection:
            try:
                self._watch(connection)
            except sqlite3.Error as error:
                raise explain(error, self._file.path) from error

    def _watch(self, connection: sqlite3.Connection) -> None:
        seen = -1
        while not self.ending.wait(LOOK_SECONDS):
            self._file.require_same()
            (version,) = connection.execute("PRAGMA data_version").fetchone()
            if version != seen:
                seen = version
                self.pulse.beat_all()
