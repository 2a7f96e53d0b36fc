"""Spans of tool calls for OpenTelemetry: who called what and how it ended, no payload."""

import time
from typing import TYPE_CHECKING, Final

from .registry import ToolRegistry
from .spans import ToolCallSpan

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer, TracerProvider

_INSTALL: Final = 'OpenTelemetry is not installed: pip install "cardwright[telemetry]"'
_SECOND: Final = 1_000_000_000
_FAILED: Final = frozenset({"error", "timed_out"})


def export_spans(registry: ToolRegistry, provider: "TracerProvider | None" = None) -> None:
    """Report every call of `registry` as a span, beneath the one that is current then.

    Args:
        registry: Whose calls.
        provider: Where spans go; the global provider when left out.

    Raises:
        ImportError: OpenTelemetry is not installed; the text says how to install it.
    """
    try:
        from opentelemetry import trace
    except ImportError as error:
        raise ImportError(_INSTALL, name="opentelemetry") from error
    tracer = trace.get_tracer("cardwright.tools", tracer_provider=provider)
    registry.observe(lambda span: _report(tracer, span))


def _report(tracer: "Tracer", span: ToolCallSpan) -> None:
    from opentelemetry.trace import SpanKind, StatusCode

    ended = time.time_ns()
    reported = tracer.start_span(
        f"execute_tool {span.tool}",
        kind=SpanKind.INTERNAL,
        start_time=ended - int(span.duration_seconds * _SECOND),
        attributes=_attributes(span),
    )
    if span.outcome in _FAILED:
        reported.set_status(StatusCode.ERROR, span.failure)
    reported.end(ended)


def _attributes(span: ToolCallSpan) -> dict[str, str | bool | float]:
    """Names of the semantic conventions where they have one, else ours."""
    found: dict[str, str | bool | float] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": span.tool,
        "gen_ai.agent.name": span.agent,
        "error.type": span.failure,
        "cardwright.tool.outcome": span.outcome,
        "cardwright.tool.code": span.code,
        "cardwright.tool.permitted": span.permitted,
        "cardwright.tool.abandoned": span.abandoned,
        "cardwright.tool.queue_seconds": span.queue_seconds,
    }
    return {name: value for name, value in found.items() if value != ""}
