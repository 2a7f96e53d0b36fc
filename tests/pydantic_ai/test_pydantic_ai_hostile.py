"""Results that no history can hold as they are, and providers that reuse ids."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from cardwright import LocalTeam
from cardwright.core.data import JsonObject
from cardwright.planning.actor import PlanActor
from cardwright.pydantic_ai import Cards
from cardwright.pydantic_ai.results import UnshowableResultError, as_content
from cardwright.tools import tool
from cardwright_cards import PlanningTool


class Node(BaseModel):
    """Something that may contain itself."""

    inside: object = None


def circle_of_lists() -> object:
    circle: list[object] = []
    circle += [circle, circle]
    return circle


def circle_of_dicts() -> object:
    circle: dict[str, object] = {}
    circle["a"] = [circle]
    return circle


def circle_of_models() -> object:
    node = Node()
    node.inside = node
    return {"a": node}


def deep_lists() -> object:
    deep: object = 1
    for _ in range(5000):
        deep = [deep]
    return deep


@pytest.mark.parametrize("make", [circle_of_lists, circle_of_dicts, circle_of_models, deep_lists])
def test_a_result_without_a_finite_form_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(UnshowableResultError, match=r"contains itself|nested"):
        as_content(make())


def test_one_value_in_two_places_is_no_circle() -> None:
    shared = [1]
    assert as_content({"a": shared, "b": [shared, shared]}) == {"a": [1], "b": [[1], [1]]}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("\ud800", "\ufffd"),
        ("a\udc00b", "a\ufffdb"),
        ("\ud83d\ude00", "😀"),
        ("grüß 😀", "grüß 😀"),
        ({"\ud800": ["\ud800"]}, {"\ufffd": ["\ufffd"]}),
    ],
)
def test_halves_of_pairs_are_replaced(given: object, shown: object) -> None:
    assert as_content(given) == shown


def returns_in(messages: list[ModelMessage]) -> list[object]:
    parts = [part for message in messages for part in message.parts]
    return [part.content for part in parts if isinstance(part, ToolReturnPart)]


@pytest.mark.parametrize("call_id", ["call_0", ""])
async def test_a_provider_that_reuses_an_id_loses_no_task(call_id: str) -> None:
    def reply(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        done = len(returns_in(messages))
        if done == 3:
            return ModelResponse(parts=[TextPart("end")])
        task = {"id": done, "status": "pending", "description": "work", "owner": "@Bob"}
        arguments = {"update": {"create_tasks": [task]}}
        return ModelResponse(
            parts=[ToolCallPart("update_planning", arguments, tool_call_id=call_id)]
        )

    with LocalTeam() as team:
        cards = Cards(cards=[PlanningTool()], agent="@Alice", team=team)
        await Agent(FunctionModel(reply), capabilities=[cards]).run("go")
        plan = team.actor("#PlanningTool", PlanActor)
        assert [task.id for task in plan.get_planning()] == [0, 1, 2]


@tool
def circular() -> JsonObject:
    """Return a circle."""
    circle: JsonObject = {}
    circle["a"] = circle
    return circle


@tool
def half() -> str:
    """Return half of a pair."""
    return "\ud800"


async def test_such_results_leave_a_history_that_can_be_stored() -> None:
    def reply(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse(parts=[TextPart("end")])
        calls = [ToolCallPart("circular", {}), ToolCallPart("half", {})]
        return ModelResponse(parts=calls)

    with LocalTeam() as team:
        cards = Cards(cards=[], agent="@Alice", team=team, tools=[circular, half])
        run = await Agent(FunctionModel(reply), capabilities=[cards]).run("go")

    told = returns_in(run.all_messages())
    assert told == ["`circular` ran, but its result cannot be shown: it contains itself.", "\ufffd"]
    assert run.all_messages_json()
