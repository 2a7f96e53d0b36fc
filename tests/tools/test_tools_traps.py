"""The eighteen traps of the contract, one by one; those not here are named where they are tested.

1 `Any` at depth, 12 odd parameter names, 16 defaults: tests of the decorator and of definitions.
15 order of views: test_e51. 17 context through the registry: test_e42.
"""

import asyncio
import gc
import math
import threading
from collections.abc import Callable
from typing import Annotated

import pytest
from pydantic import AfterValidator

from cardwright.core import CallContext, current_call
from cardwright.tools import (
    AnyTool,
    ArgumentPolicy,
    Call,
    ConcurrencyConfig,
    Tool,
    ToolArgumentValidationError,
    ToolContext,
    ToolDefinitionError,
    ToolRegistry,
    ToolTimedOutError,
    WorkerPool,
    WorkersBusyError,
    tool,
)

from .tools_support import FakeClock, endpoint, recorded, settled

type Context = ToolContext
type Both[T] = T | ToolContext | None


def test_trap_02_the_context_is_found_behind_aliases_and_annotations() -> None:
    def aliased(ctx: Context) -> None: ...
    def annotated(ctx: Annotated[ToolContext, "of the run"]) -> None: ...
    def both(ctx: "Annotated[Context | None, 1]" = None) -> None: ...

    for function in (aliased, annotated, both):
        found = Tool.from_function(function)
        assert found.context_parameter == "ctx"
        assert found.parameters_schema["properties"] == {}


def test_trap_02_a_union_of_the_context_with_what_a_model_sends_is_refused() -> None:
    def chosen(ctx: ToolContext | str) -> None: ...
    def generic(ctx: Both[int] = None) -> None: ...
    def hidden(ctx: list[ToolContext]) -> None: ...

    for function in (chosen, generic, hidden):
        with pytest.raises(ToolDefinitionError) as refused:
            Tool.from_function(function)
        assert refused.value.parameter == "ctx"


class Held:
    """A body on a thread that goes on until it is let go."""

    def __init__(self) -> None:
        self.release, self.entered, self.ended = (threading.Event() for _ in range(3))
        self.call: CallContext | None = None

    def __call__(self) -> str:
        self.entered.set()
        self.release.wait(10)
        self.call = current_call()
        self.ended.set()
        return "late"


async def until(event: threading.Event) -> None:
    """Wait for a thread without holding the loop."""
    assert await asyncio.to_thread(event.wait, 10)


async def test_trap_03_a_thread_that_outlives_its_ceiling_keeps_its_lane_and_worker() -> None:
    held, entered = Held(), list[str]()
    pool = WorkerPool(1, queue_seconds=10.0)

    def stubborn() -> str:
        return held()

    def other() -> None:
        entered.append("other")

    registry = ToolRegistry(
        [endpoint(stubborn, timeout=0.3, parallel_safe=False), endpoint(other)], workers=pool
    )
    spans = recorded(registry)
    with pytest.raises(ToolTimedOutError):
        await registry.invoke("stubborn", {})
    assert (spans[0].outcome, spans[0].abandoned) == ("timed_out", True)

    again = asyncio.ensure_future(registry.invoke("stubborn", {}))
    third = asyncio.ensure_future(registry.invoke("other", {}))
    await asyncio.sleep(0.03)
    assert not entered
    assert not again.done()  # its ceiling does not run while it queues
    held.release.set()
    assert await again == "late"
    await third

    assert held.call is not None
    assert not held.call.expired  # the second call was in time
    assert spans[1].queue_seconds > 0


async def test_trap_03_a_late_thread_finds_its_deadline_passed() -> None:
    held = Held()

    def stubborn() -> str:
        return held()

    registry = ToolRegistry([endpoint(stubborn, timeout=0.02)])
    with pytest.raises(ToolTimedOutError):
        await registry.invoke("stubborn", {}, call=Call(CallContext("run-1", "call-1")))
    held.release.set()
    await until(held.ended)

    assert held.call is not None
    assert held.call.expired
    assert (held.call.run_id, held.call.tool_call_id) == ("run-1", "call-1")


