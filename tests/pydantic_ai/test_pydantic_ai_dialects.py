"""One tool in every form that a provider is sent, and schemas equal wherever they are shown."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, cast

import pytest
from pydantic import BaseModel, ConfigDict, Field
from pydantic_ai import InlineDefsJsonSchemaTransformer, JsonSchemaTransformer
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

from cardwright.bench import LocalTeam
from cardwright.cli.portrait import portray
from cardwright.core import ToolCard
from cardwright.tools import (
    INLINE_REFS,
    JSON_SCHEMA,
    STRICT_SUBSET,
    Dialect,
    JsonSchema,
    Tool,
    schema_for,
)
from cardwright_cards import PlanningTool, SearchTool

type Json = dict[str, Any]


class Leg(BaseModel):
    """One leg."""

    model_config = ConfigDict(extra="forbid")

    nights: Annotated[int, Field(description="How long.", ge=1)]
    kind: Annotated[Literal["stay", "pass"], Field(description="What for.")]


def book(
    legs: Annotated[list[Leg], Field(description="In order.")],
    note: Annotated[str, Field(description="For the host.")],
) -> str:
    """Book a stay."""
    return f"{legs}{note}"


type Make = Callable[[], type[JsonSchemaTransformer]]


def anthropic() -> type[JsonSchemaTransformer]:
    """Late: it takes seconds to load, in every process that collects tests."""
    from pydantic_ai.providers.anthropic import AnthropicJsonSchemaTransformer

    return AnthropicJsonSchemaTransformer


TRANSFORMERS: list[Make] = [
    lambda: OpenAIJsonSchemaTransformer,
    anthropic,
    lambda: GoogleJsonSchemaTransformer,
    lambda: InlineDefsJsonSchemaTransformer,
]
DIALECTS: list[Dialect] = [JSON_SCHEMA, STRICT_SUBSET, INLINE_REFS]


def flat(schema: Json, definitions: Json | None = None) -> Json:
    """What a schema says, whatever its form: references followed, additions of forms left out."""
    known = definitions or schema.get("$defs", {})
    if "$ref" in schema:
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        return flat({**known[schema["$ref"].rpartition("/")[2]], **beside}, known)
    found: Json = {}
    for key, value in schema.items():
        if key == "properties":
            found[key] = {name: flat(each, known) for name, each in value.items()}
        elif key == "items":
            found[key] = flat(value, known)
        elif key in {"type", "required", "enum"}:
            found[key] = value
        elif key == "const":
            found["enum"] = [value]
    if "enum" in found:
        found.pop("type", None)  # said by the values; one provider leaves it out
    return found


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
@pytest.mark.parametrize("transformer", [None, *TRANSFORMERS])
def test_one_tool_in_every_form(dialect: Dialect, transformer: Make | None) -> None:
    ours = schema_for(book, dialect=dialect)
    sent = (
        ours if transformer is None else transformer()(cast("Json", dict(ours)), strict=True).walk()
    )

    assert flat(sent) == flat(schema_for(book))
    if dialect is INLINE_REFS:
        assert "$ref" not in str(sent)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
def test_a_tool_without_optional_arguments_needs_no_rewriting_for_a_strict_provider(
    dialect: Dialect,
) -> None:
    found = OpenAIJsonSchemaTransformer(
        cast("Json", dict(schema_for(book, dialect=dialect))), strict=None
    )
    found.walk()

    assert found.is_strict_compatible


CARDS: list[ToolCard] = [PlanningTool(), SearchTool()]


@pytest.mark.parametrize("card", CARDS, ids=lambda each: type(each).__name__)
def test_bench_host_and_command_line_show_one_schema(card: ToolCard) -> None:
    shown = {each.name: each.parameters for each in portray(type(card)).tools}
    with LocalTeam() as team:
        agent = team.agent("@Alice", cards=[card])
        declared: dict[str, JsonSchema] = {
            each.name: each.parameters for each in agent.registry.declarations()
        }
        assert declared == {name: agent.schema(name) for name in agent.tools}
    for name, schema in declared.items():
        assert schema == shown[name]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
def test_every_tool_of_the_catalogue_exists_in_every_dialect(dialect: Dialect) -> None:
    for card in CARDS:
        for function in card.get_tools():
            kept = Tool.from_function(function).parameters_schema
            adapted = schema_for(function, dialect=dialect)
            assert flat(cast("Json", adapted)) == flat(cast("Json", kept))
