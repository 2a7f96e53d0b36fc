"""Context (41-44), registry, views, ceilings, lanes and spans (45-61)."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import FrozenInstanceError
from typing import Unpack

import pytest

from cardwright.core import CallContext, RetriableError
from cardwright.tools import (
    AnyTool,
    Call,
    CancellationToken,
    CancelledError,
    ConcurrencyConfig,
    ConfigurationError,
    Tool,
    ToolArgumentValidationError,
    ToolCallSpan,
    ToolContext,
    ToolDefinitionError,
    ToolExecutionError,
    ToolNotFoundError,
    ToolNotPermittedError,
    ToolRegistry,
    ToolTimedOutError,
    WorkerPool,
)

from .tools_support import Declared, FakeClock, endpoint, recorded, settled

ACME = ToolContext("run-1", "acme")


def tenant_of(ctx: ToolContext) -> str:
    return ctx.tenant


async def tenant_or_none(ctx: ToolContext | None = None) -> str | None:
    return None if ctx is None else ctx.tenant


@pytest.mark.parametrize("function", [tenant_of, tenant_or_none])
async def test_e41_a_model_cannot_choose_the_context(function: Callable[..., object]) -> None:
    tool = Tool.from_function(function)

    with pytest.raises(ToolArgumentValidationError) as refused:
        await tool.invoke({"ctx": {"tenant": "other", "run_id": "r"}}, ACME)

    assert refused.value.paths == ("ctx",)
    assert tool.parameters_schema["properties"] == {}


async def test_e42_explicit_beats_ambient() -> None:
    tool = Tool.from_function(tenant_of)
    registry = ToolRegistry([tool])

    with ACME.bound():
        assert await tool.invoke({}) == "acme"
        assert await registry.invoke("tenant_of", {}) == "acme"
        assert await tool.invoke({}, ToolContext("r", "other")) == "other"
        other = Call(context=ToolContext("r", "other"))
        assert await registry.view(allow=["tenant_of"]).invoke("tenant_of", {}, call=other) == (
            "other"
        )
    assert ToolContext.current() is None


async def test_e43_a_required_context_is_never_guessed() -> None:
    with pytest.raises(ToolExecutionError) as refused:
        await Tool.from_function(tenant_of).invoke({})

    assert refused.value.details == {"tool": "tenant_of", "parameter": "ctx"}
    assert await Tool.from_function(tenant_or_none).invoke({}) is None


def test_e44_a_cancelled_run_stops_a_body_that_asks() -> None:
    token = CancellationToken()
    context = ToolContext("run-1", "acme", cancellation=token)
    context.raise_if_cancelled()
    ACME.raise_if_cancelled()
    token.cancel("the user left")
    token.cancel("again")

    with pytest.raises(CancelledError, match="the user left") as cancelled:
        context.raise_if_cancelled()
    assert (cancelled.value.run_id, cancelled.value.tenant) == ("run-1", "acme")


def where() -> str:
    return threading.current_thread().name


async def test_e45_a_synchronous_body_runs_off_the_loop() -> None:
    tool = Tool.from_function(where)
    main = threading.current_thread().name

    with WorkerPool(1) as pool:
        assert (await tool.invoke({})) == "cardwright-tool:where" != main
        assert (await tool.invoke({}, workers=pool)) == "cardwright-worker:where"
        registry = ToolRegistry([tool], workers=pool)
        assert (await registry.invoke("where", {})) == "cardwright-worker:where"


async def fail() -> None:
    message = "a secret"
    raise LookupError(message)


async def test_e46_what_a_body_raises_comes_out_unchanged() -> None:
    registry = ToolRegistry([Tool.from_function(fail)])
    spans = recorded(registry)

    with pytest.raises(LookupError, match="a secret"):
        await registry.invoke("fail", {})

    (span,) = spans
    assert (span.outcome, span.failure, span.code) == ("error", "LookupError", "")
    assert "secret" not in repr(span)


async def test_e47_an_unknown_name() -> None:
    registry = ToolRegistry([Tool.from_function(where)])
    spans = recorded(registry)

    with pytest.raises(ToolNotFoundError, match="did you mean 'where'") as absent:
        await registry.invoke("were", {})

    assert absent.value.known == ("where",)
    assert spans == [ToolCallSpan("were", outcome="not_found", failure="ToolNotFoundError")]


async def test_e48_e49_what_is_outside_a_view_is_not_permitted() -> None:
    entered: list[str] = []
    registry = ToolRegistry(
        [endpoint(lambda_named("a", entered)), endpoint(lambda_named("b", entered))]
    )
    spans = recorded(registry)
    planner = registry.view(allow=["a"], agent="planner")
    desk = registry.view(allow=["b"], agent="desk")

    with pytest.raises(ToolNotPermittedError) as refused:
        await planner.invoke("b", {})
    with pytest.raises(ToolNotPermittedError):
        planner.resolve("b")
    await desk.invoke("b", {})

    assert (refused.value.tool, refused.value.agent, refused.value.permitted) == (
        "b",
        "planner",
        ("a",),
    )
    assert entered == ["b"]
    assert spans[0] == ToolCallSpan(
        "b", "planner", permitted=False, outcome="refused", failure="ToolNotPermittedError"
    )
    assert (spans[1].agent, spans[1].outcome) == ("desk", "ok")


def lambda_named(name: str, entered: list[str]) -> Callable[[], Awaitable[None]]:
    async def body() -> None:
        entered.append(name)

    body.__name__ = name
    return body


def test_e50_an_allowlist_is_resolved_when_the_view_is_made() -> None:
    registry = ToolRegistry([Tool.from_function(where)])

    with pytest.raises(ToolNotFoundError, match="wher"):
        registry.view(allow=["wher"])
    with pytest.raises(ConfigurationError, match="'planner'"):
        registry.view(allow=[], agent="planner")


def test_e51_a_view_is_frozen_and_in_the_order_of_registration() -> None:
    registry = ToolRegistry([Tool.from_function(where), Tool.from_function(fail)])
    view = registry.view(allow=("fail", "where", "fail"))
    registry.register(Tool.from_function(tenant_of))

    assert registry.view(allow=("fail", "fail")).names == ("fail",)
    assert view.names == ("where", "fail")
    assert [each.name for each in view.declarations()] == ["where", "fail"]
    with pytest.raises(FrozenInstanceError):
        view.names = ()  # type: ignore[misc]  # the case
    with pytest.raises(ToolNotPermittedError):
        view.resolve("tenant_of")


def test_e52_two_tools_of_one_name_and_one_tool_twice() -> None:
    tool = Tool.from_function(where)
    registry = ToolRegistry([tool, tool])
    registry.register(tool, origin="elsewhere")

    with pytest.raises(ToolDefinitionError, match=r"test_tools_dispatch\.where.*by my cards"):
        registry.register(Tool.from_function(where), origin="my cards")
    assert registry.names == ("where",)
    assert registry.declarations() is registry.declarations()
    assert registry.resolve("where") is tool


async def forever() -> None:
    await asyncio.Event().wait()


async def test_e53_the_ceiling_of_the_registry_wins() -> None:
    clock = FakeClock()
    registry = ToolRegistry(
        [endpoint(forever, timeout=30.0)], timeouts={"forever": 2.0}, clock=clock
    )
    spans = recorded(registry)
    call = asyncio.ensure_future(registry.invoke("forever", {}))

    await clock.advance(1.9)
    assert not call.done()
    await clock.advance(0.1)

    with pytest.raises(ToolTimedOutError) as late:
        await call
    assert (late.value.tool, late.value.seconds) == ("forever", 2.0)
    assert (spans[0].outcome, spans[0].duration_seconds) == ("timed_out", 2.0)
    assert registry.timeout_for("forever") == 2.0


def test_ceilings_of_the_registry_are_checked_and_can_say_none() -> None:
    tool = endpoint(forever, timeout=30.0)

    assert ToolRegistry([tool], timeouts={"forever": None}).timeout_for("forever") is None
    assert ToolRegistry([tool]).timeout_for("forever") == 30.0
    for wrong in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ConfigurationError, match="forever"):
            ToolRegistry([tool], timeouts={"forever": wrong})
    with pytest.raises(ConfigurationError, match="other"):
        ToolRegistry([tool], timeouts={"other": 1.0})
    with pytest.raises(ConfigurationError, match="abandon_after"):
        ToolRegistry([tool], abandon_after=-1.0)


async def test_e54_e59_durations_are_on_the_clock_of_the_registry() -> None:
    clock = FakeClock()

    async def nap() -> str:
        await clock.sleep(3.0)
        return "rested"

    registry = ToolRegistry([endpoint(nap, timeout=3.0)], clock=clock)
    spans = recorded(registry)
    call = asyncio.ensure_future(registry.invoke("nap", {}))
    await clock.advance(3.0)

    assert await call == "rested"  # in the same tick as its ceiling, which it wins
    assert spans == [ToolCallSpan("nap", duration_seconds=3.0)]


async def test_e55_a_body_that_obeys_is_not_abandoned() -> None:
    clock = FakeClock()
    seen: list[str] = []

    async def obedient() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    registry = ToolRegistry([endpoint(obedient, timeout=1.0)], clock=clock)
    spans = recorded(registry)
    call = asyncio.ensure_future(registry.invoke("obedient", {}))
    await clock.advance(1.0)

    with pytest.raises(ToolTimedOutError):
        await call
    assert seen == ["cancelled"]
    assert (spans[0].outcome, spans[0].abandoned) == ("timed_out", False)


async def stubborn_until(released: asyncio.Event) -> str:
    while not released.is_set():
        try:
            await released.wait()
        except asyncio.CancelledError:
            continue
    return "late"


async def test_e56_a_body_that_swallows_cancellation_is_abandoned() -> None:
    clock, released = FakeClock(), asyncio.Event()

    async def deaf() -> str:
        return await stubborn_until(released)

    registry = ToolRegistry([endpoint(deaf, timeout=1.0)], clock=clock, abandon_after=30.0)
    spans = recorded(registry)
    call = asyncio.ensure_future(registry.invoke("deaf", {}))
    await clock.advance(30.9)
    assert not call.done()
    await clock.advance(0.1)

    with pytest.raises(ToolTimedOutError):
        await call
    released.set()
    await settled()
    assert [(span.outcome, span.abandoned, span.duration_seconds) for span in spans] == [
        ("timed_out", True, 31.0)
    ]


async def test_a_result_during_grace_is_dropped_and_never_invented() -> None:
    clock, released = FakeClock(), asyncio.Event()

    async def slow() -> str:
        return await stubborn_until(released)

    registry = ToolRegistry([endpoint(slow, timeout=1.0)], clock=clock)
    spans = recorded(registry)
    call = asyncio.ensure_future(registry.invoke("slow", {}))
    await clock.advance(2.0)
    released.set()

    with pytest.raises(ToolTimedOutError):
        await call
    assert (spans[0].outcome, spans[0].abandoned) == ("timed_out", False)


class Peak:
    """How many bodies ran at once."""

    def __init__(self) -> None:
        self.now = self.most = self.calls = 0

    async def body(self) -> None:
        self.calls += 1
        self.now += 1
        self.most = max(self.most, self.now)
        for _ in range(3):
            await asyncio.sleep(0)
        self.now -= 1


def peaking(peak: Peak, name: str, **declared: Unpack[Declared]) -> AnyTool:
    async def body() -> None:
        await peak.body()

    body.__name__ = name
    return endpoint(body, **declared)


async def peak_of(config: ConcurrencyConfig, **declared: Unpack[Declared]) -> int:
    peak = Peak()
    registry = ToolRegistry([peaking(peak, "work", **declared)], concurrency=config)
    await asyncio.gather(*(registry.invoke("work", {}) for _ in range(6)))
    assert peak.calls == 6
    return peak.most


async def test_e57_widths() -> None:
    assert await peak_of(ConcurrencyConfig(max_concurrent_tools=2)) == 2
    assert await peak_of(ConcurrencyConfig(per_tool={"work": 1})) == 1
    assert await peak_of(ConcurrencyConfig(per_tool={"work": 5}), parallel_safe=False) == 1
    assert await peak_of(ConcurrencyConfig()) == 6
    serial = ToolRegistry([peaking(Peak(), "work", parallel_safe=False)])
    assert serial.declarations()[0].parallel_safe is False


def test_e58_one_registry_in_two_event_loops() -> None:
    peak = Peak()
    registry = ToolRegistry(
        [peaking(peak, "work")], concurrency=ConcurrencyConfig(max_concurrent_tools=2)
    )

    async def six() -> None:
        await asyncio.gather(*(registry.invoke("work", {}) for _ in range(6)))

    asyncio.run(six())
    asyncio.run(six())

    assert (peak.most, peak.calls) == (2, 12)


async def test_e60_a_broken_observer_disturbs_nobody(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: ToolCallSpan) -> None:
        message = "a secret"
        raise RuntimeError(message)

    registry = ToolRegistry([Tool.from_function(where)])
    registry.observe(broken)
    spans = recorded(registry)

    assert await registry.invoke("where", {})
    assert len(spans) == 1
    assert "RuntimeError" in caplog.text
    assert "secret" not in caplog.text


async def test_e61_a_refused_call_is_one_span_whatever_the_tool_declares() -> None:
    registry = ToolRegistry([endpoint(where, idempotency="idempotent"), Tool.from_function(fail)])
    spans = recorded(registry)
    view = registry.view(allow=["fail"])

    with pytest.raises(ToolNotPermittedError):
        await view.invoke("where", {})

    assert len(spans) == 1


async def test_refused_arguments_cost_no_lane_and_are_one_span() -> None:
    released = asyncio.Event()

    async def hold(number: int) -> int:
        await released.wait()
        return number

    registry = ToolRegistry([endpoint(hold, parallel_safe=False)])
    spans = recorded(registry)
    first = asyncio.ensure_future(registry.invoke("hold", {"number": 1}))
    await settled()

    with pytest.raises(ToolArgumentValidationError) as refused:
        await registry.invoke(
            "hold", {"number": "x"}, call=Call(CallContext(tool_call_id="call-7"))
        )

    assert refused.value.call_id == "call-7"
    assert [(s.outcome, s.failure) for s in spans] == [("error", "ToolArgumentValidationError")]
    released.set()
    assert await first == 1


async def test_a_tool_that_says_no_declines() -> None:
    async def choosy() -> None:
        raise RetriableError("choose another", failure="taken")

    registry = ToolRegistry([endpoint(choosy)])
    spans = recorded(registry)

    with pytest.raises(RetriableError):
        await registry.invoke("choosy", {})

    assert (spans[0].outcome, spans[0].code, spans[0].failure) == (
        "declined",
        "taken",
        "RetriableError",
    )
