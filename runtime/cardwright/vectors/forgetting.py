"""Deletes the vectors of teams that are gone, and finds those that were left behind."""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from .backends import known_servers, make_backend, team_file
from .environment import vector_folder

# Any team will do for a look at what all teams have.
_NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class LeftVectors:
    """What some team has in one place."""

    team_id: str
    place: str
    """The path of a file, or the name of a server's backend."""


def forget_team(team_id: str) -> bool:
    """Delete the vectors of a team that is gone; tell whether there were any.

    That is its file on this machine, and what it has on the servers that the environment names.
    What a team keeps in a workspace goes with the workspace.

    Raises:
        ValueError: the id is no id of a team.
        Exception: what a server raises that cannot be asked; everything else is deleted then.
    """
    found = _delete_file(team_file(team_id))
    errors: list[Exception] = []
    for server in known_servers():
        try:
            found = _delete_rows(server, team_id) or found
        except Exception as error:  # noqa: BLE001 - raised below, when the others are done
            errors.append(error)
    if errors:
        raise errors[0]
    return found


def left_vectors(known: Collection[str]) -> Iterator[LeftVectors]:
    """What teams have here and on the servers of the environment that are not `known`.

    Raises:
        Exception: what a server raises that cannot be asked.
    """
    for file in sorted(vector_folder().glob("*.sqlite")):
        if file.stem not in known:
            yield LeftVectors(file.stem, str(file))
    for server in known_servers():
        with closing(make_backend(server, _NOBODY)) as store:
            teams = sorted(store.teams() - set(known))
        yield from (LeftVectors(team_id, server) for team_id in teams)


def is_in_use(left: LeftVectors) -> bool:
    """Whether a file is open in a process just now; of a server nobody can tell."""
    file = Path(left.place)
    if not file.is_file():
        return False
    with closing(sqlite3.connect(file, timeout=0)) as connection, suppress(sqlite3.DatabaseError):
        # Leaving the write-ahead log takes the file alone.
        mode: object = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        return mode != ("delete",)
    return True


def delete_left(left: LeftVectors) -> None:
    """Delete what a team has in one place."""
    if left.place in known_servers():
        _delete_rows(left.place, left.team_id)
    else:
        _delete_file(Path(left.place))


def _delete_rows(server: str, team_id: str) -> bool:
    with closing(make_backend(server, team_id)) as store:
        return store.delete_team(team_id) > 0


def _delete_file(file: Path) -> bool:
    was_there = file.exists()
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    return was_there
