# Generated from specs/planning.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `PlanningTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json
from typing import cast

import pytest
from pydantic import ValidationError

from cardwright.actors import deserialize_object, serialize
from cardwright.core import (
    BaseToolParam,
    CardDefinitionError,
    Channels,
    Data,
    ToolCard,
    ToolObserver,
    ToolObserverGone,
)
from cardwright.core.conformity import logic_problems
from cardwright.core.testing import (
    bind_stub,
    command_names,
    prompt_names,
    provider_names,
    tool_names,
)
from cardwright_cards.planning.card import (
    GetPlanning,
    GetPlanningTask,
    PlanningTool,
    SearchPlanning,
    UpdatePlanning,
)
from cardwright_cards.planning.contract import PlanningContract


def served(card: PlanningTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, PlanningContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(
        PlanningTool(),
        {
            "tools": ["get_planning_task", "update_planning", "search_planning"],
            "states": ["planning_state"],
            "commands": ["planning_summary", "get_planning_task", "search_planning"],
        },
        id="as constructed",
    ),
    pytest.param(
        PlanningTool(
            get_planning=GetPlanning(
                expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}
            )
        ),
        {
            "tools": [
                "planning_summary",
                "get_planning_task",
                "update_planning",
                "search_planning",
            ],
            "states": ["planning_state"],
            "commands": ["planning_summary", "get_planning_task", "search_planning"],
        },
        id="everything on",
    ),
    pytest.param(
        PlanningTool(
            get_planning=False,
            get_planning_task=False,
            update_planning=False,
            search_planning=False,
        ),
        {},
        id="everything off",
    ),
    pytest.param(
        PlanningTool(get_planning=False),
        {
            "tools": ["get_planning_task", "update_planning", "search_planning"],
            "commands": ["get_planning_task", "search_planning"],
        },
        id="without get_planning",
    ),
    pytest.param(
        PlanningTool(
            get_planning=GetPlanning(
                expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}
            ),
            get_planning_task=False,
        ),
        {
            "tools": ["planning_summary", "update_planning", "search_planning"],
            "states": ["planning_state"],
            "commands": ["planning_summary", "search_planning"],
        },
        id="without get_planning_task",
    ),
    pytest.param(
        PlanningTool(
            get_planning=GetPlanning(
                expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}
            ),
            update_planning=False,
        ),
        {
            "tools": ["planning_summary", "get_planning_task", "search_planning"],
            "states": ["planning_state"],
            "commands": ["planning_summary", "get_planning_task", "search_planning"],
        },
        id="without update_planning",
    ),
    pytest.param(
        PlanningTool(
            get_planning=GetPlanning(
                expose={Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}
            ),
            search_planning=False,
        ),
        {
            "tools": ["planning_summary", "get_planning_task", "update_planning"],
            "states": ["planning_state"],
            "commands": ["planning_summary", "get_planning_task"],
        },
        id="without search_planning",
    ),
    pytest.param(
        PlanningTool(
            get_planning=GetPlanning(expose={Channels.TOOL_CALL}),
            get_planning_task=False,
            update_planning=False,
            search_planning=False,
        ),
        {"tools": ["planning_summary"]},
        id="get_planning on tool_call alone",
    ),
    pytest.param(
        PlanningTool(
            get_planning=GetPlanning(expose={Channels.LLM_CONTEXT}),
            get_planning_task=False,
            update_planning=False,
            search_planning=False,
        ),
        {"states": ["planning_state"]},
        id="get_planning on llm_context alone",
    ),
    pytest.param(
        PlanningTool(
            get_planning=GetPlanning(expose={Channels.COMMAND}),
            get_planning_task=False,
            update_planning=False,
            search_planning=False,
        ),
        {"commands": ["planning_summary"]},
        id="get_planning on command alone",
    ),
    pytest.param(
        PlanningTool(
            get_planning=False,
            get_planning_task=GetPlanningTask(expose={Channels.TOOL_CALL}),
            update_planning=False,
            search_planning=False,
        ),
        {"tools": ["get_planning_task"]},
        id="get_planning_task on tool_call alone",
    ),
    pytest.param(
        PlanningTool(
            get_planning=False,
            get_planning_task=GetPlanningTask(expose={Channels.COMMAND}),
            update_planning=False,
            search_planning=False,
        ),
        {"commands": ["get_planning_task"]},
        id="get_planning_task on command alone",
    ),
    pytest.param(
        PlanningTool(get_planning=False, get_planning_task=False, search_planning=False),
        {"tools": ["update_planning"]},
        id="update_planning on tool_call alone",
    ),
    pytest.param(
        PlanningTool(
            get_planning=False,
            get_planning_task=False,
            update_planning=False,
            search_planning=SearchPlanning(expose={Channels.TOOL_CALL}),
        ),
        {"tools": ["search_planning"]},
        id="search_planning on tool_call alone",
    ),
    pytest.param(
        PlanningTool(
            get_planning=False,
            get_planning_task=False,
            update_planning=False,
            search_planning=SearchPlanning(expose={Channels.COMMAND}),
        ),
        {"commands": ["search_planning"]},
        id="search_planning on command alone",
    ),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: PlanningTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: PlanningTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, PlanningTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert PlanningTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert (
        PlanningTool.model_validate_json(card.model_dump_json()).model_dump() == card.model_dump()
    )


@pytest.mark.parametrize(
    ("param", "channel"),
    [
        (GetPlanning, Channels.SYSTEM_PROMPT),
        (GetPlanningTask, Channels.SYSTEM_PROMPT),
        (GetPlanningTask, Channels.LLM_CONTEXT),
        (UpdatePlanning, Channels.SYSTEM_PROMPT),
        (UpdatePlanning, Channels.LLM_CONTEXT),
        (UpdatePlanning, Channels.COMMAND),
        (SearchPlanning, Channels.SYSTEM_PROMPT),
        (SearchPlanning, Channels.LLM_CONTEXT),
    ],
)
def test_refuses_a_channel_it_does_not_serve(param: type[BaseToolParam], channel: Channels) -> None:
    with pytest.raises(ValidationError, match=f"not served on {channel}"):
        param.model_validate({"expose": [channel]})


@pytest.mark.parametrize(
    ("owner", "stored", "present"),
    [
        (GetPlanning, {"expose": ["system_prompt"]}, {"expose": ["llm_context"]}),
    ],
)
def test_loads_what_was_stored_before(
    owner: type[ToolCard | BaseToolParam | Data],
    stored: dict[str, object],
    present: dict[str, object],
) -> None:
    assert owner.upgrade_stored(stored) == present


def test_unbound_refuses() -> None:
    card = PlanningTool()
    with pytest.raises(ToolObserverGone, match="PlanningTool is not bound"):
        _ = card.logic


def test_refuses_an_agent_that_lacks_members() -> None:
    class Nobody: ...

    card, nobody = PlanningTool(), cast("ToolObserver", Nobody())
    with pytest.raises(CardDefinitionError, match=r"Nobody lacks .*notify_event"):
        card.observer(nobody)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(PlanningTool, PlanningContract) == []
