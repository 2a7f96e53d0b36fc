"""The bench with the cards of the catalogue: two agents over one plan."""

from collections.abc import Iterator

import pytest

from cardwright.bench import LocalAgent, LocalTeam, RetryRequested
from cardwright_cards import PlanningTool, SkillTool
from cardwright_cards.skill import SkillEntry, Skills

BREAD = {"id": 1, "status": "pending", "description": "Bake bread", "owner": "@Bob"}


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


def planner(team: LocalTeam, name: str) -> LocalAgent:
    return team.agent(name, cards=[PlanningTool()])


def test_two_agents_work_on_one_plan(team: LocalTeam) -> None:
    alice, bob = planner(team, "@Alice"), planner(team, "@Bob")
    first = bob.context_update()

    alice.call("update_planning", update={"create_tasks": [BREAD]})
    second = bob.context_update()
    bob.call("update_planning", update={"update_tasks": [{"id": 1, "status": "completed"}]})

    assert first is not None
    assert first.startswith("**Context update 1** — current state.")
    assert second is not None
    assert second.startswith("**Context update 2** — state has changed since the last update.")
    assert "Bake bread" in second
    board = alice.dispatch("/planning_summary")
    assert board is not None
    assert "completed" in board


def test_a_refused_call_and_its_correction(team: LocalTeam) -> None:
    alice = planner(team, "@Alice")
    wrong = {"create_tasks": [BREAD | {"status": "soon", "owners": ["@Bob"]}]}

    with pytest.raises(RetryRequested) as asked:
        alice.call("update_planning", update=wrong)

    told = str(asked.value)
    assert "- update.create_tasks.0.owners: is not a declared field" in told
    assert "- update.create_tasks.0.status: must be one of 'pending', 'started'" in told
    assert alice.call("update_planning", update={"create_tasks": [BREAD]})


def test_a_refusal_of_the_logic_names_what_to_send_again(team: LocalTeam) -> None:
    alice = planner(team, "@Alice")

    with pytest.raises(RetryRequested, match="7") as asked:
        alice.call("update_planning", update={"delete_tasks": [7]})

    assert asked.value.failure is not None


def test_static_texts_stand_in_the_prefix(team: LocalTeam) -> None:
    entry = SkillEntry(name="baking", description="How to bake.", content="Knead.")
    alice = team.agent("@Alice", cards=[SkillTool(skills=Skills(skills=[entry]))])

    (prompt,) = alice.system_prompts()

    assert "baking" in prompt
    assert alice.context_update() is None
