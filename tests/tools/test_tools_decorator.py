"""`@tool`: the edge cases of definition (1-18) and of names (19-23)."""

import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from socket import socket
from typing import Annotated, Any, Literal, Unpack, cast

import pytest
from pydantic import BaseModel, Field

from cardwright.core import JsonObject
from cardwright.tools import (
    JSON_SCHEMA,
    CapabilityError,
    Dialect,
    InlineRefs,
    JsonSchema,
    SchemaGenerationError,
    Tool,
    ToolContext,
    ToolDefinitionError,
    schema_for,
    tool,
)
from cardwright.tools.decorator import ToolOptions


class Leg(BaseModel):
    """One leg.

    Args:
        nights: Ignored, as the field says it itself.
        town: Where to stay.
    """

    nights: Annotated[int, Field(description="How long.")]
    town: str = "Bath"


class Node(BaseModel):
    """Contains itself."""

    children: list["Node"] = Field(default_factory=list["Node"])


class Loose(BaseModel):
    """Has a field that may be anything."""

    inner: Any = None


def properties(schema: JsonSchema) -> dict[str, dict[str, object]]:
    return cast("dict[str, dict[str, object]]", schema["properties"])


def refusal(function: Callable[..., object], **options: Unpack[ToolOptions]) -> ToolDefinitionError:
    with pytest.raises(ToolDefinitionError) as refused:
        tool(**options)(function)
    return refused.value


def test_e01_nested_models_are_inlined_with_their_descriptions() -> None:
    @tool
    async def e01_book(leg: Leg, note: str | None = None, ctx: ToolContext | None = None) -> str:
        """Book a stay.

        Args:
            leg: Where to stay.
            note: For the host,
                who reads it.

            stale: There is no such argument.

        Returns:
            note: This is another section.
        """
        return f"{leg}{note}{ctx}"

    assert e01_book.description == "Book a stay."
    assert e01_book.parameters_schema == {
        "additionalProperties": False,
        "properties": {
            "leg": {
                "description": "Where to stay.",
                "properties": {
                    "nights": {"description": "How long.", "type": "integer"},
                    "town": {"default": "Bath", "description": "Where to stay.", "type": "string"},
                },
                "required": ["nights"],
                "type": "object",
            },
            "note": {
                "anyOf": [{"type": "string"}, {"type": "null"}],
                "default": None,
                "description": "For the host, who reads it.",
            },
        },
        "required": ["leg"],
        "type": "object",
    }
    assert (e01_book.context_parameter, e01_book.context_required) == ("ctx", False)
    assert e01_book.is_async


def test_e02_results_have_a_schema_when_they_are_annotated() -> None:
    @tool
    def e02_pick() -> Literal["a", "b"]:
        return "a"

    def silent():  # type: ignore[no-untyped-def]  # noqa: ANN202 - the case
        return None

    @tool
    async def e02_nothing() -> None: ...

    @tool
    def e02_awaitable() -> Awaitable[int]:
        raise NotImplementedError

    @tool
    def e02_coroutine() -> Coroutine[Any, Any, list[Leg]]:
        raise NotImplementedError

    assert e02_pick.returns_schema == {"enum": ["a", "b"], "type": "string"}
    assert tool(name="e02_silent")(silent).returns_schema is None
    assert e02_nothing.returns_schema == {"type": "null"}
    assert e02_awaitable.returns_schema == {"type": "integer"}
    assert cast("JsonSchema", e02_coroutine.returns_schema)["type"] == "array"


def test_a_result_that_may_be_anything_is_refused() -> None:
    def e02_anything() -> dict[str, Any]:
        raise NotImplementedError

    assert isinstance(refusal(e02_anything).__cause__, SchemaGenerationError)


def test_e03_an_unknown_docstring_shape_costs_descriptions_only() -> None:
    @tool
    def e03_book(leg: Leg) -> str:
        """Book a stay.

        :param leg: where
        Args: leg, of course
        """
        return str(leg)

    assert e03_book.description == "Book a stay."
    assert "description" in properties(e03_book.parameters_schema)["leg"]  # Leg's own summary


def test_e04_without_a_docstring_the_name_describes() -> None:
    @tool
    def e04_ping() -> None: ...

    assert e04_ping.description == "e04_ping"


