"""What else goes when a team is deleted: domains keep some of it outside of the store."""

import logging
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Final, cast
from uuid import UUID

from cardwright.store.teams.errors import TeamRemainsError

logger = logging.getLogger(__name__)

HOOK_GROUP: Final = "cardwright.team_deletion"
"""Entry points of installed packages: functions that take the id of a team that was deleted."""

type DeletionHook = Callable[[str], object]


def delete_elsewhere(team_id: UUID) -> None:
    """Have each domain delete what it keeps of a team that is gone from the store.

    Raises:
        TeamRemainsError: some could not; the others have.
    """
    failed: list[str] = []
    for name, load in _hooks():
        try:
            load()(str(team_id))
        except Exception as error:
            logger.warning("What %s keeps of team %s stays.", name, team_id, exc_info=True)
            failed.append(f"{name} ({' '.join(str(error).split())})")
    if failed:
        raise TeamRemainsError(
            f"Team {team_id} is deleted, except what these keep of it: {'; '.join(failed)}. "
            "`cardwright team orphans` finds it later."
        )


def _hooks() -> Iterator[tuple[str, Callable[[], DeletionHook]]]:
    for entry in sorted(entry_points(group=HOOK_GROUP), key=lambda entry: entry.name):
        yield entry.name, cast("Callable[[], DeletionHook]", entry.load)
