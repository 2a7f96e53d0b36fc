"""Errors of cards and types hold nothing of what was rejected."""

import pickle
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from cardwright.actors import deserialize_object
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
        lambda: MCPTool.model_validate({"connection": {"bearer_token": SECRET}}),
        lambda: MCPTool.model_validate({"connection": SECRET}),
        lambda: MCPTool.model_validate_json(f'{{"connection":{{"bearer_token":"{SECRET}"}}}}'),
        lambda: MCPTool.model_validate_json(f'{{"connection":{{"bearer_token":"{SECRET}"'),
        lambda: PlanningTool.model_validate({"search_top_k": SECRET}),
        lambda: PlanningTool.model_validate({"get_planning": {"instructions": [SECRET]}}),
        lambda: deserialize_object({"__model__": MARKER, "connection": {"bearer_token": SECRET}}),
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
