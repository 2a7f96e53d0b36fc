"""Who is in a team, kept up to date message by message."""

from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from cardwright.actors.addresses import ActorAddress

__all__ = ["Roster"]


class Roster:
    """Members that have started and not stopped; those found dead are gone too."""

    def __init__(self) -> None:
        """Start empty."""
        self._by_id: dict[UUID, ActorAddress] = {}
        self._by_name: dict[str, dict[UUID, ActorAddress]] = {}

    def add(self, address: "ActorAddress") -> None:
        """Enter a member; one of the same id is replaced."""
        self.discard(address.agent_id)
        self._by_id[address.agent_id] = address
        self._by_name.setdefault(address.name, {})[address.agent_id] = address

    def discard(self, agent_id: UUID) -> None:
        """Remove a member, if it is there."""
        address = self._by_id.pop(agent_id, None)
        if address is None:
            return
        namesakes = self._by_name[address.name]
        del namesakes[agent_id]
        if not namesakes:
            del self._by_name[address.name]

    def living(self) -> "list[ActorAddress]":
        """Return the living members in the order of their start."""
        return [address for address in self._by_id.values() if address.is_alive()]

    def named(self, name: str) -> "ActorAddress | None":
        """Return the first living member of that name."""
        namesakes = self._by_name.get(name, {}).values()
        return next((address for address in namesakes if address.is_alive()), None)