def test_e05_overrides_beat_the_docstring_and_entries_are_still_used() -> None:
    @tool(name="e05_reserve", description="Reserve.")
    def book(town: str) -> str:
        """Book.

        Args:
            town: Where.
        """
        return town

    assert (book.name, book.description) == ("e05_reserve", "Reserve.")
    assert properties(book.parameters_schema)["town"]["description"] == "Where."


def test_e06_an_unannotated_parameter_is_refused() -> None:
    def e06_book(leg: str) -> str:
        return leg

    del e06_book.__annotations__["leg"]
    refused = refusal(e06_book)

    assert (refused.tool, refused.parameter) == ("e06_book", "leg")


def test_e07_variadic_parameters_are_refused() -> None:
    def e07_keywords(**extras: str) -> None: ...
    def e07_values(*legs: str) -> None: ...

    assert refusal(e07_keywords).parameter == "extras"
    assert refusal(e07_values).parameter == "legs"


def test_e08_a_type_without_schema_is_refused_with_the_schema_error_as_cause() -> None:
    def e08_send(sock: socket) -> None: ...

    refused = refusal(e08_send)

    assert refused.parameter == "sock"
    assert "socket" in str(refused)
    cause = refused.__cause__
    assert isinstance(cause, SchemaGenerationError)
    assert (cause.field, cause.annotation) == ("sock", "socket")


def test_e09_an_annotation_that_resolves_to_nothing_is_quoted() -> None:
    def e09_book(leg: str) -> None: ...

    e09_book.__annotations__["leg"] = "Nowhere"
    assert "Nowhere" in str(refusal(e09_book))


def test_e10_a_callable_object_needs_a_name() -> None:
    class Booker:
        def __call__(self, nights: int) -> int:
            return nights

    assert refusal(Booker()).tool == ""
    assert tool(name="e10_booker")(Booker()).name == "e10_booker"


def test_e11_a_recursive_type_needs_references() -> None:
    def e11_graft(node: Node) -> None: ...

    refused = refusal(e11_graft)

    assert "Node" in str(refused)
    assert isinstance(refused.__cause__, CapabilityError)
    kept = tool(dialect=JSON_SCHEMA)(e11_graft)
    assert list(cast("JsonSchema", kept.parameters_schema["$defs"])) == ["Node"]


def test_e12_a_second_context_is_refused() -> None:
    def e12_two(ctx: ToolContext, other: ToolContext | None = None) -> None: ...

    assert refusal(e12_two).parameter == "other"


@pytest.mark.parametrize("timeout", [0.0, -1.0, float("inf"), float("nan")])
def test_e13_a_ceiling_must_be_a_time(timeout: float) -> None:
    def e13_wait() -> None: ...

    assert "ceiling" in str(refusal(e13_wait, timeout=timeout))
    assert tool(timeout=None)(e13_wait).timeout is None


def test_e14_depth_is_limited() -> None:
    with pytest.raises(CapabilityError, match="Leg") as refused:
        schema_for(lambda_with_leg, dialect=InlineRefs(max_depth=0))

    assert refused.value.details == {"dialect": "inline-refs", "type": "Leg", "depth": "0"}


def lambda_with_leg(leg: Leg) -> None: ...


class NoUnions:
    """A dialect of one's own."""

    name = "no-unions"
    forbidden = frozenset({"anyOf"})

    def adapt(self, schema: JsonSchema) -> JsonSchema:
        return schema


def test_e15_a_forbidden_keyword_is_never_rewritten() -> None:
    def optional(note: str | None = None) -> None: ...

    dialect: Dialect = NoUnions()
    with pytest.raises(CapabilityError, match="anyOf") as refused:
        schema_for(optional, dialect=dialect)

    assert refused.value.details == {
        "dialect": "no-unions",
        "keyword": "anyOf",
        "path": "properties/note",
    }


def test_e16_anything_is_refused_however_well_documented() -> None:
    def e16_any(
        thing: Annotated[Any, Field(description="Anything you like.")],  # noqa: ANN401 - the case
    ) -> None: ...
    def e16_inner(loose: Loose) -> None: ...

    assert refusal(e16_any).parameter == "thing"
    assert refusal(e16_inner).parameter == "inner"
    with pytest.raises(SchemaGenerationError) as refused:
        schema_for(Loose)
    assert (refused.value.field, refused.value.annotation) == ("inner", "Any")


