"""`list` and `show`: the catalogue as a person and as a program reads it."""

import json

import pytest

from cardwright.cli.app import run
from cardwright.cli.catalogue import find_card, listed_cards
from cardwright.tools import Tool

FIVE = {"MCPTool", "MetadataTool", "PlanningTool", "SearchTool", "SkillTool"}


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


def test_list_names_every_card_with_its_summary(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(["list", "--json"], capsys))
    assert {row["card"] for row in rows} >= FIVE
    assert all(row["summary"] for row in rows)
    shown = told(["list"], capsys)
    assert [row["card"] for row in rows if row["card"] not in shown] == []


@pytest.mark.parametrize("card", sorted(FIVE))
def test_show_tells_what_the_model_is_sent(card: str, capsys: pytest.CaptureFixture[str]) -> None:
    portrait = json.loads(told(["show", card, "--json"], capsys))
    assert portrait["card"] == card
    if portrait["needs"]:
        assert portrait["tools"] == []
        return
    capabilities = {each["name"]: True for each in portrait["capabilities"]}
    made = find_card(card).load().model_validate(capabilities)
    sent = [Tool.from_function(function) for function in made.get_tools()]
    assert [(t["name"], t["description"], t["parameters"]) for t in portrait["tools"]] == [
        (t.name, t.description, t.parameters_schema) for t in sent
    ]


@pytest.mark.parametrize("card", sorted(FIVE))
def test_show_for_people(card: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = told(["show", card], capsys)
    portrait = json.loads(told(["show", card, "--json"], capsys))
    assert shown.startswith(card)
    names = [
        each["name"] for kind in ("fields", "capabilities", "tools") for each in portrait[kind]
    ]
    assert [name for name in names if name not in shown] == []


def test_show_says_what_must_be_configured(capsys: pytest.CaptureFixture[str]) -> None:
    assert "render_metadata.template: give a value" in told(["show", "MetadataTool"], capsys)
    config = '{"render_metadata": {"template": "Client {client}"}}'
    configured = json.loads(told(["show", "MetadataTool", "--config", config, "--json"], capsys))
    assert configured["needs"] == []
    assert configured["system_prompts"] == ["team_metadata"]
    assert [each["name"] for each in configured["commands"]] == ["team_metadata"]


def test_show_with_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    config = '{"get_planning_task": false, "search_planning": {"instructions": "Search first."}}'
    tools = json.loads(told(["show", "PlanningTool", "--config", config, "--json"], capsys))[
        "tools"
    ]
    described = {tool["name"]: tool["description"] for tool in tools}
    assert "get_planning_task" not in described
    assert "Search first." in described["search_planning"]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("{", "--config does not fit PlanningTool"),
        ('{"serch_planning": true}', "serch_planning"),
        ('{"update_planning": {"expose": ["command"]}}', "tool_call"),
    ],
)
def test_a_wrong_configuration_is_refused(
    config: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "PlanningTool", "--config", config]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert shown.err.count("\n") == 1


def test_the_name_of_a_card_may_be_given_without_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "planning"]) == 2
    assert "did you mean PlanningTool?" in capsys.readouterr().err


def test_cards_are_listed_without_importing_them() -> None:
    assert {card.name for card in listed_cards().values()} >= FIVE
