"""Brings actors to life: nobody hears of one whose constructor failed."""

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING

from cardwright.actors.addresses import ActorAddressImpl
from cardwright.actors.directory import Directory

if TYPE_CHECKING:
    from cardwright.actors.akgent import AnyAkgent

__all__ = ["current_directory", "spawn"]

# The system that an actor under construction belongs to.
current_directory: ContextVar[Directory | None] = ContextVar("current_directory", default=None)


def spawn(make: "Callable[[], AnyAkgent]", directory: Directory | None) -> ActorAddressImpl:
    """Construct an actor on this thread, announce it, and start it on a thread of its own.

    Raises:
        Exception: whatever the constructor raises; the actor was never announced then.
    """
    token = current_directory.set(directory)
    try:
        actor = make()
    finally:
        current_directory.reset(token)
    return ActorAddressImpl(actor.begin())
