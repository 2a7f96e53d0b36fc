"""The task models: limits, truncation, and what the model reads about them."""

import pytest
from pydantic import ValidationError

from cardwright.planning import Task, TaskCreate, TaskUpdate, UpdatePlan


def test_case_26_a_description_of_300_characters_is_the_longest() -> None:
    assert (
        TaskCreate(id=1, status="pending", description="d" * 300, owner="").description == "d" * 300
    )
    assert TaskUpdate(id=1, description="d" * 300).description == "d" * 300


@pytest.mark.parametrize("model", [TaskCreate, TaskUpdate])
def test_case_26_a_longer_description_is_refused_without_being_echoed(
    model: type[TaskCreate | TaskUpdate],
) -> None:
    with pytest.raises(ValidationError, match="300") as refused:
        model.model_validate(
            {"id": 1, "status": "pending", "description": "secret" * 51, "owner": ""}
        )
    assert "secretsecret" not in str(refused.value)


@pytest.mark.parametrize("given", [None, "", "short", "o" * 150])
def test_case_26_a_short_output_is_untouched(given: str | None) -> None:
    assert TaskUpdate(id=1, output=given).output == given


@pytest.mark.parametrize("length", [151, 500])
def test_case_26_a_long_output_is_cut_to_150_with_an_ellipsis(length: int) -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(length))
    cut = TaskUpdate(id=1, output=text).output
    assert cut == text[:147] + "..."
    assert cut is not None
    assert len(cut) == 150


def test_both_limits_stand_in_the_descriptions_of_the_fields() -> None:
    definitions = UpdatePlan.model_json_schema()["$defs"]
    for name in ("TaskCreate", "TaskUpdate"):
        assert "300" in definitions[name]["properties"]["description"]["description"]
    assert "150" in definitions["TaskUpdate"]["properties"]["output"]["description"]


def test_an_update_distinguishes_clearing_from_leaving() -> None:
    cleared = TaskUpdate(id=1, owner="", output="", dependencies=[])
    assert (cleared.owner, cleared.output, cleared.dependencies) == ("", "", [])
    assert TaskUpdate(id=1).dependencies is None


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError, match="creator"):
        TaskCreate.model_validate(
            {"id": 1, "status": "pending", "description": "d", "owner": "", "creator": "@Me"}
        )


@pytest.mark.parametrize("status", ["done", "Pending", ""])
def test_a_status_outside_the_four_is_refused(status: str) -> None:
    with pytest.raises(ValidationError):
        TaskUpdate.model_validate({"id": 1, "status": status})


def test_a_task_prints_readably() -> None:
    task = Task(
        id=3,
        status="completed",
        description="Write\nthe parser",
        owner="",
        dependencies=[1, 2],
        output="src/parser.py",
        creator="@Lead",
    )
    first, *rest = str(task).splitlines()
    assert first == "#3 [completed] Write the parser"
    assert "owner: unassigned" in rest
    assert "creator: @Lead" in rest
    assert "after: #1, #2" in rest
    assert "output: src/parser.py" in rest


def test_a_task_round_trips() -> None:
    task = Task(
        id=3,
        status="abort",
        description="x",
        owner="@A",
        dependencies=[1],
        output="o",
        creator="@B",
    )
    assert Task.model_validate(task.model_dump()) == task
    assert Task.model_validate_json(task.model_dump_json()) == task
