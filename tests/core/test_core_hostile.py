"""Errors of cards and types hold nothing of what was rejected."""

import pickle
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from cardwright import LocalTeam
from cardwright.actors import deserialize_object
from cardwright.core import ToolObserverGone
from cardwright_cards import MCPTool, PlanningTool
from cardwright_cards.mcp import MCPHTTPConnectionConfig

SECRET = "sk-TOPSECRET"
URL = "https://mcp.example/api"
MARKER = "cardwright_cards.mcp.card.MCPTool"


@pytest.mark.parametrize(
    "make",
    [
        lambda: MCPHTTPConnectionConfig.model_validate({"bearer_token": SECRET}),
        lambda: MCPHTTPConnectionConfig.model_validate({"url": URL, "bearer_token": [SECRET]}),
        lambda: MCPHTTPConnectionConfig.model_validate({"url": URL, "bearer_tokn": SECRET}),
        lambda: MCPHTTPConnectionConfig.model_validate({"url": URL, "timeout": SECRET}),
        lambda: MCPHTTPConnectionConfig.model_validate(SECRET),
        lambda: MCPTool.model_validate({"connection": {"bearer_token": [SECRET]}}),
        lambda: MCPTool.model_validate({"connection": SECRET}),
        lambda: MCPTool.model_validate_json(f'{{"connection":{{"bearer_token":["{SECRET}"]}}}}'),
        lambda: MCPTool.model_validate_json(f'{{"connection":{{"bearer_token":"{SECRET}"'),
        lambda: PlanningTool.model_validate({"search_top_k": SECRET}),
        lambda: PlanningTool.model_validate({"get_planning": {"instructions": [SECRET]}}),
        lambda: deserialize_object({"__model__": MARKER, "connection": {"bearer_token": [SECRET]}}),
    ],
)
def test_a_refusal_keeps_no_value(make: Callable[[], object]) -> None:
    with pytest.raises(ValidationError) as refused:
        make()

    error: BaseException | None = refused.value
    while error is not None:
        assert SECRET not in f"{error} {error!r}"
        if isinstance(error, ValidationError):
            assert SECRET not in repr(error.errors())
            assert SECRET not in error.json()
        error = error.__cause__


def in_list(value: object) -> object:
    return [value]


def in_dict(value: object) -> object:
    return {"a": value}


def test_a_bound_card_is_pickled_as_its_configuration() -> None:
    with LocalTeam() as team:
        agent = team.agent("@Alice", cards=[PlanningTool(search_top_k=7)])
        (card,) = agent.factory.tool_cards

        restored = pickle.loads(pickle.dumps(card))

        assert restored == PlanningTool(search_top_k=7)
        with pytest.raises(ToolObserverGone, match="not bound"):
            restored.bound_logic()
        assert card.bound_logic() is not None


@pytest.mark.parametrize("wrap", [in_list, in_dict])
def test_stored_data_that_is_nested_too_deeply_is_refused(
    wrap: Callable[[object], object],
) -> None:
    deep: object = 1
    for _ in range(5000):
        deep = wrap(deep)
    with pytest.raises(ValueError, match="nested too deeply"):
        deserialize_object(deep)
