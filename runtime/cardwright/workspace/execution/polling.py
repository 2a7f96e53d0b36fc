"""How long a caller waits for its command, from settings that count looks."""

from dataclasses import dataclass
from math import floor
from typing import Final, Self

__all__ = ["MAX_BUDGET_S", "REPORT_MARGIN_S", "Polling", "budget_of", "poll_attempts_within"]

MAX_BUDGET_S: Final = 20.0
"""Seconds for a command, at most: what its worker has."""

REPORT_MARGIN_S: Final = 1.0
"""Seconds after the budget in which the outcome gets to the caller."""

UNTIL_DONE: Final = -1


def budget_of(timeout_s: float) -> float:
    """Return the seconds that a command may take."""
    return min(timeout_s, MAX_BUDGET_S)


def poll_attempts_within(attempts: int, delay: float, budget: float) -> int:
    """Return how often to look for the outcome, the first time at once.

    Args:
        attempts: as configured: -1 as long as the command may take, 0 not at all, else a number
            that is cut to what fits into the budget.
        delay: seconds between two looks.
        budget: seconds of the command.
    """
    if attempts == UNTIL_DONE:
        return 1 if delay <= 0 else max(1, floor((budget + REPORT_MARGIN_S) / delay) + 1)
    if attempts <= 0 or delay <= 0 or attempts * delay <= budget:
        return attempts
    return max(1, floor(budget / delay))


@dataclass(frozen=True, slots=True)
class Polling:
    """How one card waits for its commands."""

    budget: float
    attempts: int
    delay: float
    until_done: bool

    @classmethod
    def of(cls, timeout_s: float, attempts: int, delay: float) -> Self:
        """Resolve the settings of a card.

        Raises:
            ValueError: fewer attempts than -1.
        """
        if attempts < UNTIL_DONE:
            raise ValueError("poll_attempts: use -1 to wait for the end, 0 not to wait, or more")
        budget = budget_of(timeout_s)
        looks = poll_attempts_within(attempts, delay, budget)
        return cls(budget, looks, delay, attempts == UNTIL_DONE)

    @property
    def window(self) -> float:
        """Seconds from the first look to the last."""
        if self.until_done:
            return self.budget + REPORT_MARGIN_S
        return max(self.attempts - 1, 0) * max(self.delay, 0.0)
