"""Binding a card without side effects, for wiring tests and for tests of one's own hosts."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, cast

from .card import ToolCard
from .logic import CardLogic


@dataclass(frozen=True)
class Call:
    """One call that reached a stub logic."""

    method: str
    args: tuple[object, ...]
    kwargs: dict[str, object]


@dataclass
class StubObserver:
    """An agent that records its events and is nothing else."""

    events: list[object] = field(default_factory=list[object])

    def notify_event(self, event: object) -> None:
        """Record `event`."""
        self.events.append(event)


# A contract is abstract, and mypy takes abstract classes as callables only, not as `type[L]`.
def stub_logic[L: CardLogic[Any, Any, Any]](
    contract: Callable[..., L], answer: object = None
) -> type[L]:
    """A concrete subclass of a contract whose methods record their call and return `answer`.

    The calls are in its instances' attribute `calls`, a list of `Call`.
    """
    base = cast("type[L]", contract)
    members: dict[str, object] = {
        name: _recording(name, getattr(base, name), answer) for name in _abstract(base)
    }
    return cast("type[L]", type(f"Stub{base.__name__}", (base,), members))


def bind_stub[L: CardLogic[Any, Any, Any]](
    card: ToolCard, contract: Callable[..., L], answer: object = None
) -> L:
    """Bind `card` to a stub of its contract; returns the logic, whose `calls` tell what reached it.

    The observer is a `StubObserver` kept alive by the logic.
    """
    observer = StubObserver()
    logic = stub_logic(contract, answer)(card, observer)
    vars(logic).update(calls=[], stub_observer=observer)
    card.adopt(logic, observer)
    return logic


def calls_of(logic: CardLogic[Any, Any, Any]) -> list[Call]:
    """What reached a stub logic, in order."""
    return cast("list[Call]", vars(logic)["calls"])


def tool_names(card: ToolCard) -> list[str]:
    """Names of the tools the card serves, in order."""
    return _names(card.get_tools())


def command_names(card: ToolCard) -> list[str]:
    """Names of the commands the card serves, in order."""
    return _names(card.get_commands().values())


def provider_names(card: ToolCard) -> list[str]:
    """Names of the context providers of the card, in order."""
    return _names(card.get_context_states())


def prompt_names(card: ToolCard) -> list[str]:
    """Names of the system prompts of the card, in order."""
    return _names(card.get_system_prompts())


def _names(functions: Iterable[Callable[..., object]]) -> list[str]:
    return [function.__name__ for function in functions]


def _abstract(contract: type[CardLogic[Any, Any, Any]]) -> list[str]:
    names: frozenset[str] = vars(contract).get("__abstractmethods__", frozenset())
    return sorted(names)


def _recording(name: str, declared: Callable[..., object], answer: object) -> Callable[..., object]:
    if inspect.iscoroutinefunction(declared):

        async def record_async(
            self: CardLogic[Any, Any, Any], *args: object, **kwargs: object
        ) -> object:
            calls_of(self).append(Call(name, args, kwargs))
            return answer

        return record_async

    def record(self: CardLogic[Any, Any, Any], *args: object, **kwargs: object) -> object:
        calls_of(self).append(Call(name, args, kwargs))
        return answer

    return record
