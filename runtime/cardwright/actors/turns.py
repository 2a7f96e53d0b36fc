"""Which method of an actor handles a message."""

from collections.abc import Callable
from inspect import signature
from typing import Final, final
from weakref import WeakKeyDictionary

__all__ = ["SUPER", "Handler", "Super", "handlers_for", "handlers_of"]

type Handler = tuple[Callable[..., object], bool]

_PREFIX = "receiveMsg_"


@final
class Super:
    """Type of `SUPER`."""

    def __repr__(self) -> str:
        return "SUPER"


# What a handler returns to pass the message on to the handler of the next base type.
SUPER: Final = Super()

_cache: WeakKeyDictionary[type, dict[type, tuple[Handler, ...]]] = WeakKeyDictionary()


def handlers_of(actor: type) -> dict[type, tuple[Handler, ...]]:
    """Return the handlers of a class of actors that are known already, by type of message."""
    return _cache.setdefault(actor, {})


def handlers_for(actor: type, message: type) -> tuple[Handler, ...]:
    """Return the handlers to try, in order, each with whether it wants the sender.

    For each class of the message's MRO: `receiveMsg_<Class>` of the actor, overridden ones after
    those that override them. Each function comes once.
    """
    known = handlers_of(actor)
    found = known.get(message)
    if found is None:
        found = known[message] = tuple(_search(actor, message))
    return found


def _search(actor: type, message: type) -> list[Handler]:
    functions: dict[Callable[..., object], None] = {}
    for kind in message.__mro__:
        name = f"{_PREFIX}{kind.__name__}"
        for owner in actor.__mro__:
            function: Callable[..., object] | None = vars(owner).get(name)
            if function is not None:
                functions[function] = None
    return [(function, "sender" in signature(function).parameters) for function in functions]
