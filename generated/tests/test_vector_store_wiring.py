# Generated from specs/vector_store.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""How `VectorStoreTool` is wired: what it serves when, what keeps loading, what its logic must look like."""

import json
from typing import cast

import pytest

from cardwright.actors import deserialize_object, serialize
from cardwright.core import (
    CardDefinitionError,
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
from cardwright_cards.vector_store.card import VectorStoreTool
from cardwright_cards.vector_store.contract import VectorStoreContract


def served(card: VectorStoreTool) -> dict[str, list[str]]:
    """What the card serves on each channel; channels without anything are left out."""
    bind_stub(card, VectorStoreContract)
    found = {
        "tools": tool_names(card),
        "prompts": prompt_names(card),
        "states": provider_names(card),
        "commands": command_names(card),
    }
    return {channel: names for channel, names in found.items() if names}


CASES = [
    pytest.param(VectorStoreTool(), {}, id="as constructed"),
]


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_serves_exactly(card: VectorStoreTool, expected: dict[str, list[str]]) -> None:
    assert served(card) == expected


@pytest.mark.parametrize(("card", "expected"), CASES)
def test_survives_storage(card: VectorStoreTool, expected: dict[str, list[str]]) -> None:
    stored = serialize(card)
    restored = deserialize_object(json.loads(json.dumps(stored)))
    assert isinstance(restored, VectorStoreTool)
    assert serialize(restored) == stored
    assert served(restored) == expected
    assert VectorStoreTool.model_validate(card.model_dump()).model_dump() == card.model_dump()
    assert (
        VectorStoreTool.model_validate_json(card.model_dump_json()).model_dump()
        == card.model_dump()
    )


def test_unbound_refuses() -> None:
    card = VectorStoreTool()
    with pytest.raises(ToolObserverGone, match="VectorStoreTool is not bound"):
        _ = card.logic


def test_refuses_an_agent_that_lacks_members() -> None:
    class Nobody: ...

    card, nobody = VectorStoreTool(), cast("ToolObserver", Nobody())
    with pytest.raises(CardDefinitionError, match=r"Nobody lacks .*notify_event"):
        card.observer(nobody)


def test_the_logic_fits_its_contract() -> None:
    assert logic_problems(VectorStoreTool, VectorStoreContract) == []
