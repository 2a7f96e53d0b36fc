"""What a spec says about running a tool, carried by the callable itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

type Idempotency = Literal["read_only", "idempotent", "effectful"]

_ATTRIBUTE = "__tool_policy__"
_INTERNAL = "__cardwright_internal__"


@dataclass(frozen=True, slots=True)
class ToolPolicy:
    """How a host must run a tool; data, enforced by the host."""

    idempotency: Idempotency | None = None
    timeout: float | None = None
    """Ceiling in seconds."""
    parallel_safe: bool = True
    approval: bool = False
    """A person must agree before the body is entered."""


DEFAULT_POLICY = ToolPolicy()


def policy[F: Callable[..., object]](declared: ToolPolicy) -> Callable[[F], F]:
    """Attach `declared` to a callable, for `policy_of` to find."""

    def attach(function: F) -> F:
        setattr(function, _ATTRIBUTE, declared)
        return function

    return attach


def policy_of(function: Callable[..., object]) -> ToolPolicy:
    """The policy of a callable, wrapped or not; the default one when none was declared."""
    found: object = getattr(function, _ATTRIBUTE, DEFAULT_POLICY)
    return found if isinstance(found, ToolPolicy) else DEFAULT_POLICY


def internal[F: Callable[..., object]](function: F) -> F:
    """Mark a command as reachable from code and not announced to people."""
    setattr(function, _INTERNAL, True)
    return function


def is_internal(function: Callable[..., object]) -> bool:
    """Whether `internal` marked the callable."""
    return getattr(function, _INTERNAL, False) is True
