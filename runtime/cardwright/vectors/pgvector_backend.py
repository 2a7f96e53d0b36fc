"""Collections in PostgreSQL with pgvector: shared by machines, searched exactly."""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from math import isfinite
from os import dup
from socket import SHUT_RDWR, socket
from threading import Timer
from time import monotonic
from typing import Final, LiteralString, final, override

import numpy as np
import psycopg
from numpy.typing import NDArray
from pgvector.psycopg import register_vector

from .checks import (
    require_batch,
    require_dimension,
    require_known,
    require_same,
    require_text,
    require_top_k,
)
from .identifiers import object_id
from .models import CollectionRecord, KnownText, SearchHit, VectorEntry
from .protocol import Vector, VectorStore

type _Row = tuple[object, ...]

_CONNECT_S: Final = 10
# Milliseconds for one statement, waiting for locks included: less than the store's callers wait.
_STATEMENT_MS: Final = 15_000
# Seconds for one call as the client measures them: a server that hangs keeps no limit itself.
_CALL_S: Final = 20.0
# The same for clearing up after a team, which may be much.
_DELETION_S: Final = 3_600.0
# A server that took so many seconds to fail is not asked again for a while.
_SLOW_S: Final = 2.0
_DEAD_S: Final = 15.0
# One of the numbers that sessions which make the tables agree on.
_LAYOUT_LOCK: Final = 5_203_161_740
_LAYOUT: Final = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    """CREATE TABLE IF NOT EXISTS cardwright_collection (
        team_id text NOT NULL, name text NOT NULL, dimension integer NOT NULL,
        PRIMARY KEY (team_id, name))""",
    """CREATE TABLE IF NOT EXISTS cardwright_vector (
        object_id uuid PRIMARY KEY,
        place bigint GENERATED ALWAYS AS IDENTITY,
        team_id text NOT NULL, collection text NOT NULL, ref_id text NOT NULL,
        ref_type text NOT NULL, text text NOT NULL, model text NOT NULL, embedding vector NOT NULL,
        FOREIGN KEY (team_id, collection) REFERENCES cardwright_collection ON DELETE CASCADE)""",
    """CREATE INDEX IF NOT EXISTS cardwright_vector_of_team
        ON cardwright_vector (team_id, collection, ref_id)""",
)
_PUT: Final = """
INSERT INTO cardwright_vector
    (object_id, team_id, collection, ref_id, ref_type, text, model, embedding)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (object_id) DO UPDATE SET ref_type = excluded.ref_type, text = excluded.text,
    model = excluded.model, embedding = excluded.embedding
"""
_ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 5203161740))"
# The filters stand inside, so that a search is never short of rows that an index passed over.
_SEARCH: Final = """
SELECT ref_type, ref_id, text, round((-(embedding <#> %(query)s))::numeric, 6) AS score
FROM cardwright_vector
WHERE team_id = %(team)s AND collection = %(collection)s
    AND (%(allowed)s::text[] IS NULL OR ref_id = ANY (%(allowed)s::text[]))
    AND (%(types)s::text[] IS NULL OR ref_type = ANY (%(types)s::text[]))
ORDER BY score DESC, place
LIMIT %(top_k)s
"""


