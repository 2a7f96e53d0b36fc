"""The bench against tools that try to end the process, and against many threads at once."""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from cardwright.bench import LocalAgent, LocalTeam
from cardwright.tools import tool
from cardwright_cards import PlanningTool

ENDS: dict[str, Callable[[], BaseException]] = {
    "exit": lambda: SystemExit(3),
    "interrupt": KeyboardInterrupt,
    "generator": GeneratorExit,
}


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@tool
def ends_sync(kind: str) -> str:
    """End the process."""
    raise ENDS[kind]()


@tool
async def ends_async(kind: str) -> str:
    """End the process."""
    raise ENDS[kind]()


@tool
async def ends_later(kind: str) -> str:
    """End the process after a wait."""
    await asyncio.sleep(0)
    raise ENDS[kind]()


@tool
async def ends_in_task(kind: str) -> str:
    """End the process from a task of its own."""

    async def work() -> None:
        raise ENDS[kind]()

    await asyncio.wait({asyncio.create_task(work())})
    return "survived"


@tool
async def fine(number: int) -> int:
    """Answer."""
    return number


@pytest.mark.parametrize("kind", ENDS)
@pytest.mark.parametrize("name", ["ends_sync", "ends_async", "ends_later"])
def test_a_tool_cannot_end_the_loop(team: LocalTeam, name: str, kind: str) -> None:
    alice = team.agent("@Alice", cards=[], tools=[ends_sync, ends_async, ends_later, fine])

    with pytest.raises(type(ENDS[kind]())) as raised:
        alice.call(name, kind=kind)

    assert kind != "exit" or getattr(raised.value, "code", None) == 3
    assert alice.call("fine", number=1) == 1
    team.stop()
    assert team.stopped


@pytest.mark.parametrize("kind", ENDS)
def test_a_task_of_a_tool_cannot_end_the_loop(team: LocalTeam, kind: str) -> None:
    alice = team.agent("@Alice", cards=[], tools=[ends_in_task, fine])

    assert alice.call("ends_in_task", kind=kind) == "survived"
    assert alice.call("fine", number=1) == 1
