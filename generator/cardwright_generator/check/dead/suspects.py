"""What may be dead, as the manifest has it."""

from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Suspects:
    """The configuration of a card, and which of it only code can use."""

    card: str
    params: dict[str, str]
    """Capability -> its param class."""
    known: dict[str, list[str]]
    """Capability, or `""` for the card -> its fields."""
    fields: dict[str, list[str]]
    """As `known`, those that the spec itself does not use."""
    configs: dict[str, str]
    """Method of the contract -> capability whose config it receives."""
    actors: dict[str, str | None]
    events: dict[str, list[str]]
    """Event -> the names that code has for its payload."""
    environment: list[str]

    @classmethod
    def read(cls, code: dict[str, Any]) -> Self | None:
        """The suspects of one card; `None` from the manifest of an older generator."""
        found = code.get("suspects")
        return None if found is None else cls(**found)

    @property
    def owners(self) -> dict[str, str]:
        """Class that holds configuration -> its capability, or `""` for the card."""
        return {self.card: "", **{param: key for key, param in self.params.items()}}
