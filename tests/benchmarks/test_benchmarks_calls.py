"""What the factory and the context engine cost per call."""

import timeit
from collections.abc import Callable
from typing import override

from cardwright import LocalTeam, ToolCard, ToolFactory
from cardwright_cards import PlanningTool

type Measure = Callable[..., float]

LOOPS = 20_000
TASKS = 5_000
BATCH = 500  # a call may carry 64 KiB of arguments


class Retry(Exception):  # noqa: N818 - stands for a host's exception
    """What a host would have the tools raise."""


def double(number: int) -> int:
    """Twice the number."""
    return 2 * number


class DoubleTool(ToolCard):
    """A handwritten card with one trivial tool."""

    observer_type = None

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        return [double]


def microseconds(function: Callable[..., object]) -> float:
    """Microseconds of one call, the best of several rounds."""
    rounds = timeit.repeat(lambda: function(number=21), number=LOOPS, repeat=7)
    return min(rounds) / LOOPS * 1e6


def test_a_call_through_the_factory(measure: Measure, note: Callable[..., None]) -> None:
    factory = ToolFactory([DoubleTool()], retry_exception=Retry)
    (tool,) = factory.get_tools()
    added = microseconds(tool) - microseconds(double)
    note(added_us=added)
    measure(lambda: tool(number=21), loops=LOOPS)
    assert added < 3


def test_unchanged_context_over_many_tasks(measure: Measure) -> None:
    with LocalTeam() as team:
        alice = team.agent("@Alice", cards=[PlanningTool()])
        for start in range(0, TASKS, BATCH):
            tasks = [task(number) for number in range(start, start + BATCH)]
            alice.call("update_planning", update={"create_tasks": tasks})
        assert alice.context_update() is not None
        assert alice.context_update() is None
        assert measure(alice.context_update, loops=20) < 1e-3


def task(number: int) -> dict[str, object]:
    """One task of the agent's own, so that it stands in its context."""
    return {
        "id": number,
        "status": "pending",
        "description": f"task {number}",
        "owner": "@Alice",
    }
