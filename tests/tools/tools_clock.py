"""A clock that a test moves by hand."""

import asyncio


class FakeClock:
    """Time stands still until `advance`; what sleeps is woken in the order of its waking times."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, waking))
        await waking

    async def advance(self, seconds: float) -> None:
        end = self.now + seconds
        await settled()
        while due := sorted({when for when, _ in self._waiting() if when <= end}):
            self.now = due[0]
            for when, waking in self._waiting():
                if when <= self.now:
                    waking.set_result(None)
            await settled()
        self.now = end

    def _waiting(self) -> list[tuple[float, asyncio.Future[None]]]:
        self._sleepers = [each for each in self._sleepers if not each[1].done()]
        return self._sleepers


async def settled() -> None:
    """Let everything run that can without time passing."""
    for _ in range(30):
        await asyncio.sleep(0)
