"""Who an actor is: what every address of it tells, for ever."""

from dataclasses import dataclass
from typing import Self
from uuid import UUID

from cardwright.actors.stored import ActorAddressDict

__all__ = ["ActorIdentity"]


@dataclass(frozen=True, slots=True)
class ActorIdentity:
    """What an address tells about its actor; fixed when the actor is created."""

    actor_type: str
    agent_id: UUID
    name: str
    role: str
    team_id: UUID
    squad_id: UUID | None = None
    is_user_proxy: bool = False

    def to_dict(self) -> ActorAddressDict:
        """Return the wire form: identifiers as strings, a missing squad as an empty one."""
        return {
            "__actor_address__": True,
            "__actor_type__": self.actor_type,
            "agent_id": str(self.agent_id),
            "name": self.name,
            "role": self.role,
            "team_id": str(self.team_id),
            "squad_id": str(self.squad_id) if self.squad_id else "",
            "is_user_proxy": self.is_user_proxy,
        }

    @classmethod
    def from_dict(cls, data: ActorAddressDict) -> Self:
        """Read the wire form; a missing `is_user_proxy` reads as false.

        Raises:
            ValueError: a required key is missing or an identifier is no UUID.
        """
        try:
            return cls(
                actor_type=data.get("__actor_type__", ""),
                agent_id=UUID(data["agent_id"]),
                name=data.get("name", ""),
                role=data.get("role", ""),
                team_id=UUID(data["team_id"]),
                squad_id=UUID(data["squad_id"]) if data.get("squad_id") else None,
                is_user_proxy=data.get("is_user_proxy", False),
            )
        except (KeyError, AttributeError, TypeError, ValueError) as error:
            msg = "A stored actor address needs `agent_id` and `team_id`, both UUIDs as text."
            raise ValueError(msg) from error
