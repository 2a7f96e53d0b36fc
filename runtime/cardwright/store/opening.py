"""From a URL to a store."""

from importlib.util import find_spec
from urllib.parse import unquote

from cardwright.store.protocol import EventStore
from cardwright.store.sql_store import SqlStore

_INSTALL = "pip install 'cardwright[postgres]'"


def open_store(url: str, *, timeout: float = 5.0) -> EventStore:
    """Open the store that a URL names; create its tables if they are not there.

    `sqlite:///team.db` is a file beside the working directory, `sqlite:////var/lib/team.db` an
    absolute path (a local disk: the log needs shared memory between processes).
    `postgresql://user@host/database` is a database of PostgreSQL 15 or newer.

    `timeout` is how long a call waits, in seconds, for a lock or a connection.

    Raises:
        ValueError: the URL names no kind of store, or cannot be read.
        ImportError: the extra `postgres` is not installed.
        StoreError: the store cannot be opened: see `cardwright.store.errors`.
    """
    scheme, separator, rest = url.partition("://")
    if separator and scheme == "sqlite":
        return _open_sqlite(rest, timeout)
    if separator and scheme in {"postgresql", "postgres"}:
        return _open_postgres(url, timeout)
    # The URL may hold a password, so it is not repeated.
    raise ValueError(
        "a store URL starts with sqlite:/// or postgresql://: "
        "a file is sqlite:///team.db, a server postgresql://user@host/database"
    )


def _open_sqlite(rest: str, timeout: float) -> EventStore:
    from cardwright.store.sqlite import SqliteEngine

    path = unquote(rest.removeprefix("/"))
    if not rest.startswith("/") or not path or path == ":memory:" or "?" in rest:
        raise ValueError("write sqlite:///relative.db or sqlite:////absolute/path.db")
    return SqlStore(SqliteEngine(path, timeout=timeout))


def _open_postgres(url: str, timeout: float) -> EventStore:
    if find_spec("psycopg") is None:
        raise ImportError(f"a PostgreSQL store needs the extra `postgres`: {_INSTALL}")
    from cardwright.store.postgres import PostgresEngine

    return SqlStore(PostgresEngine(url, timeout=timeout))
