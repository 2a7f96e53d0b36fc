"""Stands in for a member whose class, configuration or state cannot be loaded here."""

import logging
from dataclasses import replace
from typing import override
from uuid import UUID

from cardwright.actors import Akgent, BaseConfig
from cardwright.actors.identity import ActorIdentity
from cardwright.actors.messages import Message

logger = logging.getLogger(__name__)


class InertConfig(BaseConfig):
    """What a stand-in has to know."""

    stored_type: str = ""
    """The name of the class that the member had."""
    reason: str = ""


class InertMember(Akgent[InertConfig]):
    """Keeps the place of a member: it is listed, does nothing, and nothing stored of it changes.

    Mail for it stays unprocessed, for the day when its class is back.
    """

    @override
    def _identify(self, agent_id: UUID, team_id: UUID) -> ActorIdentity:
        return replace(super()._identify(agent_id, team_id), actor_type=self.config.stored_type)

    @override
    def on_receive(self, message: object) -> object:
        """Leave mail alone; methods can be called."""
        if not isinstance(message, Message):
            return super().on_receive(message)
        logger.warning(
            "%s is kept unprocessed: %s is inert (%s).",
            type(message).__name__,
            self.config.name,
            self.config.reason,
        )
        return None
