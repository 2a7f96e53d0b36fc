"""Spans of calls in OpenTelemetry, with the real SDK."""

import asyncio
import sys

import pytest

from cardwright.core import RetriableError, ToolPolicy, policy
from cardwright.tools import (
    Tool,
    ToolArgumentValidationError,
    ToolRegistry,
    ToolTimedOutError,
)
from cardwright.tools.otel import export_spans

pytest.importorskip("opentelemetry.sdk")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode


async def send(text: str) -> str:
    if text == "again":
        raise RetriableError("hunter2", failure="taken")
    return f"sent {text}"


@policy(ToolPolicy(timeout=0.01))
async def hang(text: str) -> None:
    await asyncio.Event().wait()


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def provider(exporter: InMemorySpanExporter) -> TracerProvider:
    found = TracerProvider()
    found.add_span_processor(SimpleSpanProcessor(exporter))
    return found


def facts(span: ReadableSpan) -> dict[str, object]:
    return dict(span.attributes or {})


async def test_calls_are_exported_beneath_the_current_span_without_payload(
    provider: TracerProvider, exporter: InMemorySpanExporter
) -> None:
    registry = ToolRegistry([Tool.from_function(send), Tool.from_function(hang)])
    export_spans(registry, provider)
    with provider.get_tracer("test").start_as_current_span("run") as run:
        await registry.invoke("send", {"text": "hunter2"}, agent="@Alice")
        with pytest.raises(RetriableError):
            await registry.invoke("send", {"text": "again"})
        with pytest.raises(ToolArgumentValidationError):
            await registry.invoke("send", {"texts": "hunter2"})
        with pytest.raises(ToolTimedOutError):
            await registry.invoke("hang", {"text": "hunter2"})

    ok, declined, refused, late, _ = exporter.get_finished_spans()
    assert facts(ok) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "send",
        "gen_ai.agent.name": "@Alice",
        "cardwright.tool.outcome": "ok",
        "cardwright.tool.permitted": True,
        "cardwright.tool.abandoned": False,
        "cardwright.tool.queue_seconds": 0.0,
    }
    assert ok.name == "execute_tool send"
    assert ok.parent is not None
    assert ok.parent.span_id == run.get_span_context().span_id
    assert facts(declined)["cardwright.tool.code"] == "taken"
    assert declined.status.status_code is StatusCode.UNSET
    assert refused.status.status_code is late.status.status_code is StatusCode.ERROR
    assert facts(late)["error.type"] == "ToolTimedOutError"
    assert late.start_time is not None
    assert late.end_time is not None
    assert late.end_time - late.start_time >= 10_000_000
    assert "hunter2" not in "".join(span.to_json() for span in exporter.get_finished_spans())


def test_without_opentelemetry_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry", None)

    with pytest.raises(ImportError, match=r"cardwright\[telemetry\]"):
        export_spans(ToolRegistry())
