"""Rare shapes of annotations and rare ends of calls."""

import asyncio
import threading
import typing
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from ipaddress import IPv4Network
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, NewType, NotRequired, TypedDict, cast
from uuid import UUID

import pytest
from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from cardwright.core import Data
from cardwright.tools import (
    ArgumentPolicy,
    ConfigurationError,
    SchemaGenerationError,
    Tool,
    ToolArgumentValidationError,
    ToolArgumentValidator,
    ToolDefinitionError,
    ToolRegistry,
    schema_for,
)
from cardwright.tools.annotations import resolved, structures, untyped_field
from cardwright.tools.claims import Claims
from cardwright.tools.lanes import Holding, Lane

from .tools_support import FakeClock, endpoint, recorded, settled

Town = NewType("Town", str)
type Several[T] = list[T]
type Nested = Several[Several[int]]


class Place(NamedTuple):
    town: Town
    extra: Several[Any]


class Form(TypedDict):
    place: NotRequired[Place]


class Opaque:
    """Tells pydantic that it may be anything."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.any_schema()


def test_annotations_are_seen_through() -> None:
    assert resolved(Annotated[Town, 1]) is str
    assert resolved(Nested) == list[Several[int]]
    assert list(structures(Form | Nested)) == [Form, Place]
    assert untyped_field("form", Form) == ("extra", "Any")
    assert untyped_field("nested", dict[Town, Nested]) is None
    assert untyped_field("empty", tuple[()]) is None


@dataclass
class Counted:
    """A dataclass with a variable of the class, which is no field."""

    known: ClassVar[dict[str, Any]] = {}
    towns: deque[str]


@pytest.mark.parametrize(
    "annotation",
    [list, dict, set, tuple, deque, OrderedDict, Sequence, Iterable, typing.List, typing.Dict],  # noqa: UP006 - the cases
)
def test_containers_of_anything_are_seen(annotation: object) -> None:
    assert untyped_field("x", annotation) is not None
    assert untyped_field("x", annotation | None) is not None  # type: ignore[operator]  # the case


@pytest.mark.parametrize(
    "annotation",
    [str, bytes, Path, UUID, IPv4Network, Decimal, datetime, Counted, deque[int], Sequence[str]],
)
def test_what_is_no_container_of_anything_is_left_alone(annotation: object) -> None:
    assert untyped_field("x", annotation) is None


def test_a_type_variable_is_what_bounds_it() -> None:
    def free[T](value: T) -> T:
        return value

    def bound[T: int](value: T) -> T:
        return value

    def one_of[T: (int, str)](value: T) -> T:
        return value

    with pytest.raises(ToolDefinitionError) as refused:
        Tool.from_function(free)
    assert refused.value.parameter == "value"
    for function in (bound, one_of):
        assert Tool.from_function(function).validator.arguments({"value": 1}) == {"value": 1}


def test_a_type_that_hides_that_it_is_anything_is_refused() -> None:
    def hidden(value: Opaque) -> None: ...

    with pytest.raises(ToolDefinitionError, match="may be anything") as refused:
        Tool.from_function(hidden)
    assert refused.value.parameter == "value"


def test_schema_for_names_what_it_cannot_describe() -> None:
    class Plain:
        pass

    def takes(plain: Plain) -> None: ...
    def extras(**more: int) -> None: ...

    with pytest.raises(SchemaGenerationError, match="Plain"):
        schema_for(Plain)
    for function, field in ((takes, "plain"), (extras, "more")):
        with pytest.raises(SchemaGenerationError) as refused:
            schema_for(function)
        assert refused.value.field == field
    assert schema_for(list[int]) == {"items": {"type": "integer"}, "type": "array"}


def test_a_ceiling_without_room_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        ArgumentPolicy(max_bytes=1)


class Later:
    """Something to await that is no coroutine."""

    def __await__(self) -> Generator[None, None, str]:
        yield
        return "awaited"


async def test_a_body_marked_asynchronous_may_return_anything_to_await() -> None:
    class Fetch:
        async def __call__(self) -> str:
            return await Later()

    def later() -> Awaitable[str]:
        return Later()

    for made in (Tool.from_function(Fetch(), name="later"), Tool.from_function(later)):
        assert await ToolRegistry([made]).invoke("later", {}) == "awaited"


async def deaf(released: asyncio.Event) -> None:
    while not released.is_set():
        try:
            await released.wait()
        except asyncio.CancelledError:
            continue


async def test_insisting_on_cancellation_leaves_a_deaf_body_behind() -> None:
    released = asyncio.Event()

    async def stubborn() -> None:
        await deaf(released)

    registry = ToolRegistry([endpoint(stubborn)], clock=FakeClock())
    spans = recorded(registry)
    call = asyncio.ensure_future(registry.invoke("stubborn", {}))
    for _ in range(10):
        await settled()
        call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    released.set()

    assert [(span.outcome, span.abandoned) for span in spans] == [("cancelled", True)]


def test_a_call_that_queued_on_a_closed_loop_is_passed_over() -> None:
    lane = Lane(1)
    loop = asyncio.new_event_loop()

    async def hold() -> Holding:
        holding = Holding()
        assert lane.enter(holding)
        return holding

    async def wait() -> None:
        await lane.wait(Holding(), asyncio.get_running_loop().create_future())

    kept = loop.run_until_complete(hold())
    other = asyncio.new_event_loop()
    task = other.create_task(wait())
    other.run_until_complete(asyncio.sleep(0))
    other.close()
    kept.release()

    assert loop.run_until_complete(hold()) is not kept
    loop.close()
    cast("Any", task.get_coro()).close()


async def test_a_thread_that_ends_after_its_loop_frees_its_lane() -> None:
    release, ended = threading.Event(), threading.Event()

    def hold() -> None:
        release.wait(10)
        ended.set()

    registry = ToolRegistry([endpoint(hold, parallel_safe=False)])

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(registry.invoke("hold", {}), 0.02)

    await asyncio.to_thread(asyncio.run, give_up())
    release.set()
    assert await asyncio.to_thread(ended.wait, 10)
    await asyncio.wait_for(registry.invoke("hold", {}), 10)


def test_old_claims_are_forgotten() -> None:
    claims = Claims()
    for number in range(300):
        key = ("run", str(number), "send", "digest")
        assert claims.begin(key, "send") is None
        claims.succeed(key, number)

    assert claims.begin(("run", "0", "send", "digest"), "send") is None
    found = claims.begin(("run", "299", "send", "digest"), "send")
    assert found is not None
    assert found.result == 299


def test_a_view_resolves_what_it_holds() -> None:
    def look() -> None: ...

    made = endpoint(look)
    function: Callable[..., object] = (
        ToolRegistry([made]).view(allow=["look"]).resolve("look").function
    )

    assert function is look


class Stamp(Data):
    """When it was."""

    day: date


class Labelled(Data):
    """Fields named as the parts of a schema are."""

    type: Stamp
    metadata: Stamp
    schema_: Annotated[Stamp, Field(alias="schema")]
    fields: list[Stamp] = []


def test_fields_may_be_named_as_parts_of_a_schema_are() -> None:
    def label(type: str, metadata: Stamp, labelled: Labelled) -> str:  # noqa: A002 - the point
        return f"{type} {metadata.day} {labelled.metadata.day} {labelled.type.day}"

    day = {"day": "2026-01-02"}
    validator = ToolArgumentValidator(label)
    found = validator.arguments(
        {
            "type": "x",
            "metadata": day,
            "labelled": {"type": day, "metadata": day, "schema": day, "fields": [day]},
        }
    )
    assert label(**found) == "x 2026-01-02 2026-01-02 2026-01-02"
    marked = {"day": "2026-01-02", "__model__": f"{Stamp.__module__}.Stamp"}
    with pytest.raises(ToolArgumentValidationError, match="__model__"):
        validator.arguments(
            {
                "type": "x",
                "metadata": marked,
                "labelled": {"type": day, "metadata": day, "schema": day},
            }
        )
