"""Each name that decisions.md lists for `cardwright.planning` is there and means it."""

import pytest
from pydantic import BaseModel

import cardwright.planning as room
from cardwright.core import BaseToolParam, Channels, ToolCard

PARAMS = {
    "GetPlanning": {Channels.LLM_CONTEXT, Channels.COMMAND},
    "GetPlanningTask": {Channels.TOOL_CALL, Channels.COMMAND},
    "UpdatePlanning": {Channels.TOOL_CALL},
    "SearchPlanning": {Channels.TOOL_CALL, Channels.COMMAND},
}
MODELS: dict[str, dict[str, object]] = {
    "TaskCreate": {
        "id": ...,
        "status": ...,
        "description": ...,
        "owner": ...,
        "dependencies": [],
    },
    "TaskUpdate": {"id": ..., "status": None, "description": None, "output": None, "owner": None},
    "Task": {"id": ..., "output": "", "creator": "", "dependencies": []},
    "UpdatePlan": {"create_tasks": [], "update_tasks": [], "delete_tasks": []},
    "TaskRow": dict.fromkeys(("id", "status", "description", "owner", "creator", "output"), ...),
    "PlanningState": dict.fromkeys(
        ("total", "owner_counts", "tasks", "agent_name", "filter_by_agent"), ...
    ),
    "PlanManagerState": {"task_list": []},
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_fields_and_defaults_of_the_contract(name: str) -> None:
    model = getattr(room, name)
    assert issubclass(model, BaseModel)
    for field, default in MODELS[name].items():
        found = model.model_fields[field]
        assert found.is_required() if default is ... else found.get_default() == default


def test_the_card_and_its_four_params() -> None:
    assert {*MODELS, *PARAMS, "PlanningTool", "TaskStatus"} == set(room.__all__)
    assert issubclass(room.PlanningTool, ToolCard)
    for name, channels in PARAMS.items():
        param = getattr(room, name)
        assert issubclass(param, BaseToolParam)
        assert param().expose == channels
    card = room.PlanningTool()
    facts = (card.vector_store, card.search_top_k, card.search_score_threshold, card.hybrid_alpha)
    assert facts == (True, 10, 0.5, 0.7)
