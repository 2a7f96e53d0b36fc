"""A transaction of PostgreSQL."""

from collections.abc import Iterable
from functools import cache
from string import Template

import psycopg

from cardwright.store.session import Row

CHANNEL = "cardwright"
"""Where the names of changed streams are announced."""

_NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)"


@cache
def _rendered(statement: str) -> bytes:
    text = Template(statement).substitute(now=_NOW, lock="FOR UPDATE")
    return text.replace("?", "%s").encode()


class PostgresSession:
    """Runs statements on a connection."""

    def __init__(self, connection: psycopg.Connection, announced: set[str]) -> None:
        """Run on `connection`; collect the names of changed streams in `announced`."""
        self._connection = connection
        self._announced = announced

    def rows(self, statement: str, *parameters: object) -> list[Row]:
        """Return all rows of a query."""
        return self._connection.execute(_rendered(statement), parameters).fetchall()

    def run(self, statement: str, *parameters: object) -> None:
        """Run a statement for its effect."""
        self._connection.execute(_rendered(statement), parameters)

    def run_many(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement once per row of parameters."""
        with self._connection.cursor() as cursor:
            cursor.executemany(_rendered(statement), rows)

    def announce(self, stream: str) -> None:
        """Tell every process once this is committed."""
        self._announced.add(stream)
        self._connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, stream))
