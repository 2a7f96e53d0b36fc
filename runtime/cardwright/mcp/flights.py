"""Which calls were under way at the same time on one connection."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(eq=False)
class Flight:
    """One call under way."""

    is_alone: bool
    """Whether no other call overlapped it: only then is an error of the connection its own."""


class Flights:
    """The calls under way on one toolset."""

    def __init__(self) -> None:
        self._under_way: set[Flight] = set()

    @contextmanager
    def one_more(self) -> Generator[Flight]:
        """A call that is under way within the block."""
        flight = Flight(is_alone=not self._under_way)
        for other in self._under_way:
            other.is_alone = False
        self._under_way.add(flight)
        try:
            yield flight
        finally:
            self._under_way.discard(flight)
