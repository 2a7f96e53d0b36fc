"""What a run gives a tool: who it works for. Injected, never chosen by a model."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from threading import Lock
from types import MappingProxyType
from typing import Final, Protocol

from .errors import CancelledError

_NO_TRACE: Final[Mapping[str, str]] = MappingProxyType({})


class Cancellation(Protocol):
    """What a context asks of a token."""

    @property
    def cancelled(self) -> bool:
        """Whether the run was cancelled."""
        ...

    @property
    def reason(self) -> str:
        """Why."""
        ...


class CancellationToken:
    """Cancels a run from any thread; the first reason stays."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._reason: str | None = None

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._reason is not None

    @property
    def reason(self) -> str:
        """The first reason given; empty before."""
        return self._reason or ""

    def cancel(self, reason: str = "the run was cancelled") -> None:
        """Cancel; again is no error."""
        with self._lock:
            if self._reason is None:
                self._reason = reason


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The run on whose behalf a tool is called.

    A parameter of this type is filled by the host and no part of what a model is told.
    """

    run_id: str
    tenant: str
    user: str | None = None
    trace: Mapping[str, str] = field(default=_NO_TRACE)
    cancellation: Cancellation | None = None
    tool_call_id: str | None = None
    """The call being served; `None` where the host knows none."""
    arguments: str = ""
    """Digest of the typed arguments of that call; set when it is entered."""

    @property
    def idempotency_key(self) -> tuple[str, str, str] | None:
        """Run, tool call and arguments, the key of a side effect; `None` without either id."""
        if not self.run_id or not self.tool_call_id:
            return None
        return (self.run_id, self.tool_call_id, self.arguments)

    def raise_if_cancelled(self) -> None:
        """Stop a body whose run was cancelled; nothing happens without a token.

        Raises:
            CancelledError: The token is set; the text is its reason.
        """
        token = self.cancellation
        if token is not None and token.cancelled:
            raise CancelledError(token.reason, run_id=self.run_id, tenant=self.tenant)

    @contextmanager
    def bound(self) -> Generator[None]:
        """Make this the ambient context within the block; the one before returns after it."""
        reset = _ambient.set(self)
        try:
            yield
        finally:
            _ambient.reset(reset)

    def bind(self) -> None:
        """Make this the ambient context of a copied context for good: `copied.run(each.bind)`."""
        _ambient.set(self)

    @staticmethod
    def current() -> "ToolContext | None":
        """The ambient context; `None` outside a run."""
        return _ambient.get()


def context_of_call(tenant: str | None, run_id: str, tool_call_id: str) -> ToolContext | None:
    """What a host injects: a context of the tenant it was given, else the ambient one, else none.

    A tenant is never guessed: a tool that needs one is not entered without.
    """
    if tenant is not None:
        return ToolContext(run_id, tenant, tool_call_id=tool_call_id)
    ambient = ToolContext.current()
    return None if ambient is None else replace(ambient, tool_call_id=tool_call_id)


_ambient: ContextVar[ToolContext | None] = ContextVar("cardwright_tool_context", default=None)
