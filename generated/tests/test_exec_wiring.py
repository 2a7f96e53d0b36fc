# Generated from specs/exec.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `ExecTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json
from typing import cast

import pytest
from pydantic import ValidationError

from cardwright.actors import deserialize_object, serialize
from cardwright.core import (
    BaseToolParam,
    CardDefinitionError,
    Channels,
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
from cardwright_cards.exec.card import ExecCommand, ExecTool
from cardwright_cards.exec.contract import ExecContract


def served(card: ExecTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, ExecContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(ExecTool(), {"tools": ["exec_command"]}, id="as constructed"),
    pytest.param(ExecTool(), {"tools": ["exec_command"]}, id="everything on"),
    pytest.param(ExecTool(exec_command=False), {}, id="everything off"),
    pytest.param(ExecTool(), {"tools": ["exec_command"]}, id="exec_command on tool_call alone"),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: ExecTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: ExecTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, ExecTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert ExecTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert ExecTool.model_validate_json(card.model_dump_json()).model_dump() == card.model_dump()


@pytest.mark.parametrize(
    ("param", "channel"),
    [
        (ExecCommand, Channels.SYSTEM_PROMPT),
        (ExecCommand, Channels.LLM_CONTEXT),
        (ExecCommand, Channels.COMMAND),
    ],
)
def test_refuses_a_channel_it_does_not_serve(param: type[BaseToolParam], channel: Channels) -> None:
    with pytest.raises(ValidationError, match=f"not served on {channel}"):
        param.model_validate({"expose": [channel]})


def test_unbound_refuses() -> None:
    card = ExecTool()
    with pytest.raises(ToolObserverGone, match="ExecTool is not bound"):
        _ = card.logic


def test_refuses_an_agent_that_lacks_members() -> None:
    class Nobody: ...

    card, nobody = ExecTool(), cast("ToolObserver", Nobody())
    with pytest.raises(CardDefinitionError, match=r"Nobody lacks .*notify_event"):
        card.observer(nobody)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(ExecTool, ExecContract) == []
