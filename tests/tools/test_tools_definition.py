"""What may become a tool, and what is refused while it is defined."""

import functools
from collections.abc import Callable, Iterator
from enum import StrEnum
from socket import socket
from typing import Annotated, Literal, cast

import pytest
from pydantic import BaseModel, Field

from cardwright.core import Data, ToolPolicy, policy
from cardwright.tools import Tool, ToolDefinitionError


class Priority(StrEnum):
    LOW = "low"
    HIGH = "high"


class Leg(Data):
    """One leg of a journey."""

    nights: Annotated[int, Field(description="Nights in the town.", ge=1)]
    title: Annotated[str, Field(description="What to call it.")] = "stay"


def book(
    leg: Annotated[Leg, Field(description="Where to stay.")],
    note: Annotated[str | None, Field(description="For the host.")] = None,
) -> str:
    """Book a stay.

    Ask before booking twice.
    """
    return f"{leg.nights}/{note}"


def test_endpoint_a_tool_is_what_its_signature_says() -> None:
    tool = Tool.from_function(book)

    assert tool.name == "book"
    assert tool.description == "Book a stay.\n\nAsk before booking twice."
    assert tool.parameters_schema == {
        "$defs": {
            "Leg": {
                "additionalProperties": False,
                "description": "One leg of a journey.",
                "properties": {
                    "nights": {
                        "description": "Nights in the town.",
                        "minimum": 1,
                        "type": "integer",
                    },
                    "title": {
                        "default": "stay",
                        "description": "What to call it.",
                        "type": "string",
                    },
                },
                "required": ["nights"],
                "type": "object",
            }
        },
        "additionalProperties": False,
        "properties": {
            "leg": {"$ref": "#/$defs/Leg", "description": "Where to stay."},
            "note": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "default": None,
                "description": "For the host.",
            },
        },
        "required": ["leg"],
        "type": "object",
    }
    assert tool.function is book
    assert not tool.is_async
    assert tool.policy == ToolPolicy()


def test_endpoint_a_tool_without_docstring_is_described_by_its_name() -> None:
    def ping() -> None: ...

    assert Tool.from_function(ping).description == "ping"
    assert Tool.from_function(ping).parameters_schema == {
        "additionalProperties": False,
        "properties": {},
        "type": "object",
    }


def test_endpoint_overrides_win() -> None:
    tool = Tool.from_function(book, name="reserve", description="Reserve.")

    assert (tool.name, tool.description) == ("reserve", "Reserve.")


def test_async_bodies_are_found_through_wrappers() -> None:
    async def fetch(url: str) -> str:
        return url

    class Fetch:
        async def __call__(self, url: str) -> str:
            return url

    assert Tool.from_function(fetch).is_async
    assert Tool.from_function(Fetch(), name="fetch").is_async
    assert not Tool.from_function(book).is_async


def test_a_wrapped_function_is_described_by_the_original() -> None:
    @functools.wraps(book)
    def outer(*args: object, **kwargs: object) -> object:
        return None

    assert Tool.from_function(outer).parameters_schema == Tool.from_function(book).parameters_schema


def test_a_policy_travels_with_the_function() -> None:
    declared = ToolPolicy(idempotency="effectful", parallel_safe=False, timeout=2.0)

    @policy(declared)
    def send(text: str) -> str:
        return text

    assert Tool.from_function(send).policy is declared


def _unannotated(leg: str) -> str:
    return leg


del _unannotated.__annotations__["leg"]


def _extras(**extras: str) -> str:
    return str(extras)


def _several(*legs: str) -> str:
    return str(legs)


def _positional(leg: str, /) -> str:
    return leg


def _private(_leg: str) -> str:
    return _leg


def _pydantic_name(model_dump: str) -> str:
    return model_dump


def _socket(sock: socket) -> str:
    return str(sock)


def _bad_default(nights: int = "two") -> int:  # type: ignore[assignment]  # the case
    return nights


def _narrow_default(nights: Annotated[int, Field(ge=1)] = 0) -> int:
    return nights


