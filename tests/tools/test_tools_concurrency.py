"""Widths, pools and lanes, across threads and event loops."""

import asyncio
import threading
import time
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from cardwright.tools import (
    ConcurrencyConfig,
    ConfigurationError,
    Tool,
    ToolContext,
    ToolRegistry,
    WorkerPool,
    WorkersBusyError,
)
from cardwright.tools.lanes import Holding, Lane

from .tools_support import FakeClock, endpoint, settled

ACME = ToolContext("run-1", "acme")


def test_widths_and_ceilings_are_checked_by_name() -> None:
    with pytest.raises(ValidationError, match=r"max_concurrent_tools, per_tenant, per_tool\.a"):
        ConcurrencyConfig(max_concurrent_tools=0, per_tool={"a": 0, "b": 1}, per_tenant=0)
    with pytest.raises(ValidationError, match=r"per_tool_seconds\.a"):
        ConcurrencyConfig(per_tool_seconds={"a": 0.0})


def test_a_config_is_narrowed_to_the_tighter_of_everything() -> None:
    one = ConcurrencyConfig(
        max_concurrent_tools=8, per_tool={"a": 2, "b": 4}, per_tool_seconds={"a": 5.0}
    )
    other = ConcurrencyConfig(
        max_concurrent_tools=3,
        per_tool={"b": 1, "c": 9},
        per_tenant=2,
        per_tool_seconds={"a": 9.0, "c": 1.0},
    )

    assert one.narrowed_to(None) is one
    assert one.narrowed_to(other) == ConcurrencyConfig(
        max_concurrent_tools=3,
        per_tool={"a": 2, "b": 1, "c": 9},
        per_tenant=2,
        per_tool_seconds={"a": 5.0, "c": 1.0},
    )


async def test_a_pool_bounds_bodies_and_is_busy_in_time() -> None:
    release, entered = threading.Event(), threading.Semaphore(0)

    def hold() -> str:
        entered.release()
        release.wait(10)
        return "done"

    clock = FakeClock()
    pool = WorkerPool(2, queue_seconds=5.0, clock=clock)
    calls = [asyncio.ensure_future(pool.run(hold)) for _ in range(3)]
    await settled()
    entered.acquire()
    entered.acquire()
    await clock.advance(5.0)

    with pytest.raises(WorkersBusyError, match="2 workers") as busy:
        await calls[2]
    assert busy.value.retryable
    release.set()
    assert await calls[0] == await calls[1] == "done"
    pool.close()
    with pytest.raises(WorkersBusyError, match="closed"):
        await pool.run(hold)
    for size, queue in ((0, 1.0), (1, -1.0)):
        with pytest.raises(ConfigurationError):
            WorkerPool(size, queue)


async def test_the_context_of_a_thread_never_leaks() -> None:
    def ambient() -> str | None:
        found = ToolContext.current()
        return None if found is None else found.tenant

    pool = WorkerPool(1)
    tool = Tool.from_function(ambient)
    with ACME.bound():
        assert await tool.invoke({}, workers=pool) == "acme"
    assert await tool.invoke({}, workers=pool) is None
    assert cast("object", ToolContext.current()) is None


def test_a_lane_lost_with_its_loop_is_taken_back() -> None:
    async def forever() -> None:
        await asyncio.Event().wait()

    registry = ToolRegistry([endpoint(forever, parallel_safe=False)])
    loop = asyncio.new_event_loop()
    task = loop.create_task(registry.invoke("forever", {}))
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()  # without cancelling what runs

    async def again() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(registry.invoke("forever", {}), 0.01)

    asyncio.run(again())
    task.get_coro().close()  # type: ignore[union-attr]  # else it is reported as never finished


class Players:
    """Calls that come, leave and are cancelled, in one lane."""

    def __init__(self, width: int) -> None:
        self.lane = Lane(width)
        self.inside: list[Holding] = []
        self.queued: list[asyncio.Task[None]] = []

    async def enter(self) -> None:
        holding = Holding()
        if not self.lane.enter(holding):
            await self.lane.wait(holding, asyncio.get_running_loop().create_future())
        self.inside.append(holding)

    def play(self, step: str) -> None:
        if step == "enter":
            self.queued.append(asyncio.ensure_future(self.enter()))
        elif step == "leave" and self.inside:
            self.inside.pop(0).release()
        elif step == "cancel" and self.queued:
            self.queued.pop().cancel()

    async def empty(self) -> None:
        while self.inside or any(not task.done() for task in self.queued):
            await settled()
            while self.inside:
                self.inside.pop().release()


@given(st.lists(st.sampled_from(["enter", "leave", "cancel"]), max_size=40), st.integers(1, 4))
def test_a_lane_never_holds_more_than_its_width(steps: list[str], width: int) -> None:
    async def run() -> None:
        players = Players(width)
        for step in steps:
            players.play(step)
            await asyncio.sleep(0)
            assert len(players.lane._held) <= width
        await players.empty()
        assert not players.lane._held

    asyncio.run(run())


def test_lanes_bound_across_threads_and_loops() -> None:
    lock, now, most = threading.Lock(), [0], [0]

    def work() -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.001)
        with lock:
            now[0] -= 1

    registry = ToolRegistry([endpoint(work)], concurrency=ConcurrencyConfig(max_concurrent_tools=3))

    async def many() -> None:
        await asyncio.gather(*(registry.invoke("work", {}) for _ in range(20)))

    threads = [threading.Thread(target=asyncio.run, args=(many(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert most[0] <= 3
