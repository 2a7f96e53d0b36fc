# Generated from specs/metadata.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `MetadataTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

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
from cardwright_cards.metadata.card import MetadataTool, RenderMetadata
from cardwright_cards.metadata.contract import MetadataContract


def served(card: MetadataTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, MetadataContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(MetadataTool(), {}, id="as constructed"),
    pytest.param(
        MetadataTool(render_metadata=RenderMetadata(template="x")),
        {"prompts": ["team_metadata"], "commands": ["team_metadata"]},
        id="everything on",
    ),
    pytest.param(MetadataTool(), {}, id="everything off"),
    pytest.param(
        MetadataTool(render_metadata=RenderMetadata(template="x", expose={Channels.SYSTEM_PROMPT})),
        {"prompts": ["team_metadata"]},
        id="render_metadata on system_prompt alone",
    ),
    pytest.param(
        MetadataTool(render_metadata=RenderMetadata(template="x", expose={Channels.COMMAND})),
        {"commands": ["team_metadata"]},
        id="render_metadata on command alone",
    ),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: MetadataTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: MetadataTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, MetadataTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert MetadataTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert (
        MetadataTool.model_validate_json(card.model_dump_json()).model_dump() == card.model_dump()
    )


@pytest.mark.parametrize(
    ("param", "channel"),
    [
        (RenderMetadata, Channels.TOOL_CALL),
        (RenderMetadata, Channels.LLM_CONTEXT),
    ],
)
def test_refuses_a_channel_it_does_not_serve(param: type[BaseToolParam], channel: Channels) -> None:
    with pytest.raises(ValidationError, match=f"not served on {channel}"):
        param.model_validate({"expose": [channel]})


def test_unbound_refuses() -> None:
    card = MetadataTool()
    with pytest.raises(ToolObserverGone, match="MetadataTool is not bound"):
        _ = card.logic


def test_refuses_an_agent_that_lacks_members() -> None:
    class Nobody: ...

    card, nobody = MetadataTool(), cast("ToolObserver", Nobody())
    with pytest.raises(CardDefinitionError, match=r"Nobody lacks .*notify_event"):
        card.observer(nobody)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(MetadataTool, MetadataContract) == []
