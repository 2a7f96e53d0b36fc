"""The clock that ceilings and durations run on."""

import asyncio
import time
from typing import Final, Protocol


class Clock(Protocol):
    """Tells time and waits; a test brings one that it moves by hand."""

    def monotonic(self) -> float:
        """Seconds since some moment, never going back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait until `monotonic()` has grown by `seconds`."""
        ...


class MonotonicClock:
    """The clock of the process."""

    def monotonic(self) -> float:
        """`time.monotonic()`."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """`asyncio.sleep()`."""
        await asyncio.sleep(seconds)


MONOTONIC: Final = MonotonicClock()
