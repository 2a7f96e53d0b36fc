"""The board against providers that reuse ids and agents that have left."""

from collections.abc import Iterator

import pytest

from cardwright import LocalTeam
from cardwright.bench import LocalAgent
from cardwright.core import CallContext
from cardwright.planning import PlanningTool, UpdatePlan
from cardwright.planning.actor import PlanActor
from cardwright_cards.planning.types import TaskCreate


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


@pytest.fixture
def alice(team: LocalTeam) -> LocalAgent:
    return team.agent("@Alice", cards=[PlanningTool()])


def creates(task_id: int) -> UpdatePlan:
    task = TaskCreate(id=task_id, status="pending", description="work", owner="@Alice")
    return UpdatePlan(create_tasks=[task])


@pytest.mark.parametrize("call_id", ["call_0", ""])
def test_one_id_for_several_batches_loses_none(
    team: LocalTeam, alice: LocalAgent, call_id: str
) -> None:
    plan = team.actor("#PlanningTool", PlanActor)
    call = CallContext("run-1", call_id)

    for task_id in (1, 2, 3):
        assert plan.update_planning(creates(task_id), alice.address, call) == "Done"

    assert [task.id for task in plan.get_planning()] == [1, 2, 3]
