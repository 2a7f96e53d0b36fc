"""The vectors of one team on disk, beside its states and not in them."""

import sqlite3
import threading
from array import array
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .models import VectorEntry

_LAYOUT: Final = """
CREATE TABLE IF NOT EXISTS collection (
    team TEXT NOT NULL, name TEXT NOT NULL, dimension INTEGER NOT NULL, PRIMARY KEY (team, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entry (
    place INTEGER PRIMARY KEY,
    team TEXT NOT NULL, collection TEXT NOT NULL, ref_id TEXT NOT NULL,
    ref_type TEXT NOT NULL, text TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL,
    UNIQUE (team, collection, ref_id)
);
"""
_PUT: Final = """
INSERT INTO entry (team, collection, ref_id, ref_type, text, model, vector)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (team, collection, ref_id) DO UPDATE
SET ref_type = excluded.ref_type, text = excluded.text, model = excluded.model,
    vector = excluded.vector
"""


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # commits, or rolls back
        yield


class VectorFile:
    """A SQLite file of entries: each batch is one transaction, so a killed process loses none.

    What returned survives the process, not a power cut (the log is not forced to the platter):
    domains embed anew what is missing. Vectors are float32 in the byte order of the machine.
    """

    def __init__(self, path: Path, team_id: str) -> None:
        """Open the file, or make it, with its folder."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._team = team_id
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(
            path, timeout=30, isolation_level=None, check_same_thread=False
        )
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_LAYOUT)

    def open_collection(self, name: str, dimension: int) -> None:
        """Enter a collection; entries of an earlier dimension are dropped, as nothing fits them."""
        with self._lock, _transaction(self._connection):
            known = self._dimension(name)
            if known is not None and known != dimension:
                self._connection.execute(
                    "DELETE FROM entry WHERE team = ? AND collection = ?", (self._team, name)
                )
            self._connection.execute(
                "INSERT OR REPLACE INTO collection VALUES (?, ?, ?)", (self._team, name, dimension)
            )

    def _dimension(self, name: str) -> int | None:
        found = self._connection.execute(
            "SELECT dimension FROM collection WHERE team = ? AND name = ?", (self._team, name)
        ).fetchone()
        return None if found is None else int(found[0])

    def load(self, name: str) -> Iterator[tuple[VectorEntry, str]]:
        """The entries of a collection with their models, in the order of first adding."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT ref_type, ref_id, text, model, vector FROM entry"
                " WHERE team = ? AND collection = ? ORDER BY place",
                (self._team, name),
            ).fetchall()
        for ref_type, ref_id, text, model, blob in rows:
            vector = array("f", blob).tolist()
            yield (
                VectorEntry.model_construct(
                    ref_type=ref_type, ref_id=ref_id, text=text, vector=vector
                ),
                str(model),
            )

    def put(self, name: str, entries: Sequence[VectorEntry], model: str) -> None:
        """Store a batch."""
        rows = [
            (self._team, name, e.ref_id, e.ref_type, e.text, model, array("f", e.vector).tobytes())
            for e in entries
        ]
        with self._lock, _transaction(self._connection):
            self._connection.executemany(_PUT, rows)

    def remove(self, name: str, ref_ids: Sequence[str]) -> None:
        """Delete a batch."""
        rows = [(self._team, name, ref_id) for ref_id in ref_ids]
        with self._lock, _transaction(self._connection):
            self._connection.executemany(
                "DELETE FROM entry WHERE team = ? AND collection = ? AND ref_id = ?", rows
            )

    def collections(self, team_id: str) -> list[str]:
        """Names of the collections of a team."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT name FROM collection WHERE team = ? ORDER BY name", (team_id,)
            ).fetchall()
        return [str(name) for (name,) in rows]

    def teams(self) -> set[str]:
        """Ids of the teams that have collections in the file."""
        with self._lock:
            rows = self._connection.execute("SELECT DISTINCT team FROM collection").fetchall()
        return {str(team) for (team,) in rows}

    def delete(self, name: str, team_id: str) -> int:
        """Delete what a team has in a collection; return how many entries went."""
        with self._lock, _transaction(self._connection):
            gone = self._connection.execute(
                "DELETE FROM entry WHERE team = ? AND collection = ?", (team_id, name)
            ).rowcount
            self._connection.execute(
                "DELETE FROM collection WHERE team = ? AND name = ?", (team_id, name)
            )
        return gone

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
