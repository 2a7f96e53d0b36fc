"""Vectors that teams left behind when they went."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .errors import CommandError

if TYPE_CHECKING:
    from cardwright.store import EventStore
    from cardwright.vectors.forgetting import LeftVectors


def found(store: "EventStore") -> "list[LeftVectors]":
    """What lies here, and on the servers of the environment, of teams that the store lacks.

    Raises:
        CommandError: a server cannot be asked.
    """
    from cardwright.vectors.forgetting import left_vectors

    known = {record.team_id for record in store.list_teams()}
    try:
        return [it for it in left_vectors(known) if not _has_log(store, it.team_id)]
    except Exception as error:
        raise CommandError(f"the vectors cannot be looked at: {error}") from error


def deleted(left: "Sequence[LeftVectors]") -> Iterator[str]:
    """Delete what was found, and say what became of each."""
    from cardwright.vectors.forgetting import delete_left, is_in_use

    for it in left:
        if is_in_use(it):
            yield f"left alone, a running process has it open: {it.place}"
            continue
        try:
            delete_left(it)
        except Exception as error:  # noqa: BLE001 - the next one may go better
            yield f"not deleted: {it.team_id}  {it.place}: {error}"
        else:
            yield f"deleted: {it.team_id}  {it.place}"


def _has_log(store: "EventStore", team_id: str) -> bool:
    """Whether the store holds events of a team whose record cannot be read."""
    from cardwright.store import StreamGone

    try:
        return store.get_max_sequence(team_id) > 0
    except (StreamGone, ValueError):
        return False
