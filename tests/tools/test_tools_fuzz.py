"""The body is entered with the declared types or not at all, and nothing said repeats a payload."""

import asyncio
import dataclasses
import json
import logging
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal, cast
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter

from cardwright.core import Data, JsonObject, JsonText, UniqueBy
from cardwright.tools import (
    INLINE_REFS,
    JSON_SCHEMA,
    AnyTool,
    ToolArgumentValidationError,
    ToolCallSpan,
    ToolRegistry,
    tool,
)
from cardwright.tools.payload import RawArguments

from .tools_payloads import HOSTILE, SECRET, near, valid


class Mood(StrEnum):
    GOOD = "good"
    BAD = "bad"


class Item(Data):
    id: int
    when: date | None = None
    tags: Annotated[list[str], Field(max_length=2)] = Field(default_factory=list[str])


@dataclasses.dataclass
class Corner:
    x: float
    y: float = 0.0


class Deep(BaseModel, extra="forbid"):
    items: Annotated[list[Item], UniqueBy("id")]
    corner: Corner
    mood: Mood = Mood.GOOD


ENTERED: list[dict[str, Any]] = []


@tool(name="fuzz_flat")
async def flat(
    count: Annotated[int, Field(ge=0, le=9)],
    ratio: float,
    name: Annotated[str, Field(min_length=1)],
    flag: bool | None = None,
    mode: Literal["a", "b", 3] = "a",
) -> None:
    ENTERED.append(locals())


@tool(name="fuzz_deep", dialect=JSON_SCHEMA)
async def deep(deep: Deep, more: dict[str, Item] | None = None) -> None:
    ENTERED.append(locals())


@tool(name="fuzz_wide")
async def wide(
    when: datetime,
    ids: frozenset[UUID],
    extra: JsonObject,
    quoted: Annotated[list[int], JsonText()],
    either: int | list[str] = 0,
) -> None:
    ENTERED.append(locals())


TOOLS: list[AnyTool] = [flat, deep, wide]
REGISTRY = ToolRegistry(TOOLS)
SPANS: list[ToolCallSpan] = []
REGISTRY.observe(SPANS.append)
SCHEMAS = {each.name: each.parameters_schema for each in TOOLS}
NAMES = sorted(SCHEMAS)

several = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def called(name: str, payload: RawArguments) -> ToolArgumentValidationError | None:
    """Call a tool; what it refused, or nothing if its body was entered with what it declares."""
    ENTERED.clear()
    SPANS.clear()
    refused: ToolArgumentValidationError | None = None
    try:
        asyncio.run(REGISTRY.invoke(name, payload))
    except ToolArgumentValidationError as error:
        refused = error
    if refused is not None:
        assert not ENTERED
        assert [(span.outcome, span.failure) for span in SPANS] == [
            ("error", "ToolArgumentValidationError")
        ]
        assert refused.problems
        return refused
    assert [span.outcome for span in SPANS] == ["ok"]
    (entered,) = ENTERED
    declared = REGISTRY.resolve(name).validator.signature.parameters
    for parameter in declared:
        assert_typed(entered[parameter.name], parameter.annotation)
    return None


def assert_typed(value: object, annotation: object) -> None:
    """Hold a value to its annotation without any conversion."""
    TypeAdapter(cast("type", annotation)).validate_python(value, strict=True)
    for each in _inside(value):
        assert not isinstance(each, float) or each == each  # noqa: PLR0124 - NaN is not itself


def _inside(value: object) -> list[object]:
    match value:
        case Mapping():
            return [
                inner for each in cast("dict[Any, Any]", value).values() for inner in _inside(each)
            ]
        case list() | tuple() | AbstractSet():
            return [inner for each in cast("list[Any]", value) for inner in _inside(each)]
        case _:
            return [value]


@several
@given(st.sampled_from(NAMES).flatmap(lambda n: st.tuples(st.just(n), valid(SCHEMAS[n]))))
def test_what_the_schema_allows_is_entered(case: tuple[str, Any]) -> None:
    name, payload = case
    refused = called(name, payload)
    if refused is not None:  # two items with one id: what a schema cannot say
        assert set(refused.problems.values()) == {"has two items with the same id"}
        return
    assert called(name, json.dumps(payload)) is None
    assert called(name, {"arguments": json.dumps(payload)}) is None


@several
@given(st.sampled_from(NAMES).flatmap(lambda n: st.tuples(st.just(n), near(SCHEMAS[n]))))
def test_what_is_almost_right_is_typed_or_refused(case: tuple[str, Any]) -> None:
    name, payload = case
    refused = called(name, payload)
    as_text = called(name, json.dumps(payload))

    assert (refused is None) == (as_text is None)
    if refused is not None and as_text is not None:
        assert refused.problems == as_text.problems


@several
@given(st.sampled_from(NAMES), HOSTILE)
def test_whatever_comes_is_typed_or_refused(name: str, payload: str | bytes) -> None:
    called(name, payload)


@several
@given(st.sampled_from(NAMES).flatmap(lambda n: st.tuples(st.just(n), near(SCHEMAS[n]) | HOSTILE)))
def test_no_value_of_a_payload_is_ever_said(case: tuple[str, Any]) -> None:
    name, payload = case
    said = Said()
    logging.getLogger().addHandler(said)
    try:
        refused = called(name, payload)
    finally:
        logging.getLogger().removeHandler(said)
    if refused is None:
        return
    # A key that a model made up is named, cut to a length; its values are not.
    values = "\n".join([*refused.problems.values(), *map(repr, SPANS), *said.lines])
    assert SECRET not in values
    assert len(refused.feedback()) < 10_000
    assert str(refused.details).count(SECRET) == 0


class Said(logging.Handler):
    """Everything that is logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.mark.parametrize("name", NAMES)
def test_the_dialect_changes_the_schema_and_not_what_is_accepted(name: str) -> None:
    kept, inlined = JSON_SCHEMA, INLINE_REFS
    found = REGISTRY.resolve(name)
    for dialect in (kept, inlined):
        other = tool(name=f"{name}_{dialect.name}", dialect=dialect)(found.function)
        assert other.validator.model.model_json_schema() | {"title": ""} == (
            found.validator.model.model_json_schema() | {"title": ""}
        )
