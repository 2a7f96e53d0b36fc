"""Call another actor's methods as if it were near: waiting for the answer, or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, cast, override

from pykka.messages import ProxyCall, ProxyGetAttr

from cardwright.actors.addresses import ActorAddress, ActorAddressImpl
from cardwright.actors.refs import ASK_TIMEOUT, AkgentRef, Reply

if TYPE_CHECKING:
    import pykka

__all__ = ["ActorProxy", "AskProxy", "TellProxy", "ask_proxy", "tell_proxy"]


class ActorProxy(ABC):
    """Reaches the public methods and attributes of an actor; looks them up when they are used."""

    def __init__(self, address: ActorAddress) -> None:
        """Reach the actor of a live address.

        Raises:
            ActorDeadError: the actor has stopped.
            RuntimeError: the address is a stored one.
        """
        self._name = address.name  # first, so that a proxy of a dead actor has a repr
        if not isinstance(address, ActorAddressImpl):
            msg = f"{address!r} is no live address: look the actor up in its running team first."
            raise RuntimeError(msg)  # noqa: TRY004 - the contract's error of inert addresses
        if not address.is_alive():
            raise address.ref.dead()
        self._ref = address.ref

    def __getattr__(self, name: str) -> object:
        """Return a caller of that method, or the attribute's value."""
        if name.startswith("_"):
            raise AttributeError(f"{name!r} is private to an actor")
        declared: object = getattr(self._ref.actor_class, name, None)
        if not callable(declared):
            return self._value(name)
        caller = self._caller(name)
        # The next access finds it without coming here.
        vars(self)[name] = caller
        return caller

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: another actor's state is changed by its own methods."""
        if not name.startswith("_"):
            msg = f"Cannot set {name!r} of another actor: call a method of it instead."
            raise AttributeError(msg)
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"

    @abstractmethod
    def _caller(self, name: str) -> Callable[..., object]:
        """What calls the method `name` of the actor."""

    @abstractmethod
    def _value(self, name: str) -> object:
        """What stands for the attribute `name` of the actor."""


class AskProxy(ActorProxy):
    """Waits for answers, and raises what the actor raises."""

    def __init__(self, address: ActorAddress, timeout: float | None) -> None:
        """Wait at most `timeout` seconds for each answer; None waits without end."""
        super().__init__(address)
        self._timeout = timeout

    @override
    def _caller(self, name: str) -> Callable[..., object]:
        return _asker(self._ref, (name,), self._timeout)

    @override
    def _value(self, name: str) -> object:
        value = self._ref.request(ProxyGetAttr((name,)), self._timeout)
        return self._caller(name) if callable(value) else value


class TellProxy(ActorProxy):
    """Returns at once; failures are reported to the actor's own orchestrator."""

    @override
    def _caller(self, name: str) -> Callable[..., object]:
        ref = self._ref

        def tell(*args: object, **kwargs: object) -> None:
            ref.deliver(ProxyCall((name,), args, kwargs))

        tell.__name__ = name
        return tell

    @override
    def _value(self, name: str) -> pykka.Future[object]:
        reply = Reply()
        self._ref.deliver(ProxyGetAttr((name,)), reply)
        return reply


def _asker(ref: AkgentRef, path: tuple[str, ...], timeout: float | None) -> Callable[..., object]:
    request = ref.request

    def ask(*args: object, **kwargs: object) -> object:
        return request(ProxyCall(path, args, kwargs), timeout)

    ask.__name__ = path[-1]
    return ask


def ask_proxy[A](
    actor: ActorAddress, _actor_type: type[A] | None = None, timeout: float | None = ASK_TIMEOUT
) -> A:
    """Return a proxy that waits for answers; `_actor_type` is for type checkers only."""
    return cast("A", AskProxy(actor, timeout))


def tell_proxy[A](actor: ActorAddress, _actor_type: type[A] | None = None) -> A:
    """Return a proxy that never waits; `_actor_type` is for type checkers only."""
    return cast("A", TellProxy(actor))