@final
class PgVectorBackend(VectorStore):
    """A table of unit vectors that teams share, each seeing its own rows.

    A search scores every row that passes the filters: exact, and full whatever the filter, at the
    price of time that grows with the team's rows (not with the table). A lost connection is opened
    again once per call; all calls may be repeated. One that takes longer than 20 s is cut off.
    """

    def __init__(self, url: str, team_id: str) -> None:
        """Connect when first used.

        Args:
            url: of the database; its user may create tables, and the extension if it is not there.
            team_id: whose vectors these are.

        Raises:
            ValueError: there is no team.
        """
        if not team_id:
            raise ValueError("a vector store belongs to a team: team_id is empty")
        self._url = url
        self._team = team_id
        self._connection: psycopg.Connection | None = None
        self._open: dict[str, CollectionRecord] = {}
        self._dead = 0.0

    @override
    def create_collection(self, name: str, record: CollectionRecord) -> None:
        if name in self._open:
            require_same(name, self._open[name], record)
            return
        require_text(name, name)
        rows = self._run(
            lambda connection: connection.execute(
                "INSERT INTO cardwright_collection VALUES (%s, %s, %s)"
                " ON CONFLICT (team_id, name) DO UPDATE SET name = excluded.name"
                " RETURNING dimension",
                (self._team, name, record.dimension),
            ).fetchall()
        )
        stored = record.model_copy(update={"dimension": rows[0][0]})
        require_same(name, stored, record)
        self._open[name] = record

    @override
    def add(self, collection: str, entries: Sequence[VectorEntry], model: str = "") -> None:
        require_batch(collection, self._dimension(collection), entries)
        rows = [self._row(collection, entry, model) for entry in _newest(entries)]

        def put(connection: psycopg.Connection) -> None:
            with connection.transaction(), connection.cursor() as cursor:
                # One writer of a collection at a time: none waits for another in a circle.
                cursor.execute(_ALONE, (f"{self._team}/{collection}",))
                cursor.executemany(_PUT, rows)

        if rows:
            self._run(put)

    def _row(self, collection: str, entry: VectorEntry, model: str) -> _Row:
        key = self._object_id(collection, entry.ref_id)
        text = (entry.ref_id, entry.ref_type, entry.text, model)
        return key, self._team, collection, *text, _unit(entry.vector)

    def _object_id(self, collection: str, ref_id: str) -> str:
        return str(object_id(self._team, collection, ref_id))

    @override
    def remove(self, collection: str, ref_ids: Collection[str]) -> None:
        self._dimension(collection)
        ids = sorted(self._object_id(collection, ref_id) for ref_id in ref_ids)
        if ids:
            self._run(
                lambda connection: connection.execute(
                    "DELETE FROM cardwright_vector"
                    " WHERE object_id = ANY (%s::uuid[]) AND team_id = %s",
                    (ids, self._team),
                )
            )

    @override
    def search(
        self,
        collection: str,
        vector: Vector,
        top_k: int,
        *,
        allowed: Collection[str] | None = None,
        ref_types: Collection[str] | None = None,
    ) -> list[SearchHit]:
        require_top_k(top_k)
        require_dimension(collection, self._dimension(collection), vector)
        values = {
            "query": _unit(vector),
            "team": self._team,
            "collection": collection,
            "allowed": None if allowed is None else list(allowed),
            "types": None if ref_types is None else list(ref_types),
            "top_k": top_k,
        }
        rows = self._run(lambda connection: connection.execute(_SEARCH, values).fetchall())
        return [_hit(row) for row in rows]

    @override
    def texts(
        self, collection: str, ref_ids: Collection[str] | None = None
    ) -> Mapping[str, KnownText]:
        self._dimension(collection)
        asked = None if ref_ids is None else list(ref_ids)
        rows = self._run(
            lambda connection: connection.execute(
                "SELECT ref_id, text, model FROM cardwright_vector"
                " WHERE team_id = %s AND collection = %s"
                " AND (%s::text[] IS NULL OR ref_id = ANY (%s::text[])) ORDER BY place",
                (self._team, collection, asked, asked),
            ).fetchall()
        )
        return {str(ref_id): KnownText(str(text), str(model)) for ref_id, text, model in rows}

    @override
    def list_collections(self) -> list[str]:
        rows = self._run(
            lambda connection: connection.execute(
                "SELECT name FROM cardwright_collection WHERE team_id = %s", (self._team,)
            ).fetchall()
        )
        return sorted(str(name) for (name,) in rows)

    @override
    def delete_by_team(self, collection: str, team_id: str) -> int:
        if team_id == self._team:
            self._open.pop(collection, None)
        return self._run(lambda connection: _delete(connection, collection, team_id), _DELETION_S)

    @override
    def delete_team(self, team_id: str) -> int:
        if team_id == self._team:
            self._open.clear()
        return self._run(lambda connection: _delete_team(connection, team_id), _DELETION_S)

    @override
    def teams(self) -> set[str]:
        rows = self._run(
            lambda connection: connection.execute(
                "SELECT DISTINCT team_id FROM cardwright_collection"
            ).fetchall()
        )
        return {str(team_id) for (team_id,) in rows}

    @override
    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None
        self._open.clear()

    def _dimension(self, collection: str) -> int:
        require_known(collection, self._open)
        return self._open[collection].dimension

    def _run[T](self, work: Callable[[psycopg.Connection], T], seconds: float | None = None) -> T:
        """Do some work, once more if the connection turns out to be lost.

        Raises:
            ConnectionError: the server did not answer, now or a moment ago.
        """
        self._refuse_dead()
        began = monotonic()
        limit = _CALL_S if seconds is None else seconds
        try:
            return self._attempt(work, limit)
        except psycopg.OperationalError as error:
            lost = self._connection is None or self._connection.broken
            if lost and monotonic() - began > _SLOW_S:
                self._connection = None
                self._dead = monotonic() + _DEAD_S
                raise ConnectionError("the vector database does not answer") from error
            if self._connection is None or not lost:
                raise
        self._connection = None
        return self._attempt(work, limit)

    def _attempt[T](self, work: Callable[[psycopg.Connection], T], seconds: float) -> T:
        connection = self._connected()
        with _bounded(connection, seconds):
            return work(connection)

    def _refuse_dead(self) -> None:
        if monotonic() < self._dead:
            raise ConnectionError("the vector database did not answer a moment ago")

    def _connected(self) -> psycopg.Connection:
        if self._connection is None or self._connection.closed:
            connection = psycopg.connect(self._url, autocommit=True, connect_timeout=_CONNECT_S)
            with ExitStack() as undo:
                undo.callback(connection.close)
                _prepare(connection)
                undo.pop_all()
            self._connection = connection
        return self._connection


