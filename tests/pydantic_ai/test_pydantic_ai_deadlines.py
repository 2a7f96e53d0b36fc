"""A call that is given up commits nothing later: the card's own tool, its actor, both hosts."""

import threading
from collections.abc import Callable, Iterator
from typing import override

import pytest
from pydantic_ai import Agent

from cardwright.bench import LocalTeam, RetryRequested
from cardwright.planning.actor import PlanActor
from cardwright.pydantic_ai import Cards
from cardwright.tools import ConcurrencyConfig, ToolCallSpan
from cardwright_cards import PlanningTool

from .scripted import Script

BREAD = {"id": 1, "status": "pending", "description": "Bake bread", "owner": "@Bob"}
UPDATE = {"update": {"create_tasks": [BREAD]}}


class Stuck(str):
    """A query over which the plan's actor is held until it is let go."""

    __slots__ = ()
    held, release = threading.Event(), threading.Event()

    @override
    def strip(self, characters: str | None = None, /) -> str:
        Stuck.held.set()
        Stuck.release.wait(10)
        return "nothing"


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    Stuck.held.clear()
    Stuck.release.clear()
    config = ConcurrencyConfig(per_tool_seconds={"update_planning": 0.5})
    with LocalTeam(concurrency=config) as team:
        yield team
        Stuck.release.set()


def hold_actor(team: LocalTeam) -> threading.Thread:
    actor = team.actor("#PlanningTool", PlanActor)
    thread = threading.Thread(target=lambda: actor.search_planning(query=Stuck("x")))
    thread.start()
    assert Stuck.held.wait(10)
    return thread


def on_the_bench(team: LocalTeam, spans: list[ToolCallSpan]) -> None:
    alice = team.agent("@Alice", cards=[PlanningTool()])
    alice.registry.observe(spans.append)
    hold_actor(team)
    with pytest.raises(RetryRequested, match="did not finish within"):
        alice.call("update_planning", **UPDATE)


def in_a_run(team: LocalTeam, spans: list[ToolCallSpan]) -> None:
    card = PlanningTool(get_planning=False)  # its context would wait for the held actor
    cards = Cards([card], agent="@Alice", team=team)
    cards.registry.observe(spans.append)
    hold_actor(team)
    script = Script([("update_planning", UPDATE)], "done")
    assert Agent(script.model, capabilities=[cards]).run_sync("Go.").output == "done"


@pytest.mark.parametrize("host", [on_the_bench, in_a_run])
def test_a_late_update_of_the_plan_is_refused_where_it_commits(
    team: LocalTeam, host: Callable[[LocalTeam, list[ToolCallSpan]], None]
) -> None:
    seed = team.agent("@Seed", cards=[PlanningTool()])
    seed.call("update_planning", update={"create_tasks": [BREAD | {"id": 7}]})
    spans: list[ToolCallSpan] = []

    host(team, spans)
    Stuck.release.set()

    # The actor answers in order, so the late update has been dealt with before this.
    actor = team.actor("#PlanningTool", PlanActor)
    assert [task.id for task in actor.get_planning()] == [7]
    assert [(span.outcome, span.abandoned) for span in spans] == [("timed_out", True)]
