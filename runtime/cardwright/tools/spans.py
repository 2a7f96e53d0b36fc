"""What is recorded about a call: who called what and how it ended, never what was said."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from cardwright.core import RetriableError

from .clock import Clock
from .errors import (
    ApprovalRequiredError,
    CancelledError,
    ToolNotFoundError,
    ToolNotPermittedError,
    ToolTimedOutError,
)
from .failures import ToolFailure, ToolRefusal

_logger = logging.getLogger(__name__)

type Outcome = Literal["ok", "refused", "not_found", "timed_out", "error", "declined", "cancelled"]
"""`refused`: not permitted or not approved. `declined`: the tool itself said no."""


@dataclass(frozen=True, slots=True)
class ToolCallSpan:
    """One call of one tool; exactly one is emitted for each, whatever happens to it."""

    tool: str
    agent: str = ""
    permitted: bool = True
    outcome: Outcome = "ok"
    duration_seconds: float = 0.0
    """From the call to its end, waiting for lanes included."""
    failure: str = ""
    """Class name of what was raised, never its message."""
    abandoned: bool = False
    """Whether a body was still running when its call ended."""
    queue_seconds: float = 0.0
    """Time spent waiting for lanes and workers."""
    code: str = ""
    """Id of a declared failure, or code of a `ToolFailure` or `ToolRefusal`."""


_OUTCOMES: Final[dict[type[Exception], Outcome]] = {
    ToolNotPermittedError: "refused",
    ApprovalRequiredError: "refused",
    ToolNotFoundError: "not_found",
    ToolTimedOutError: "timed_out",
    RetriableError: "declined",
    ToolRefusal: "declined",
    CancelledError: "cancelled",
}

type SpanObserver = Callable[[ToolCallSpan], object]


@dataclass(slots=True)
class CallRecord:
    """A call under way, out of which its span is made."""

    tool: str
    agent: str
    started: float
    queue_seconds: float = 0.0
    abandoned: bool = False
    error: BaseException | None = None

    def span(self, ended: float) -> ToolCallSpan:
        """The span of the call, which is over.

        Args:
            ended: The clock's time.
        """
        if self.error is None:
            return ToolCallSpan(
                self.tool,
                self.agent,
                duration_seconds=ended - self.started,
                queue_seconds=self.queue_seconds,
            )
        outcome = _outcome_of(self.error)
        unserved = outcome in ("refused", "not_found")
        return ToolCallSpan(
            tool=self.tool,
            agent=self.agent,
            permitted=not isinstance(self.error, ToolNotPermittedError),
            outcome=outcome,
            duration_seconds=0.0 if unserved else ended - self.started,
            failure=type(self.error).__name__,
            abandoned=self.abandoned,
            queue_seconds=self.queue_seconds,
            code=_code_of(self.error),
        )


class Observers:
    """Everyone who gets every span; one that fails disturbs neither the call nor the others."""

    def __init__(self) -> None:
        self._observers: tuple[SpanObserver, ...] = ()

    def add(self, observer: SpanObserver) -> None:
        """Let `observer` have every span from now on."""
        self._observers = (*self._observers, observer)

    def tell(self, record: CallRecord, clock: Clock) -> None:
        """Emit the span of a call."""
        if not self._observers:
            return
        span = record.span(clock.monotonic())
        for observer in self._observers:
            try:
                observer(span)
            except Exception as error:  # noqa: BLE001 - a broken exporter fails no call
                _logger.warning("an observer of tool calls failed: %s", type(error).__name__)


def _outcome_of(error: BaseException) -> Outcome:
    for kind, outcome in _OUTCOMES.items():
        if isinstance(error, kind):
            return outcome
    # What is no ordinary exception is asyncio's cancellation, or the end of the process.
    return "error" if isinstance(error, Exception) else "cancelled"


def _code_of(error: BaseException) -> str:
    match error:
        case RetriableError():
            return error.failure or ""
        case ToolFailure() | ToolRefusal():
            return error.code
        case _:
            return ""
