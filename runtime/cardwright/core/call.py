"""What a tool body may know about the call it serves."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True, slots=True)
class CallContext:
    """Identity and deadline of one call.

    `key` is the idempotency key of a side effect. Context variables do not cross threads, so hand
    this object to an actor as an argument.
    """

    run_id: str | None = None
    tool_call_id: str | None = None
    deadline: float | None = None
    """`time.monotonic()` value after which nothing may be committed; `None` for no limit."""
    arguments: str = ""
    """Digest of the typed arguments: providers give one id to several calls of a run."""

    @property
    def key(self) -> tuple[str, str, str] | None:
        """The idempotency key: run, call and arguments; `None` where an id is missing or empty."""
        if not self.run_id or not self.tool_call_id:
            return None
        return (self.run_id, self.tool_call_id, self.arguments)

    @property
    def remaining(self) -> float | None:
        """Seconds left, never negative; `None` for no limit."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed, so that a commit would come too late."""
        return self.deadline is not None and monotonic() >= self.deadline


_OUTSIDE = CallContext()
_current: ContextVar[CallContext] = ContextVar("cardwright_call", default=_OUTSIDE)


def current_call() -> CallContext:
    """The call served on this thread or task; an empty one outside a call."""
    return _current.get()


def serve(context: CallContext) -> None:
    """Make `context` the current call of this context for good: `copied.run(serve, context)`."""
    _current.set(context)


@contextmanager
def calling(context: CallContext) -> Generator[CallContext]:
    """Make `context` the current call within the block (hosts wrap each call in it)."""
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)