async def test_trap_04_an_abandoned_asynchronous_body_keeps_its_lane() -> None:
    clock, released, entered = FakeClock(), asyncio.Event(), list[int]()

    async def deaf(number: int) -> None:
        entered.append(number)
        while not released.is_set():
            try:
                await released.wait()
            except asyncio.CancelledError:
                continue

    registry = ToolRegistry(
        [endpoint(deaf, timeout=1.0, parallel_safe=False)], clock=clock, abandon_after=1.0
    )
    first = asyncio.ensure_future(registry.invoke("deaf", {"number": 1}))
    second = asyncio.ensure_future(registry.invoke("deaf", {"number": 2}))
    await clock.advance(2.0)
    assert first.done()
    assert entered == [1]
    released.set()
    await second

    assert entered == [1, 2]
    with pytest.raises(ToolTimedOutError):
        first.result()


async def test_trap_05_outer_cancellation_stops_the_body_and_is_one_span() -> None:
    seen: list[str] = []

    async def obedient() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            seen.append("stopped")

    registry = ToolRegistry([endpoint(obedient, parallel_safe=False)])
    spans = recorded(registry)
    for ceiling in (None, 30.0):
        limited = ToolRegistry([registry.resolve("obedient")], timeouts={"obedient": ceiling})
        limited.observe(spans.append)
        call = asyncio.ensure_future(limited.invoke("obedient", {}))
        await settled()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    assert seen == ["stopped", "stopped"]
    assert [(s.outcome, s.failure, s.abandoned) for s in spans] == [
        ("cancelled", "CancelledError", False)
    ] * 2


async def test_trap_05_a_call_cancelled_in_the_queue_is_one_span_and_takes_nothing() -> None:
    released = asyncio.Event()

    async def hold() -> None:
        await released.wait()

    registry = ToolRegistry([endpoint(hold, parallel_safe=False)])
    spans = recorded(registry)
    first = asyncio.ensure_future(registry.invoke("hold", {}))
    queued = asyncio.ensure_future(registry.invoke("hold", {}))
    third = asyncio.ensure_future(registry.invoke("hold", {}))
    await settled()
    queued.cancel()
    await settled()
    assert [s.outcome for s in spans] == ["cancelled"]
    released.set()
    await asyncio.gather(first, third)

    assert [s.outcome for s in spans] == ["cancelled", "ok", "ok"]


async def test_trap_05_a_cancelled_thread_is_reported_abandoned() -> None:
    held = Held()

    def stubborn() -> str:
        return held()

    registry = ToolRegistry([endpoint(stubborn)])
    spans = recorded(registry)
    call = asyncio.ensure_future(registry.invoke("stubborn", {}))
    await until(held.entered)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    held.release.set()

    assert [(s.outcome, s.abandoned) for s in spans] == [("cancelled", True)]


async def test_trap_06_what_a_body_raises_during_grace_is_consumed() -> None:
    reported: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: reported.append(what))
    clock = FakeClock()

    async def sore() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            message = "sore"
            raise LookupError(message) from None

    registry = ToolRegistry([endpoint(sore, timeout=1.0)], clock=clock)
    call = asyncio.ensure_future(registry.invoke("sore", {}))
    await clock.advance(1.0)
    with pytest.raises(ToolTimedOutError):
        await call
    del call
    gc.collect()
    await settled()

    assert reported == []


async def test_trap_07_calls_that_queue_for_a_slow_tool_block_no_others() -> None:
    released = asyncio.Event()

    async def slow() -> None:
        await released.wait()

    async def quick() -> str:
        return "done"

    registry = ToolRegistry(
        [endpoint(slow, parallel_safe=False), endpoint(quick)],
        concurrency=ConcurrencyConfig(max_concurrent_tools=2),
    )
    queued = [asyncio.ensure_future(registry.invoke("slow", {})) for _ in range(8)]
    await settled()

    assert await asyncio.wait_for(registry.invoke("quick", {}), 1) == "done"
    released.set()
    await asyncio.gather(*queued)


async def test_trap_08_registering_leaves_calls_in_their_lanes() -> None:
    released, inside = asyncio.Event(), list[str]()

    async def one() -> None:
        inside.append("one")
        await released.wait()

    async def two() -> None:
        inside.append("two")

    registry = ToolRegistry([endpoint(one)], concurrency=ConcurrencyConfig(max_concurrent_tools=1))
    first = asyncio.ensure_future(registry.invoke("one", {}))
    await settled()
    registry.register(endpoint(two, parallel_safe=False))
    second = asyncio.ensure_future(registry.invoke("two", {}))
    await settled()
    assert inside == ["one"]
    released.set()
    await asyncio.gather(first, second)

    assert inside == ["one", "two"]


