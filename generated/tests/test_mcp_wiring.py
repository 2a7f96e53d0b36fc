# Generated from specs/mcp.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `MCPTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json

import pytest

from cardwright.actors import deserialize_object, serialize
from cardwright.core.conformity import logic_problems
from cardwright.core.testing import (
    bind_stub,
    command_names,
    prompt_names,
    provider_names,
    stub_logic,
    tool_names,
)
from cardwright_cards.mcp.card import MCPTool
from cardwright_cards.mcp.contract import MCPContract
from cardwright_cards.mcp.types import MCPHTTPConnectionConfig


def served(card: MCPTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, MCPContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(MCPTool(connection=MCPHTTPConnectionConfig(url="x")), {}, id="as constructed"),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: MCPTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: MCPTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, MCPTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert MCPTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert MCPTool.model_validate_json(card.model_dump_json()).model_dump() == card.model_dump()


def test_serves_its_toolset() -> None:
    card, toolset = MCPTool(connection=MCPHTTPConnectionConfig(url="x")), object()
    bind_stub(card, MCPContract, toolset)
    assert card.get_toolsets() == [toolset]


Stub = stub_logic(MCPContract)


def test_serves_unbound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MCPTool, "logic_path", f"{__name__}:Stub")
    card = MCPTool(connection=MCPHTTPConnectionConfig(url="x"))
    assert isinstance(card.logic, Stub)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(MCPTool, MCPContract) == []
