"""A clock that a test moves by hand, and registries whose spans are kept."""

import asyncio
from collections.abc import Callable
from typing import TypedDict, Unpack

from cardwright.core import ToolPolicy, policy
from cardwright.core.policy import Idempotency
from cardwright.tools import AnyTool, Tool, ToolCallSpan, ToolRegistry


class Declared(TypedDict, total=False):
    """What a spec may say of a tool."""

    idempotency: Idempotency | None
    timeout: float | None
    parallel_safe: bool
    approval: bool


def endpoint(function: Callable[..., object], **declared: Unpack[Declared]) -> AnyTool:
    """A tool as the host of a card makes it."""
    return Tool.from_function(policy(ToolPolicy(**declared))(function))


def recorded(registry: ToolRegistry) -> list[ToolCallSpan]:
    """The spans of the registry from now on."""
    spans: list[ToolCallSpan] = []
    registry.observe(spans.append)
    return spans


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