def test_e17_a_schema_over_the_limit_is_refused_with_both_sizes() -> None:
    with pytest.raises(SchemaGenerationError, match=r"has \d{3} bytes, and 200 are allowed"):
        schema_for(Leg, max_bytes=200)

    assert schema_for(Leg, max_bytes=2_000) == schema_for(Leg)


def test_e18_a_value_has_no_schema() -> None:
    with pytest.raises(SchemaGenerationError, match="neither a type nor callable"):
        schema_for(3)


def test_e19_a_name_has_one_live_tool() -> None:
    def make(answer: int) -> Callable[[], int]:
        def e19_answer() -> int:
            return answer

        return e19_answer

    first = tool(make(1))

    with pytest.raises(ToolDefinitionError, match=r"e19_answer.*make\.<locals>"):
        tool(make(2))
    assert first.name == "e19_answer"
    assert first.function() == 1


def test_e20_a_released_name_is_free() -> None:
    first = tool(name="e20_name")(_one)
    first.release()
    first.release()

    assert tool(name="e20_name")(_two).name == "e20_name"


def test_e21_a_collected_tool_gives_its_name_back() -> None:
    first: Tool[[], int] | None = tool(name="e21_name")(_one)
    assert first is not None
    first = None
    gc.collect()

    assert tool(name="e21_name")(_two).name == "e21_name"


def test_a_predecessor_that_only_a_cycle_keeps_alive_holds_no_name() -> None:
    first = tool(name="e21_cycle")(_one)
    ring: list[object] = [first]
    ring.append(ring)
    del first, ring

    assert tool(name="e21_cycle")(_two).name == "e21_cycle"


def test_e22_the_same_function_may_be_decorated_again() -> None:
    first, second = tool(_one), tool(_one)

    assert first.name == second.name
    first.release()  # the newer claim stays
    with pytest.raises(ToolDefinitionError):
        tool(name="_one")(_two)


def test_e23_releasing_a_name_that_a_newer_tool_holds_does_nothing() -> None:
    old = tool(name="e23_name")(_one)
    new = tool(name="e23_name")(_one)
    old.release()

    assert refusal(_two, name="e23_name").tool == "e23_name"
    assert new.name == "e23_name"


def _one() -> int:
    return 1


def _two() -> int:
    return 2


def test_endpoints_of_cards_claim_no_name() -> None:
    first, second = Tool.from_function(_one), Tool.from_function(_one, name="_two")

    assert tool(_two).name == second.name
    assert first.name == "_one"


def test_generators_and_values_are_no_tools() -> None:
    def e_several() -> Iterator[int]:
        yield 1

    async def e_later() -> AsyncIterator[int]:
        yield 1

    assert "generator" in str(refusal(e_several))
    assert "generator" in str(refusal(e_later))
    assert refusal(cast("Any", 3)).tool == ""


def test_a_map_of_anything_has_to_be_declared() -> None:
    @tool
    def e_declared(extra: JsonObject, more: JsonObject | None = None) -> JsonObject:
        return extra | (more or {})

    schema = properties(e_declared.parameters_schema)["extra"]
    assert schema == {"additionalProperties": {}, "type": "object"}
    for annotation in (
        dict,
        list,
        dict[str, Any],
        list[Any],
        tuple[object, ...],
        Any | None,
        dict[str, list[Any]],
        Annotated[list[dict[str, object]], "x"],
    ):

        def e_open(extra: int) -> None: ...

        e_open.__annotations__["extra"] = annotation
        assert refusal(e_open).parameter == "extra"


async def test_the_typed_path_keeps_the_signature_and_checks_nothing() -> None:
    @tool
    async def e_later(nights: int) -> int:
        return nights * 2

    @tool
    def e_now(nights: int = 1) -> str:
        return f"{nights}"

    later: int = await e_later(nights=2)
    now: str = await e_now(3)

    assert (later, now) == (4, "3")
    assert await e_now(cast("int", "x")) == "x"
