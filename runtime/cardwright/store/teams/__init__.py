"""The life of stored teams: create, stop, resume, delete, list.

`Teams` is the place to start; a `RunningTeam` is stored as it goes.
"""

from cardwright.store.teams.errors import (
    TeamNotStoredError,
    TeamPausedError,
    TeamRemainsError,
    TeamRunsElsewhereError,
    TeamStateError,
)
from cardwright.store.teams.history import History, StoredMember, read_history
from cardwright.store.teams.inert import InertMember
from cardwright.store.teams.notices import TeamResumedEvent
from cardwright.store.teams.process import TeamProcess
from cardwright.store.teams.running import RunningTeam
from cardwright.store.teams.teams import TeamInfo, Teams

__all__ = [
    "History",
    "InertMember",
    "RunningTeam",
    "StoredMember",
    "TeamInfo",
    "TeamNotStoredError",
    "TeamPausedError",
    "TeamProcess",
    "TeamRemainsError",
    "TeamResumedEvent",
    "TeamRunsElsewhereError",
    "TeamStateError",
    "Teams",
    "read_history",
]
