"""The places that agents of this process have in their teams, and teams shared by name."""

from collections.abc import Sequence
from threading import RLock
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from cardwright.bench import LocalAgent, LocalTeam, TeamMember
from cardwright.core import ToolCard
from cardwright.tools import AnyTool

_teams: WeakValueDictionary[str, LocalTeam] = WeakValueDictionary()
_places: "WeakKeyDictionary[LocalTeam, dict[str, Place]]" = WeakKeyDictionary()
_lock = RLock()


class Seat:
    """What one `Cards` holds of a place; shared by its copies for runs, gone with the last."""

    def __init__(self, team: LocalTeam, agent: LocalAgent, *, ends_team: bool) -> None:
        self.team = team
        self.agent = agent
        self.closed = False
        self._ends_team = ends_team

    def leave(self) -> None:
        """Give the seat up; the last one of a place dismisses the agent, again is no error."""
        with _lock:
            if self.closed:
                return
            self.closed = True
            places = _places.get(self.team, {})
            place = places.get(self.agent.name)
            if place is None or self.team.stopped:
                return
            place.seats.discard(self)
            if not place.seats and place.is_kept(self.team):
                del places[self.agent.name]
                self.team.dismiss(self.agent.name)
            if self._ends_team and not self.team.agents:
                self.team.stop()


class Place:
    """One agent of a team, with everybody who was built for it."""

    def __init__(self, member: TeamMember, role: str, cards: Sequence[ToolCard]) -> None:
        self.member = member
        self.role = role
        self.kinds = _kinds(cards)
        self.seats: WeakSet[Seat] = WeakSet()

    def is_kept(self, team: LocalTeam) -> bool:
        """Whether the agent is still in the team; its owner may have dismissed it."""
        holder = team.agents.get(self.member.myAddress.name)
        return holder is not None and holder.member is self.member

    def refuse_another(self, name: str, role: str, cards: Sequence[ToolCard]) -> None:
        """Let only the same agent, built again, have this place.

        Raises:
            ValueError: It has another role or other cards.
        """
        if role != self.role or _kinds(cards) != self.kinds:
            differs = "role" if role != self.role else "cards"
            raise ValueError(
                f"the team has an agent {name} with other {differs}: choose another name, "
                "or `close()` the Cards of that agent first"
            )


def take_seat(
    team: LocalTeam | str | None,
    name: str,
    cards: Sequence[ToolCard],
    *,
    role: str,
    tools: Sequence[AnyTool],
    tenant: str | None,
) -> Seat:
    """A seat in the team; an agent built again, of the same name, role and card classes, joins.

    Raises:
        ValueError: The name belongs to another member, or the cards do not fit together.
    """
    with _lock:
        joined = team if isinstance(team, LocalTeam) else _team_named(team)
        places = _places.setdefault(joined, {})
        place = places.get(name)
        if place is not None and not place.is_kept(joined):
            place = None
        if place is not None and not place.seats:
            joined.dismiss(name)
            place = None
        if place is None:
            agent = joined.agent(name, cards, role=role, tools=tools, tenant=tenant, raises=False)
            place = places[name] = Place(agent.member, role, cards)
        else:
            place.refuse_another(name, role, cards)
            agent = joined.agent_again(name, cards, tools=tools, tenant=tenant, raises=False)
        seat = Seat(joined, agent, ends_team=joined is not team)
        place.seats.add(seat)
        return seat


def _team_named(name: str | None) -> LocalTeam:
    """The team of that name, which lives as long as an agent holds it; a new one without a name."""
    if name is None:
        return LocalTeam()
    team = _teams.get(name)
    if team is None or team.stopped:
        team = _teams[name] = LocalTeam()
    return team


def _kinds(cards: Sequence[ToolCard]) -> list[str]:
    return sorted(type(card).__qualname__ for card in cards)
