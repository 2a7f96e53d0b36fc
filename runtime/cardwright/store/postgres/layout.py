"""The tables in a PostgreSQL database: schema `cardwright`, made by whoever opens it first."""

import logging

import psycopg

from cardwright.store import schema
from cardwright.store.errors import StoreVersionError

logger = logging.getLogger(__name__)

OLDEST_SERVER = 15
_LOCK = 0x43617264
"""Advisory lock under which the tables are created."""


def prepare(connection: psycopg.Connection) -> None:
    """Create the tables if they are not there.

    Raises:
        StoreVersionError: the server, its encoding or the tables do not fit this program.
    """
    _require_server(connection)
    if _version(connection) != schema.VERSION:
        _create(connection)


def _require_server(connection: psycopg.Connection) -> None:
    if connection.info.server_version < OLDEST_SERVER * 10_000:
        raise StoreVersionError(f"The store needs PostgreSQL {OLDEST_SERVER} or newer.")
    if _setting(connection, "server_encoding") != "UTF8":
        raise StoreVersionError("The store needs a database with encoding UTF8.")
    if _setting(connection, "fsync") != "on":
        logger.warning("The database server runs without fsync: a loss of power loses events.")


def _setting(connection: psycopg.Connection, name: str) -> str:
    row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
    return "" if row is None else str(row[0])


def _version(connection: psycopg.Connection) -> int:
    """Return the number of the layout that is there, 0 if there is none."""
    there = connection.execute("SELECT to_regclass('cardwright.layout')").fetchone()
    if there is None or there[0] is None:
        return 0
    row = connection.execute("SELECT max(version) FROM cardwright.layout").fetchone()
    version = 0 if row is None else int(row[0])
    if version > schema.VERSION:
        raise StoreVersionError("The store was written by a newer version. Update this program.")
    return version


def _create(connection: psycopg.Connection) -> None:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        # Another process may have been first.
        if _version(connection) == schema.VERSION:
            return
        connection.execute("CREATE SCHEMA IF NOT EXISTS cardwright")
        connection.execute("CREATE TABLE layout (version BIGINT NOT NULL)")
        for statement in schema.tables("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"):
            connection.execute(statement.encode())
        connection.execute("INSERT INTO layout VALUES (%s)", (schema.VERSION,))
