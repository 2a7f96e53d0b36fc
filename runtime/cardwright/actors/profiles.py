"""The roles that a team knows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.actors.agent_card import AgentCard

__all__ = ["Profiles"]


class Profiles:
    """Agent cards by role; a later card of a role replaces an earlier one."""

    def __init__(self) -> None:
        """Start without roles."""
        self._cards: dict[str, AgentCard] = {}

    def register(self, card: "AgentCard") -> None:
        """Keep the card under its role."""
        self._cards[card.role] = card

    def all(self) -> "list[AgentCard]":
        """Return all cards."""
        return list(self._cards.values())

    def get(self, role: str) -> "AgentCard | None":
        """Return the card of a role, or None."""
        return self._cards.get(role)

    def with_skill(self, skill: str) -> "list[AgentCard]":
        """Return the cards of roles with that skill."""
        return [card for card in self._cards.values() if card.has_skill(skill)]

    def roles(self) -> list[str]:
        """Return the roles, in the order of registration."""
        return list(self._cards)

    def skills(self) -> list[str]:
        """Return all skills, sorted and without repetition."""
        return sorted({skill for card in self._cards.values() for skill in card.skills})
