"""Texts that the model reads, rendered beforehand by whoever can run the logic of a card."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Example:
    """One rendered prompt or context block, or why there is none."""

    endpoint: str
    kind: Literal["system prompt", "context", "context update"]
    text: str
    note: str = ""
    """Where the text comes from, or what kept it from being rendered."""


type Examples = Mapping[str, Sequence[Example]]
"""Card -> its examples."""