async def test_trap_09_the_queue_is_timed_apart_and_bounded() -> None:
    clock = FakeClock()

    async def work() -> None:
        await clock.sleep(2.0)

    registry = ToolRegistry(
        [endpoint(work, timeout=3.0, parallel_safe=False)],
        clock=clock,
        concurrency=ConcurrencyConfig(queue_seconds=3.0),
    )
    spans = recorded(registry)
    calls = [asyncio.ensure_future(registry.invoke("work", {})) for _ in range(3)]
    await clock.advance(4.0)

    assert [call.done() for call in calls] == [True, True, True]
    with pytest.raises(WorkersBusyError, match="busy for 3 s"):
        calls[2].result()
    figures = [(s.outcome, s.queue_seconds, s.duration_seconds) for s in spans]
    assert figures == [("ok", 0.0, 2.0), ("error", 3.0, 3.0), ("ok", 2.0, 4.0)]


def test_trap_10_the_ceiling_of_text_is_in_bytes() -> None:
    def note(text: str) -> str:
        return text

    validator = Tool.from_function(note, arguments=ArgumentPolicy(max_bytes=20)).validator

    assert validator.arguments('{"text": "éééé"}') == {"text": "éééé"}
    with pytest.raises(ToolArgumentValidationError, match="22 bytes"):
        validator.arguments('{"text": "ééééé"}')


def test_trap_11_two_closures_of_one_factory_are_two_tools() -> None:
    def make() -> Callable[[], None]:
        def trap_11() -> None: ...

        return trap_11

    kept = tool(make())
    with pytest.raises(ToolDefinitionError, match="trap_11"):
        tool(make())
    assert kept.name == "trap_11"


def test_trap_11_one_of_many_threads_gets_a_name() -> None:
    def make() -> Callable[[], None]:
        def trap_11_raced() -> None: ...

        return trap_11_raced

    made: list[AnyTool] = []
    refused: list[ToolDefinitionError] = []

    def claim() -> None:
        try:
            made.append(tool(make()))
        except ToolDefinitionError as error:
            refused.append(error)

    threads = [threading.Thread(target=claim) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (len(made), len(refused)) == (1, 7)


def test_trap_13_what_json_does_not_know_is_refused_on_raw_text() -> None:
    def rate(ratio: float) -> float:
        return ratio

    validator = Tool.from_function(rate).validator
    for text in ('{"ratio": NaN}', '{"ratio": 1, "ratio": 2}', '{"ratio": 1e400}'):
        with pytest.raises(ToolArgumentValidationError):
            validator.arguments(text)
    with pytest.raises(ToolArgumentValidationError):
        validator.arguments({"ratio": math.inf})


def test_trap_14_a_validator_of_ones_own_cannot_leak_what_it_saw() -> None:
    def check(value: str) -> str:
        message = f"{value} is wrong"
        raise ValueError(message)

    def send(to: Annotated[str, AfterValidator(check)]) -> None: ...

    with pytest.raises(ToolArgumentValidationError) as refused:
        Tool.from_function(send).validator.arguments({"to": "hunter2", "x" * 900: 1})

    told = str(refused.value) + repr(refused.value.problems) + refused.value.feedback()
    assert "hunter2" not in told
    assert max(map(len, refused.value.paths)) == 64


async def test_trap_18_an_object_with_an_asynchronous_call_is_asynchronous() -> None:
    class Fetch:
        async def __call__(self, url: str) -> str:
            return f"{url} on {threading.current_thread().name}"

    found = tool(name="trap_18")(Fetch())

    assert found.is_async
    assert await found.invoke({"url": "x"}) == f"x on {threading.current_thread().name}"


async def test_a_synchronous_body_may_return_something_to_await() -> None:
    async def later() -> str:
        return threading.current_thread().name

    def start() -> object:
        return later()

    made = Tool.from_function(start)
    registry = ToolRegistry([made])

    assert await made.invoke({}) == threading.current_thread().name
    assert await registry.invoke("start", {}) == threading.current_thread().name


async def test_a_body_may_raise_stop_iteration() -> None:
    def stop() -> None:
        raise StopIteration

    with pytest.raises(RuntimeError, match="StopIteration"):
        await Tool.from_function(stop).invoke({})
