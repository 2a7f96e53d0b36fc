"""Teams that agents of one process share by name."""

from threading import Lock
from weakref import WeakValueDictionary

from cardwright.bench import LocalTeam

_teams: WeakValueDictionary[str, LocalTeam] = WeakValueDictionary()
_lock = Lock()


def team_named(name: str | None) -> LocalTeam:
    """The team of that name, which lives as long as an agent holds it; a new one without a name."""
    if name is None:
        return LocalTeam()
    with _lock:
        team = _teams.get(name)
        if team is None or team.stopped:
            team = _teams[name] = LocalTeam()
        return team
