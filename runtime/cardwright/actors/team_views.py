"""What any member may ask about its team."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from cardwright.actors.errors import WarningError
from cardwright.actors.proxies import ask_proxy

if TYPE_CHECKING:
    from cardwright.actors.addresses import ActorAddress
    from cardwright.actors.agent_card import AgentCard
    from cardwright.actors.orchestrator import Orchestrator

__all__ = ["TeamViews"]


class TeamViews:
    """Look-ups through the orchestrator: who is there, and which roles there could be."""

    if TYPE_CHECKING:

        @property
        def orchestrator(self) -> ActorAddress | None:
            """Who to ask."""
            ...

    def get_team(self) -> list[ActorAddress]:
        """Return the living members of the team.

        Raises:
            WarningError: there is no orchestrator.
        """
        return self._team().get_team()

    def get_team_member(self, name: str) -> ActorAddress | None:
        """Return the first living member of that name, or None.

        Raises:
            WarningError: there is no orchestrator.
        """
        return self._team().get_team_member(name)

    def discover_catalog(self) -> list[AgentCard]:
        """Return all role profiles; none without an orchestrator."""
        return self._team().get_agent_catalog() if self.orchestrator else []

    def get_agent_card(self, role: str) -> AgentCard | None:
        """Return the profile of a role, or None."""
        return self._team().get_agent_profile(role) if self.orchestrator else None

    def find_agents_with_skill(self, skill: str) -> list[AgentCard]:
        """Return the profiles of roles with that skill."""
        return self._team().get_profiles_by_skill(skill) if self.orchestrator else []

    def get_available_roles(self) -> list[str]:
        """Return the roles that have a profile."""
        return self._team().get_available_roles() if self.orchestrator else []

    def _team(self) -> Orchestrator:
        orchestrator = self.orchestrator
        if orchestrator is None:
            msg = "This actor has no orchestrator, so it belongs to no team."
            raise WarningError(msg)
        return cast("Orchestrator", ask_proxy(orchestrator))
