"""The actors that an actor created."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel

from cardwright.actors.errors import ActorConflictError, ActorDeadError

if TYPE_CHECKING:
    from cardwright.actors.addresses import ActorAddressImpl
    from cardwright.actors.config import BaseConfig
    from cardwright.actors.refs import AkgentRef

__all__ = ["TOOL_PREFIX", "Child", "Children", "tell_stop"]

logger = logging.getLogger(__name__)

# Names of actors that own shared state; they outlive the agents that use them.
TOOL_PREFIX = "#"


@dataclass(frozen=True, slots=True)
class Child:
    """A created actor, and what it was asked to be."""

    address: "ActorAddressImpl"
    actor_class: type
    requested: "BaseConfig"

    @property
    def ref(self) -> "AkgentRef":
        """The reference to deliver through."""
        return self.address.ref

    @property
    def is_tool(self) -> bool:
        """Whether the actor owns shared state (its name starts with `#`)."""
        return self.address.name.startswith(TOOL_PREFIX)

    def refuse_other(self, actor_class: type, config: "BaseConfig") -> None:
        """Raise `ActorConflictError` if class or configuration is not what this child was made of.

        The squad may differ: it is inherited.
        """
        differences: list[str] = []
        if actor_class is not self.actor_class:
            differences.append(
                f"class ({self.actor_class.__qualname__}, not {actor_class.__qualname__})"
            )
        if type(config) is not type(self.requested):
            differences.append(f"configuration class ({type(self.requested).__qualname__})")
        else:
            differences += _differing(self.requested, config)
        if differences:
            raise ActorConflictError(self.address.name, differences)


def _differing(one: "BaseConfig", other: "BaseConfig") -> list[str]:
    return [
        f"config.{name}"
        for name in type(one).model_fields
        if name != "squad_id" and not _same(getattr(one, name), getattr(other, name))
    ]


def _same(one: object, other: object) -> bool:
    """Compare by public fields: what a model keeps for itself (a bound observer) does not count."""
    if type(one) is not type(other):
        return False
    if isinstance(one, BaseModel):
        names = type(one).model_fields
        return all(_same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, dict):
        mine, theirs = cast("dict[object, object]", one), cast("dict[object, object]", other)
        return mine.keys() == theirs.keys() and all(_same(mine[key], theirs[key]) for key in mine)
    if isinstance(one, list | tuple):
        items, others = cast("list[object]", one), cast("list[object]", other)
        return len(items) == len(others) and all(map(_same, items, others))
    return one == other


@dataclass(slots=True)
class Children:
    """Living children in the order of their creation; used on the parent's thread only."""

    _members: "list[Child]" = field(default_factory=list["Child"])

    def add(self, child: Child) -> None:
        """Append a new child, and forget those that have stopped."""
        self._members = [*self.living(), child]

    def living(self) -> list[Child]:
        """Return the children that are alive."""
        return [child for child in self._members if child.address.is_alive()]

    def named(self, name: str) -> Child | None:
        """Return the first living child of exactly that name."""
        return next((child for child in self._members if _is_alive_as(child, name)), None)

    def tell_stop(self) -> None:
        """Ask all to stop, without waiting."""
        for child in reversed(self.living()):
            tell_stop(child.ref)

    def stop(self, grace: float) -> None:
        """Stop all and wait: agents first, then the tool actors that they use.

        Args:
            grace: seconds to wait altogether; who is not done by then is left behind.
        """
        deadline = monotonic() + grace
        for is_tool in (False, True):
            told = [child for child in reversed(self.living()) if child.is_tool is is_tool]
            for child in told:
                tell_stop(child.ref)
            for child in told:
                if not child.ref.finished.wait(max(deadline - monotonic(), 0.0)):
                    logger.warning("%r did not stop within %g s.", child.address, grace)
        self._members = self.living()

    def __iter__(self) -> Iterator[Child]:
        return iter(self.living())


def _is_alive_as(child: Child, name: str) -> bool:
    return child.address.name == name and child.address.is_alive()


def tell_stop(ref: "AkgentRef") -> None:
    """Ask an actor to stop, without waiting."""
    try:
        ref.cast("stop")
    except ActorDeadError:
        logger.debug("%r had already stopped.", ref.identity.name)
