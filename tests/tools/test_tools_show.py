"""`cardwright show` tells how a host runs each tool."""

import json

import pytest

from cardwright.cli.app import run


def test_the_policy_of_each_tool_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "PlanningTool"]) == 0

    shown = [line for line in capsys.readouterr().out.splitlines() if line.startswith("policy ")]
    assert shown == [
        "policy read-only, no ceiling, calls may overlap, no approval",
        "policy effectful, no ceiling, calls may overlap, no approval",
        "policy read-only, no ceiling, calls may overlap, no approval",
    ]


def test_the_policy_is_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "PlanningTool", "--json"]) == 0

    tools = json.loads(capsys.readouterr().out)["tools"]
    assert {tool["name"]: tool["policy"] for tool in tools}["update_planning"] == {
        "idempotency": "effectful",
        "timeout": None,
        "parallel_safe": True,
        "approval": False,
    }
