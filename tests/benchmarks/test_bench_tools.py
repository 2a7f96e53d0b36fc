"""What the tool layer costs per call, and that widths hold under load.

Figures are processor time, the best of several rounds: what else runs only ever adds to them.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from cardwright.core import ToolPolicy, policy
from cardwright.tools import AnyTool, ConcurrencyConfig, Tool, ToolCallSpan, ToolRegistry, tool
from cardwright.tools.payload import RawArguments

type Note = Callable[..., None]

LOOPS, ROUNDS = 2_000, 9
CALLS = 1_000


@tool(name="bench_fare")
async def fare(origin: str, nights: int, ratio: float, fast: bool) -> str:
    """Price a stay."""
    return origin


ARGUMENTS: dict[str, object] = {"origin": "Osaka", "nights": 2, "ratio": 1.5, "fast": True}
TEXT = '{"origin": "Osaka", "nights": 2, "ratio": 1.5, "fast": true}'


def microseconds(call: Callable[[], Awaitable[object]]) -> float:
    """Microseconds of processor time that one call takes."""

    async def rounds() -> float:
        best = float("inf")
        for _ in range(ROUNDS):
            started = time.process_time()
            for _ in range(LOOPS):
                await call()
            best = min(best, time.process_time() - started)
        return best / LOOPS * 1e6

    return asyncio.run(rounds())


@pytest.mark.parametrize("arguments", [ARGUMENTS, TEXT], ids=["object", "text"])
def test_validation_and_dispatch_of_a_call(
    arguments: RawArguments, note: Note, measure: Callable[..., float]
) -> None:
    registry = ToolRegistry([fare])
    bare = microseconds(lambda: fare.function(**ARGUMENTS))  # type: ignore[arg-type,return-value]  # a coroutine
    added = microseconds(lambda: registry.invoke("bench_fare", arguments)) - bare
    note(added_us=added)
    measure(lambda: fare.validator.arguments(arguments), loops=LOOPS)
    assert added < 20


class Gauge:
    """How many bodies of a tool are inside, and how many were at most."""

    def __init__(self) -> None:
        self.now = self.most = self.calls = 0

    async def pass_through(self) -> None:
        self.now += 1
        self.calls += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        self.now -= 1


def gauged(name: str, gauge: Gauge, *, parallel_safe: bool) -> AnyTool:
    async def body() -> None:
        await gauge.pass_through()

    return Tool.from_function(policy(ToolPolicy(parallel_safe=parallel_safe))(body), name=name)


@pytest.mark.parametrize(
    ("width_of_all", "widths"),
    [(64, {"one": 1, "three": 3, "ten": 10}), (12, {"free": 12})],
    ids=["per tool", "over all"],
)
def test_a_thousand_calls_keep_every_width(
    width_of_all: int, widths: dict[str, int], note: Note, measure: Callable[..., float]
) -> None:
    def run() -> None:
        gauges = {name: Gauge() for name in widths}
        registry = ToolRegistry(
            [gauged(name, gauges[name], parallel_safe=name != "one") for name in widths],
            concurrency=ConcurrencyConfig(
                max_concurrent_tools=width_of_all,
                per_tool={
                    name: width for name, width in widths.items() if 1 < width < width_of_all
                },
            ),
        )
        spans: list[ToolCallSpan] = []
        registry.observe(spans.append)

        async def storm() -> None:
            names = list(widths) * (CALLS // len(widths))
            await asyncio.gather(*(registry.invoke(name, {}) for name in names))

        asyncio.run(storm())
        assert {name: gauge.most for name, gauge in gauges.items()} == widths
        assert sum(gauge.calls for gauge in gauges.values()) == len(spans)
        assert {span.outcome for span in spans} == {"ok"}

    note(calls_per_second=CALLS / measure(run, rounds=3))
