"""A transaction of SQLite."""

import sqlite3
from collections.abc import Iterable
from functools import cache
from string import Template

from cardwright.store.session import Row

# SQLite 3.40 has no `subsec`; a julian day counts in about 50 microseconds.
_NOW = "CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)"


@cache
def _rendered(statement: str) -> str:
    return Template(statement).substitute(now=_NOW, lock="")


class SqliteSession:
    """Runs statements on a connection and remembers which streams to announce."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.announced: set[str] = set()

    def rows(self, statement: str, *parameters: object) -> list[Row]:
        """Return all rows of a query."""
        return self._connection.execute(_rendered(statement), parameters).fetchall()

    def run(self, statement: str, *parameters: object) -> None:
        """Run a statement for its effect."""
        self._connection.execute(_rendered(statement), parameters)

    def run_many(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement once per row of parameters."""
        self._connection.executemany(_rendered(statement), rows)

    def announce(self, stream: str) -> None:
        """Remember to wake the subscribers here; those elsewhere look by themselves."""
        self.announced.add(stream)
