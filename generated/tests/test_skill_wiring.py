# Generated from specs/skill.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `SkillTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json

import pytest
from pydantic import ValidationError

from cardwright.actors import deserialize_object, serialize
from cardwright.core import (
    BaseToolParam,
    Channels,
    Data,
    ToolCard,
)
from cardwright.core.conformity import logic_problems
from cardwright.core.testing import (
    bind_stub,
    command_names,
    prompt_names,
    provider_names,
    stub_logic,
    tool_names,
)
from cardwright_cards.skill.card import Skills, SkillTool
from cardwright_cards.skill.contract import SkillContract


def served(card: SkillTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, SkillContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(
        SkillTool(),
        {"tools": ["use_skill"], "prompts": ["skills"], "commands": ["skills"]},
        id="as constructed",
    ),
    pytest.param(
        SkillTool(),
        {"tools": ["use_skill"], "prompts": ["skills"], "commands": ["skills"]},
        id="everything on",
    ),
    pytest.param(SkillTool(skills=False), {}, id="everything off"),
    pytest.param(
        SkillTool(skills=Skills(expose={Channels.TOOL_CALL})),
        {"tools": ["use_skill"]},
        id="skills on tool_call alone",
    ),
    pytest.param(
        SkillTool(skills=Skills(expose={Channels.SYSTEM_PROMPT})),
        {"prompts": ["skills"]},
        id="skills on system_prompt alone",
    ),
    pytest.param(
        SkillTool(skills=Skills(expose={Channels.COMMAND})),
        {"commands": ["skills"]},
        id="skills on command alone",
    ),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: SkillTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: SkillTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, SkillTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert SkillTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert SkillTool.model_validate_json(card.model_dump_json()).model_dump() == card.model_dump()


@pytest.mark.parametrize(
    ("param", "channel"),
    [
        (Skills, Channels.LLM_CONTEXT),
    ],
)
def test_refuses_a_channel_it_does_not_serve(param: type[BaseToolParam], channel: Channels) -> None:
    with pytest.raises(ValidationError, match=f"not served on {channel}"):
        param.model_validate({"expose": [channel]})


@pytest.mark.parametrize(
    ("owner", "stored", "present"),
    [
        (SkillTool, {"param": False}, {"skills": False}),
    ],
)
def test_loads_what_was_stored_before(
    owner: type[ToolCard | BaseToolParam | Data],
    stored: dict[str, object],
    present: dict[str, object],
) -> None:
    assert owner.upgrade_stored(stored) == present


Stub = stub_logic(SkillContract)


def test_serves_unbound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SkillTool, "logic_path", f"{__name__}:Stub")
    card = SkillTool()
    assert isinstance(card.logic, Stub)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(SkillTool, SkillContract) == []
