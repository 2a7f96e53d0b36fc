"""A running body against its ceiling, and against whoever cancels the call."""

import asyncio
from dataclasses import dataclass
from typing import Final

from .bodies import Body
from .clock import Clock
from .errors import ToolTimedOutError
from .spans import CallRecord

_INSISTING: Final = 4
"""anyio cancels anew in every turn of the loop; a body needs two of them to obey."""


@dataclass(frozen=True, slots=True)
class Race:
    """Waits for bodies, and stops those that run out of time.

    A body that goes on for `grace` seconds after it was cancelled is abandoned, and so is, at once,
    one that runs on a thread. What it returns or raises later is dropped.
    """

    clock: Clock
    grace: float

    async def run(self, body: Body, tool: str, ceiling: float | None, record: CallRecord) -> None:
        """Wait until the body is done; one that ends in the same tick as its ceiling is in time.

        Raises:
            ToolTimedOutError: The ceiling elapsed first.
            CancelledError: Of asyncio; the call was cancelled, and its body with it.
        """
        try:
            await self._wait(body, ceiling)
        except asyncio.CancelledError:
            await self._stop(body, record)
            raise
        if not body.done:
            await self._stop(body, record)
            raise ToolTimedOutError(tool, ceiling or 0.0)

    async def _wait(self, body: Body, seconds: float | None) -> None:
        """Wait until the body is done or the time is over."""
        if seconds is None:
            await asyncio.wait({body.task})
            return
        timer = asyncio.ensure_future(self.clock.sleep(seconds))
        try:
            await asyncio.wait({body.task, timer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()

    async def _stop(self, body: Body, record: CallRecord) -> None:
        """Cancel the body and give it time to stop; insisting on cancellation ends the wait."""
        if body.done:
            return
        record.abandoned = body.in_thread
        body.task.cancel()
        if record.abandoned:
            return
        for _ in range(_INSISTING):
            try:
                await self._wait(body, self.grace)
                break
            except asyncio.CancelledError:
                continue
        record.abandoned = not body.done
