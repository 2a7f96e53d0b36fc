"""The bench against tools that try to end the process, and against many threads at once."""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import ValidationError

from cardwright.bench import LocalTeam
from cardwright.core import RetriableError, ToolObserverGone
from cardwright.tools import tool
from cardwright_cards import PlanningTool
from cardwright_cards.planning.types import UpdatePlan
from cardwright_cards.workspace import Resource, WorkspaceTool

from .cards_fixture import BoardTool

ENDS: dict[str, Callable[[], BaseException]] = {
    "exit": lambda: SystemExit(3),
    "interrupt": KeyboardInterrupt,
    "generator": GeneratorExit,
}


def made(kind: str) -> BaseException:
    return ENDS[kind]()


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@tool
def ends_sync(kind: str) -> str:
    """End the process."""
    raise made(kind)


@tool
async def ends_async(kind: str) -> str:
    """End the process."""
    raise made(kind)


@tool
async def ends_later(kind: str) -> str:
    """End the process after a wait."""
    await asyncio.sleep(0)
    raise made(kind)


@tool
async def ends_in_task(kind: str) -> str:
    """End the process from a task of its own."""

    async def work() -> None:
        raise made(kind)

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

    with pytest.raises(type(made(kind))) as raised:
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


def planned(task_id: int) -> dict[str, object]:
    task = {"id": task_id, "status": "pending", "description": "work", "owner": "@Bob"}
    return {"create_tasks": [task]}


def test_a_dismissed_agent_acts_no_more(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[PlanningTool(), BoardTool()], tools=[fine])
    bob = team.agent("@Bob", cards=[PlanningTool(), BoardTool()])
    functions = {each.__name__: each for each in alice.factory.get_tools()}
    team.dismiss("@Alice")

    calls: list[tuple[str, dict[str, object]]] = [
        ("update_planning", {"update": planned(1)}),
        ("get_planning_task", {"task_id": 1}),
        ("add_note", {"note": {"title": "milk"}}),
        ("fine", {"number": 1}),
    ]
    for name, arguments in calls:
        with pytest.raises(ToolObserverGone, match="@Alice has left"):
            alice.call(name, **arguments)
    with pytest.raises(RetriableError, match="shutting down"):
        functions["update_planning"](update=UpdatePlan.model_validate(planned(1)))
    assert alice.factory.get_context_states()[0]() is None
    assert bob.dispatch("/search_planning work") == "No task matches."


def test_each_context_update_has_a_number_of_its_own(team: LocalTeam) -> None:
    alice = team.agent("@Alice", cards=[PlanningTool()])
    many = 6

    def work(first: int) -> list[str]:
        blocks: list[str] = []
        for step in range(10):
            alice.call("update_planning", update=planned(first * 100 + step))
            block = alice.context_update()
            blocks += [] if block is None else [block]
        return blocks

    with ThreadPoolExecutor(many) as pool:
        told = [block for blocks in pool.map(work, range(many)) for block in blocks]

    found = [number(block) for block in alice.history]
    assert found == list(range(1, len(told) + 1))
    assert sorted(map(number, told)) == found


def number(block: str) -> int:
    match = re.search(r"update (\d+)", block)
    assert match is not None
    return int(match[1])


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: WorkspaceTool(workspace_id="a/b"), "String should match pattern"),
        (lambda: Resource.model_validate({"path": "x"}), "Extra inputs are not permitted"),
    ],
)
def test_a_refused_configuration_links_to_no_page_of_a_library(
    made: Callable[[], object], said: str
) -> None:
    with pytest.raises(ValidationError, match=said) as told:
        made()
    assert "http" not in str(told.value)
    assert {fault["type"] for fault in told.value.errors()} <= {
        "string_pattern_mismatch",
        "missing",
        "extra_forbidden",
    }
