"""The cards of the catalogue on pydantic-ai agents, over whole runs with a scripted model."""

import sys
from collections.abc import Iterator

import pytest
from pydantic_ai import Agent, InlineDefsJsonSchemaTransformer
from pydantic_ai.messages import ModelMessage, ToolReturnPart
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

from cardwright.bench import LocalTeam
from cardwright.core import ToolCard
from cardwright.pydantic_ai import Cards
from cardwright.tools import Tool
from cardwright_cards import MCPTool, PlanningTool, SearchTool, SkillTool
from cardwright_cards.mcp import MCPStdioConnectionConfig
from cardwright_cards.skill import SkillEntry, Skills

from .scripted import Script, blocks, sent_bytes, sent_tools

CONVERT = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
BREAD = {"id": 1, "status": "pending", "description": "Bake bread", "owner": "@Bob"}


def catalogue() -> list[ToolCard]:
    entry = SkillEntry(name="baking", description="How to bake.", content="Knead.")
    return [PlanningTool(), SearchTool(), SkillTool(skills=Skills(skills=[entry]))]


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


def test_two_agents_work_on_one_plan_and_their_prefixes_stay(team: LocalTeam) -> None:
    alice_model = Script(
        [("update_planning", {"update": {"create_tasks": [BREAD]}})], "planned", "thanks"
    )
    bob_model = Script(
        [("get_planning_task", {"task_id": 1}), ("use_skill", {"name": "baking"})],
        [("update_planning", {"update": {"update_tasks": [{"id": 1, "status": "completed"}]}})],
        "baked",
    )
    alice = Agent(alice_model.model, capabilities=[Cards(catalogue(), agent="@Alice", team=team)])
    bob = Agent(bob_model.model, capabilities=[Cards(catalogue(), agent="@Bob", team=team)])

    history = alice.run_sync("Plan the bread.").all_messages()
    bob.run_sync("Do your tasks.")
    alice.run_sync("How is it going?", message_history=history)

    for model in (alice_model, bob_model):
        assert len({(sent_tools(info), info.instructions) for info in model.infos}) == 1
        for earlier, later in zip(model.requests, model.requests[1:], strict=False):
            assert sent_bytes(later)[: len(earlier)] == sent_bytes(earlier)
    assert "baking" in (bob_model.infos[0].instructions or "")
    task, skill = bob_model.returned(1)
    assert task["description"] == "Bake bread"
    assert "__model__" not in task
    assert "Knead." in skill
    assert "completed" in blocks(alice_model.requests[2])[-1]
    assert [text.split(" — ")[0] for text in blocks(alice_model.requests[2])] == [
        "**Context update 1**",
        "**Context update 2**",
        "**Context update 3**",
    ]


def test_a_refused_call_is_corrected_within_the_run(team: LocalTeam) -> None:
    wrong = BREAD | {"status": "soon"}
    script = Script(
        [("update_planning", {"update": {"create_tasks": [wrong]}})],
        [("update_planning", {"update": {"create_tasks": [BREAD]}})],
        "done",
    )
    agent = Agent(script.model, capabilities=[Cards([PlanningTool()], agent="@Alice", team=team)])

    assert agent.run_sync("Go.").output == "done"

    refused = told(script.requests[1])
    assert "update.create_tasks.0.status: must be one of 'pending'" in refused
    assert "soon" not in refused


def told(messages: list[ModelMessage]) -> str:
    part = messages[-1].parts[0]
    assert isinstance(part, ToolReturnPart)
    return part.model_response_str()


def test_the_model_is_sent_what_the_bench_shows(team: LocalTeam) -> None:
    script = Script("done")
    Agent(script.model, capabilities=[Cards(catalogue(), agent="@Alice", team=team)]).run_sync(
        "Hi."
    )
    bob = team.agent("@Bob", cards=catalogue())

    sent = script.infos[0].function_tools

    assert [tool.name for tool in sent] == list(bob.tools)
    assert [tool.parameters_json_schema for tool in sent] == [
        bob.schema(name) for name in bob.tools
    ]


def test_the_tools_of_an_mcp_server_stand_beside_those_of_cards(team: LocalTeam) -> None:
    script = Script([("convert_time", CONVERT)], "done")
    server = MCPTool(
        connection=MCPStdioConnectionConfig(
            stdio_command=sys.executable, stdio_args=["-m", "mcp_server_time"]
        )
    )
    cards = Cards([PlanningTool(), server], agent="@Alice", team=team)
    Agent(script.model, capabilities=[cards]).run_sync("Hi.")

    names = [tool.name for tool in script.infos[0].function_tools]
    assert names[:3] == list(cards.tools)
    assert "convert_time" in names
    (answer,) = script.returned(1)
    assert answer["target"]["timezone"] == "Asia/Tokyo"


TOOLS = [Tool.from_function(function) for card in catalogue() for function in card.get_tools()]


@pytest.mark.parametrize("tool", TOOLS, ids=[tool.name for tool in TOOLS])
def test_every_provider_dialect_can_express_every_tool(tool: Tool) -> None:
    for transformer in (
        OpenAIJsonSchemaTransformer,
        GoogleJsonSchemaTransformer,
        InlineDefsJsonSchemaTransformer,
    ):
        adapted = transformer(dict(tool.parameters_schema), strict=None).walk()

        assert adapted["properties"].keys() == tool.validator.model.model_fields.keys()
