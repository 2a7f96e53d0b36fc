"""BM25: what one word adds to the score of a text."""

from dataclasses import dataclass
from math import floor, log
from typing import Final

_K1: Final = 1.2
_B: Final = 0.75
STEPS: Final = 1e9
"""Scores are whole numbers of so many parts of one: sums of the same parts in another order, which
differ in their last bits, are equal."""


def weight(texts: int, having: int) -> float:
    """The most that a word adds which `having` of the texts have."""
    return log(1 + (texts - having + 0.5) / (having + 0.5)) * (_K1 + 1)


@dataclass(frozen=True, slots=True)
class Lengths:
    """How the length of a text counts, measured by the average one."""

    base: float
    slope: float

    @classmethod
    def of(cls, texts: int, total: int) -> "Lengths":
        """Of so many texts with so many words in all."""
        return cls(_K1 * (1 - _B), _K1 * _B * texts / max(total, 1))

    def part(self, count: int, length: int) -> float:
        """The part of a word's weight that a text gets which has it `count` times; below 1."""
        return count / (count + (self.base + self.slope * length))


def stepped(score: float) -> float:
    """The score as it is ranked and told."""
    return floor(score * STEPS + 0.5) / STEPS