@pytest.mark.parametrize(
    ("function", "parameter"),
    [
        (_unannotated, "leg"),
        (_extras, "extras"),
        (_several, "legs"),
        (_positional, "leg"),
        (_private, "_leg"),
        (_pydantic_name, "model_dump"),
        (_socket, "sock"),
        (_bad_default, "nights"),
        (_narrow_default, "nights"),
    ],
)
def test_endpoint_a_parameter_a_model_cannot_fill_is_refused(
    function: Callable[..., object], parameter: str
) -> None:
    with pytest.raises(ToolDefinitionError, match=parameter) as refused:
        Tool.from_function(function)

    assert refused.value.parameter == parameter
    assert refused.value.tool == getattr(function, "__name__", "")


def test_endpoint_an_annotation_that_resolves_to_nothing_is_quoted() -> None:
    def stay(leg: str) -> str:
        return leg

    stay.__annotations__["leg"] = "Nowhere"

    with pytest.raises(ToolDefinitionError, match="Nowhere"):
        Tool.from_function(stay)


def test_endpoint_a_callable_without_a_name_needs_one() -> None:
    partial = functools.partial(book, note="x")

    with pytest.raises(ToolDefinitionError, match="__name__"):
        Tool.from_function(partial)

    class Booker:
        def __call__(self, nights: int) -> int:
            return nights

    assert Tool.from_function(Booker(), name="booker").parameters_schema["required"] == ["nights"]


@pytest.mark.parametrize("name", ["white space", "x" * 65, "a.b"])
def test_a_name_that_providers_refuse_is_refused(name: str) -> None:
    with pytest.raises(ToolDefinitionError, match="no tool name"):
        Tool.from_function(book, name=name)


def test_generators_and_values_are_no_tools() -> None:
    def several(count: int) -> Iterator[int]:
        yield from range(count)

    with pytest.raises(ToolDefinitionError, match="generator"):
        Tool.from_function(several)
    with pytest.raises(ToolDefinitionError, match="not callable"):
        Tool.from_function(3)  # type: ignore[arg-type]  # the case


def test_a_type_without_a_schema_form_is_refused() -> None:
    def run(callback: Callable[[], None]) -> None:
        callback()

    with pytest.raises(ToolDefinitionError, match="no JSON Schema"):
        Tool.from_function(run)


def test_a_recursive_type_keeps_its_reference() -> None:
    schema = Tool.from_function(_graft).parameters_schema

    assert schema["properties"] == {"branch": {"$ref": "#/$defs/Branch"}}
    assert list(cast("dict[str, object]", schema["$defs"])) == ["Branch"]


class Branch(BaseModel):
    leaves: list["Branch"] = Field(default_factory=list["Branch"])


def _graft(branch: Branch) -> int:
    return len(branch.leaves)


def test_titles_go_and_what_is_called_title_stays() -> None:
    def rename(title: Literal["title", "name"], default: str, kind: Priority = Priority.LOW) -> str:
        return title + default + kind

    assert Tool.from_function(rename).parameters_schema == {
        "$defs": {"Priority": {"enum": ["low", "high"], "type": "string"}},
        "additionalProperties": False,
        "properties": {
            "default": {"type": "string"},
            "kind": {"$ref": "#/$defs/Priority", "default": "low"},
            "title": {"enum": ["title", "name"], "type": "string"},
        },
        "required": ["default", "title"],
        "type": "object",
    }


def test_two_descriptions_of_one_function_are_byte_identical() -> None:
    first, second = Tool.from_function(book), Tool.from_function(book)

    assert repr(first.parameters_schema) == repr(second.parameters_schema)


def test_a_default_that_is_a_model_is_shown_as_a_plain_object() -> None:
    def stay(leg: Leg = Leg(nights=1)) -> int:  # noqa: B008 - the case
        return leg.nights

    properties = cast("dict[str, object]", Tool.from_function(stay).parameters_schema["properties"])

    assert properties == {"leg": {"$ref": "#/$defs/Leg", "default": {"nights": 1, "title": "stay"}}}