def _prepare(connection: psycopg.Connection) -> None:
    with _bounded(connection, _CALL_S):
        connection.execute(
            "SELECT set_config('statement_timeout', %s, false)", [str(_STATEMENT_MS)]
        )
        _lay_out(connection)
        register_vector(connection)


@contextmanager
def _bounded(connection: psycopg.Connection, seconds: float) -> Generator[None]:
    """Cut the connection when the work takes longer: then it fails like any lost connection."""
    watch = Timer(seconds, _cut, [connection])
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()


def _cut(connection: psycopg.Connection) -> None:
    # Closing is not for other threads while one of them waits; its socket may be ended by any.
    with suppress(OSError, psycopg.Error), socket(fileno=dup(connection.fileno())) as line:
        line.shutdown(SHUT_RDWR)


def _lay_out(connection: psycopg.Connection) -> None:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LAYOUT_LOCK,))
        statement: LiteralString
        for statement in _LAYOUT:
            connection.execute(statement)


def _delete(connection: psycopg.Connection, collection: str, team_id: str) -> int:
    known = connection.execute(
        "SELECT 1 FROM cardwright_collection WHERE name = %s LIMIT 1", (collection,)
    ).fetchall()
    require_known(collection, (collection,) if known else ())
    with _unhurried(connection):
        gone = connection.execute(
            "DELETE FROM cardwright_vector WHERE team_id = %s AND collection = %s",
            (team_id, collection),
        ).rowcount
        connection.execute(
            "DELETE FROM cardwright_collection WHERE team_id = %s AND name = %s",
            (team_id, collection),
        )
    return gone


def _delete_team(connection: psycopg.Connection, team_id: str) -> int:
    with _unhurried(connection):
        gone = connection.execute(
            "DELETE FROM cardwright_vector WHERE team_id = %s", (team_id,)
        ).rowcount
        connection.execute("DELETE FROM cardwright_collection WHERE team_id = %s", (team_id,))
    return gone


@contextmanager
def _unhurried(connection: psycopg.Connection) -> Generator[None]:
    """A transaction without a limit for its statements: it may be much, and nobody waits."""
    with connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        yield


def _newest(entries: Sequence[VectorEntry]) -> list[VectorEntry]:
    """The last entry of each id."""
    return list({entry.ref_id: entry for entry in entries}.values())


def _unit(vector: Vector) -> NDArray[np.float32]:
    """`vector` at length 1, so that the inner product is the cosine; without direction it is 0."""
    given = np.asarray(vector, np.float64)
    length = float(np.sqrt(given.dot(given)))
    if not isfinite(length):
        raise ValueError("a vector holds numbers that are too large: scale it to length 1")
    return (given / (length or 1.0)).astype(np.float32)


def _hit(row: _Row) -> SearchHit:
    ref_type, ref_id, text, score = row
    return SearchHit.model_construct(
        ref_type=str(ref_type),
        ref_id=str(ref_id),
        text=str(text),
        score=min(max(float(str(score)), 0.0), 1.0),
    )
