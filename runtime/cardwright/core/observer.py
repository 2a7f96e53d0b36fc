"""The protocols through which a bound card reaches the running system."""

from inspect import getattr_static
from typing import Protocol, runtime_checkable
from uuid import UUID

from typing_extensions import get_protocol_members

from cardwright.actors import ActorAddress, Akgent

from .state import ToolState


@runtime_checkable
class ToolStateCarrier(Protocol):
    """An agent state that holds the tool layer's part."""

    @property
    def tool_state(self) -> ToolState:
        """The tool layer's part of the agent's state."""
        ...


@runtime_checkable
class ToolObserver(Protocol):
    """The least a card may know of its agent."""

    def notify_event(self, event: object) -> None:
        """Publish a domain event."""
        ...


@runtime_checkable
class ActorToolObserver(ToolObserver, Protocol):
    """An agent that lives in a team and can reach its actors."""

    @property
    def myAddress(self) -> ActorAddress:
        """Address of the agent."""
        ...

    @property
    def orchestrator(self) -> ActorAddress | None:
        """Address of the team's orchestrator; `None` outside a team."""
        ...

    @property
    def team_id(self) -> UUID:
        """The team."""
        ...

    @property
    def state(self) -> ToolStateCarrier:
        """The agent's state; read it anew at each use."""
        ...

    def proxy_ask[A](
        self, actor: ActorAddress, actor_type: type[A] | None = None, timeout: float | None = 30.0
    ) -> A:
        """A proxy whose calls wait for the answer, at most `timeout` seconds."""
        ...

    def proxy_tell[A](self, actor: ActorAddress, actor_type: type[A] | None = None) -> A:
        """A proxy whose calls return at once."""
        ...


def living[O](observer: O | None) -> O | None:
    """`observer`, or `None` where it is an actor that has stopped: somebody may still hold it."""
    # Hosts pass the actor itself; an observer of another kind lives as long as it is held.
    return None if _has_stopped(observer) else observer


def _has_stopped(observer: object) -> bool:
    return isinstance(observer, Akgent) and not observer.myAddress.is_alive()


_ABSENT = object()


def missing_members(observer: object, protocol: type) -> list[str]:
    """Members of `protocol` that `observer` lacks, sorted; properties are not evaluated."""
    return sorted(name for name in get_protocol_members(protocol) if _lacks(observer, name))


def _lacks(observer: object, name: str) -> bool:
    if getattr_static(observer, name, _ABSENT) is not _ABSENT:
        return False
    return not hasattr(type(observer), "__getattr__") or not hasattr(observer, name)
