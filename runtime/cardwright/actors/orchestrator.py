"""The root of a team: it knows its members, what happens in it, and how to stop it."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any, override
from uuid import UUID

from pydantic import BaseModel

from cardwright.actors.addresses import ActorAddress
from cardwright.actors.akgent import Akgent, AnyAkgent
from cardwright.actors.class_paths import class_from_path
from cardwright.actors.errors import ActorDeadError, TeamStoppingError
from cardwright.actors.messages import (
    EventMessage,
    StartMessage,
    StopMessage,
    TeamStoppingEvent,
)
from cardwright.actors.profiles import Profiles
from cardwright.actors.team_record import TeamRecord
from cardwright.actors.teardown import Teardown

if TYPE_CHECKING:
    from threading import Event

    from cardwright.actors.agent_card import AgentCard
    from cardwright.actors.config import BaseConfig

__all__ = ["Orchestrator"]

logger = logging.getLogger(__name__)

# Seconds that the end of a team waits for slow subscribers; delivery goes on after that.
DELIVERY_GRACE = 30.0


class Orchestrator(TeamRecord):
    """Keeps the singletons, the profiles and the metadata of one team, besides its record.

    By convention it is named `@Orchestrator` and has the role `Orchestrator`. It has no clock of
    its own and never stops for idleness.
    """

    def __init__(self, **kwargs: Any) -> None:  # noqa: ANN401 - the keywords of the base actor
        """Construct the root of a team; the keywords are those of every actor."""
        super().__init__(**kwargs)
        self._profiles = Profiles()
        self._metadata: BaseModel | None = None
        self._teardown = Teardown(self._roster, self._stop_self)

    @override
    def _record_start(self, message: StartMessage) -> None:
        super()._record_start(message)
        if message.sender is not None:
            self._teardown.take_in(message.sender)

    @override
    def _record_stop(self, message: StopMessage) -> None:
        if self._teardown.begun:
            # Logged, but nobody is told: to subscribers the team stops as a whole.
            self._enter(message)
            self._log.append(message)
            self._teardown.advance()
        else:
            super()._record_stop(message)

    @override
    def createActor(
        self,
        actor_class: type[AnyAkgent] | str,
        agent_id: UUID | None = None,
        config: BaseConfig | None = None,
    ) -> ActorAddress:
        """Create a member of the team.

        Raises:
            TeamStoppingError: the team is stopping.
        """
        if self._teardown.begun:
            msg = f"Team {self.team_id} is stopping and takes no more members."
            raise TeamStoppingError(msg)
        return super().createActor(actor_class, agent_id, config)

    def getChildrenOrCreate(
        self, actor_class: type[AnyAkgent] | str, config: BaseConfig
    ) -> ActorAddress:
        """Return the living child of that name, or create it: one turn, so never two of a name.

        Raises:
            ActorConflictError: it lives with another class or configuration.
            TeamStoppingError: it does not live, and the team is stopping.
            ValueError: the configuration has no name.
        """
        if not config.name:
            msg = "Give the actor a name: without one, it cannot be found again."
            raise ValueError(msg)
        child = self._children.named(config.name)
        if child is None:
            return self.createActor(actor_class, config=config)
        wanted = class_from_path(actor_class, Akgent, "actor_class")
        child.refuse_other(wanted, config)
        return child.address

    @override
    def get_team(self) -> list[ActorAddress]:
        """Return the living members of the whole team, without the orchestrator."""
        return self._roster.living()

    @override
    def get_team_member(self, name: str) -> ActorAddress | None:
        """Return the first living member of that name, or None."""
        return self._roster.named(name)

    @override
    def _orchestrator_of_children(self) -> ActorAddress:
        return self._address

    def get_metadata(self) -> BaseModel | None:
        """Return the metadata of the team."""
        return self._metadata

    def set_metadata(self, metadata: BaseModel | None) -> None:
        """Replace the metadata as a whole; None clears it. Nobody is told."""
        self._metadata = metadata

    def register_agent_profile(self, card: AgentCard) -> None:
        """Make a role known; a later profile of a role replaces an earlier one."""
        self._profiles.register(card)

    def register_agent_profiles(self, cards: list[AgentCard]) -> None:
        """Make several roles known."""
        for card in cards:
            self._profiles.register(card)

    def get_agent_catalog(self) -> list[AgentCard]:
        """Return all profiles."""
        return self._profiles.all()

    def get_agent_profile(self, role: str) -> AgentCard | None:
        """Return the profile of a role, or None."""
        return self._profiles.get(role)

    def get_profiles_by_skill(self, skill: str) -> list[AgentCard]:
        """Return the profiles of roles with that skill."""
        return self._profiles.with_skill(skill)

    @override
    def get_available_roles(self) -> list[str]:
        """Return the known roles."""
        return self._profiles.roles()

    def get_available_skills(self) -> list[str]:
        """Return the known skills, sorted."""
        return self._profiles.skills()

    @override
    def stop(self, grace_timeout: float = 30.0) -> Event:  # type: ignore[override] # a team's stop goes on after the call: the event tells when it is over
        """Begin to stop the team and return at once; a second call changes nothing.

        Agents stop first, and the tool actors (`#`) once no agent is left to use them.

        Args:
            grace_timeout: seconds after which whoever is left is left behind.

        Returns:
            An event that is set when the team has stopped; it needs no time-out.
        """
        if not self._teardown.begun:
            self.emitMessage(EventMessage(event=TeamStoppingEvent()))
            self._subscribers.tell_hook("on_stop_request", self.team_id)
            self._teardown.begin(list(self._children), grace_timeout, self._give_up)
        return self._teardown.stopped

    def _give_up(self) -> None:
        # Runs on the timer's thread.
        with suppress(ActorDeadError):
            self._akgent_ref.cast("_expire")

    def _expire(self) -> None:
        self._teardown.expire()

    @override
    def _take_leave(self) -> None:
        """Tell the subscribers that it is over, and forget them."""
        self._teardown.cancel()
        self._subscribers.tell_hook("on_stop", self.team_id)
        told = self._subscribers.fence()
        self._subscribers.clear()
        if not told.wait(DELIVERY_GRACE):
            logger.warning("%r stops while a subscriber is still being told.", self._address)

    @override
    def _actor_loop_teardown(self) -> None:
        try:
            super()._actor_loop_teardown()
        finally:
            self._teardown.stopped.set()
