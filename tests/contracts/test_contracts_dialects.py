"""What every provider is sent for every card, reviewed as a snapshot; what each form loses."""

import json
from collections.abc import Iterator
from typing import Any, cast

import httpx2
import pytest
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel
from syrupy.assertion import SnapshotAssertion
from tests.contracts.test_contracts_schemas import JsonFile, everything
from tests.contracts.test_contracts_schemas import sent as plainly_sent

from cardwright.pydantic_ai import Cards
from cardwright_cards import PlanningTool
from cardwright_cards.catalogue import CARDS
from cardwright_generator.providers import DIALECTS, Dialect, InexpressibleError, losses_of, sent

type Json = dict[str, Any]

PROVIDERS: tuple[Dialect, ...] = ("openai", "openai-strict", "anthropic", "gemini")


def in_dialect(card: str, dialect: Dialect) -> list[Json]:
    return [
        sent(dialect, one["name"], one["description"], one["parameters"]).body
        for one in plainly_sent(card)
    ]


@pytest.mark.parametrize("dialect", PROVIDERS)
@pytest.mark.parametrize("card", [one for one in sorted(CARDS) if everything(one) is not None])
def test_what_a_provider_is_sent(card: str, dialect: Dialect, snapshot: SnapshotAssertion) -> None:
    tools = in_dialect(card, dialect)
    if tools:
        assert tools == snapshot.use_extension(JsonFile)


@pytest.mark.parametrize("card", sorted(CARDS))
def test_json_schema_is_the_schema_itself(card: str) -> None:
    assert in_dialect(card, "json-schema") == plainly_sent(card)


async def test_it_is_what_goes_over_the_wire() -> None:
    """A real request of pydantic-ai to Anthropic, caught before it leaves."""
    # Late: it takes seconds, in every process that collects tests.
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    bodies: list[Json] = []

    def catch(request: httpx2.Request) -> httpx2.Response:
        bodies.append(json.loads(request.content))
        return httpx2.Response(400, json={"type": "error", "error": {"type": "x", "message": "x"}})

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(catch))
    client = AsyncAnthropic(api_key="none", http_client=http, max_retries=0)
    model = AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(anthropic_client=client))
    with pytest.raises(Exception, match="400"):
        await Agent(model, capabilities=[Cards([PlanningTool()])]).run("hello")
    ours = {one["name"]: one for one in in_dialect("PlanningTool", "anthropic")}
    theirs = {one["name"]: one for one in bodies[0]["tools"]}
    assert theirs
    for name, tool in theirs.items():
        tool.pop("cache_control", None)
        assert tool == ours[name]


def test_the_plain_form_is_what_a_model_sees() -> None:
    model = TestModel(call_tools=[])
    Agent(model, capabilities=[Cards([PlanningTool()])]).run_sync("hello")
    assert model.last_model_request_parameters is not None
    seen = {
        one.name: one.parameters_json_schema
        for one in model.last_model_request_parameters.function_tools
    }
    ours = {one["name"]: one["parameters"] for one in in_dialect("PlanningTool", "json-schema")}
    assert seen == {name: ours[name] for name in seen}


T: Json = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"x": {"type": "integer", "minimum": 1, "default": 2}},
}
FEATURES: dict[str, Json] = {
    "length": {"type": "string", "minLength": 1, "maxLength": 9},
    "look ahead": {"type": "string", "pattern": "^x(?=y)"},
    "pattern": {"type": "string", "pattern": "^x$"},
    "bounds": {"type": "integer", "minimum": 1, "maximum": 2, "multipleOf": 1},
    "exclusive": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 2},
    "date": {"type": "string", "format": "date"},
    "uuid": {"type": "string", "format": "uuid"},
    "uri": {"type": "string", "format": "uri"},
    "items": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
    "unique": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    "map": {"type": "object", "additionalProperties": {"type": "integer", "exclusiveMinimum": 0}},
    "const": {"type": "string", "const": "stone"},
    "null const": {"const": None},
    "enum": {"enum": ["a", 1, None]},
    "union": {"anyOf": [{"type": "string", "maxLength": 1}, {"type": "integer"}]},
    "one of": {"oneOf": [{"$ref": "#/$defs/T"}, {"type": "integer"}]},
    "reference": {"$ref": "#/$defs/T", "description": "A reference."},
}
OPTIONAL: dict[str, Json] = {
    "null": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
    "five": {"type": "integer", "default": 5},
    "list": {"type": "array", "items": {"type": "string"}, "default": []},
}
NOTHING: list[str] = []
LOST: dict[str, dict[str, list[str]]] = {
    "openai": {},
    "anthropic": {},
    "openai-strict": {
        "length": ["`minLength: 1` is told in words only", "`maxLength: 9` is told in words only"],
        "look ahead": ['`pattern: "^x(?=y)"` is told in words only'],
        "uri": ['`format: "uri"` is told in words only'],
        "unique": ["`uniqueItems: true` is told in words only"],
        "map": ["a map cannot be sent: the model may only give `{}`"],
        "union": ["`maxLength: 1` is told in words only"],
        "reference": ["the default 2 is not told, and the argument must always be given"],
        "one of": ["the default 2 is not told, and the argument must always be given"],
        "five": ["the default 5 is not told, and the argument must always be given"],
        "list": ["the default [] is not told, and the argument must always be given"],
    },
    "gemini": {
        "exclusive": ["`exclusiveMinimum: 0` is not told", "`exclusiveMaximum: 2` is not told"],
        "date": ['`format: "date"` is told in words only'],
        "uuid": ['`format: "uuid"` is told in words only'],
        "uri": ['`format: "uri"` is told in words only'],
        "map": ["`exclusiveMinimum: 0` is not told"],
        "null const": ["`const: null` is not told"],
    },
}


def cases() -> Iterator[tuple[Dialect, str, bool]]:
    for dialect in PROVIDERS:
        for name in (*FEATURES, *OPTIONAL):
            yield dialect, name, name in FEATURES


@pytest.mark.parametrize(("dialect", "feature", "required"), [*cases()])
def test_what_a_form_loses(dialect: Dialect, feature: str, *, required: bool) -> None:
    """Found by experiment; a new pydantic-ai that loses more or less is noticed here."""
    schema: Json = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"a": {**FEATURES, **OPTIONAL}[feature]},
        "required": ["a"] if required else [],
    }
    if "$ref" in json.dumps(schema):
        schema["$defs"] = {"T": T}
    lost = [*losses_of(schema, sent(dialect, "t", "", schema).schema)]
    assert [one.message for one in lost] == LOST[dialect].get(feature, NOTHING)
    assert [one.fatal for one in lost] == [feature == "map" and dialect == "openai-strict"] * len(
        lost
    )
    assert all(one.pointer[0] in {"properties", "$defs"} for one in lost)


def test_what_no_form_can_hold() -> None:
    untyped: Json = {"type": "object", "properties": {"a": {"type": "array"}}, "required": ["a"]}
    with pytest.raises(InexpressibleError, match="array items"):
        sent("openai-strict", "t", "", untyped)


def test_nothing_is_changed_in_place() -> None:
    for dialect in DIALECTS:
        schema: Json = {"type": "object", "properties": dict(FEATURES), "$defs": {"T": T}}
        before = json.dumps(schema)
        sent(dialect, "t", "", schema)
        assert json.dumps(schema) == before


def test_strict_is_told_where_it_holds() -> None:
    closed: Json = {
        "type": "object",
        "additionalProperties": False,
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
    }
    assert sent("openai", "t", "", closed).body["function"]["strict"] is True
    optional = cast("Json", {**closed, "properties": {"a": {"type": "string", "default": "x"}}})
    assert "strict" not in sent("openai", "t", "", optional).body["function"]
    assert sent("openai-strict", "t", "", optional).body["function"]["strict"] is True
