"""T5: binding and gathering."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import cast

import pytest
from tests.core.core_cards import Agent, Counter, Echo, EchoTool, UnboundTool, plain_card, refused

from cardwright.core import (
    AnyContextState,
    RetriableError,
    ToolCard,
    ToolFactory,
    ToolObserver,
)


class ModelRetry(Exception):  # noqa: N818 - the name hosts use
    """What a host would raise."""


def test_t3_without_observer_nothing_is_bound() -> None:
    class Watched(EchoTool):
        def observer(self, observer: ToolObserver) -> "Watched":
            raise AssertionError

    factory = ToolFactory([Watched()])
    assert factory.observer is None
    assert [tool.__name__ for tool in factory.get_tools()] == ["echo"]


def test_cards_are_bound_and_the_given_list_is_untouched() -> None:
    agent = Agent()
    cards: list[ToolCard] = [UnboundTool(), EchoTool()]
    given = list(cards)
    factory = ToolFactory(cards, agent)
    assert cards == given
    assert factory.tool_cards is not cards
    assert factory.get_tools()[1](text="x") == "x"


def test_without_retry_the_very_functions_are_returned() -> None:
    def tool() -> None: ...

    assert ToolFactory([plain_card("A", tools=(tool,))]).get_tools() == [tool]


def test_t9_retriable_errors_are_translated_and_chained() -> None:
    agent = Agent()
    tool = ToolFactory([EchoTool()], agent, ModelRetry).get_tools()[0]
    with pytest.raises(ModelRetry, match="say something") as error:
        tool(text="")
    assert isinstance(error.value.__cause__, RetriableError)
    assert error.value.__cause__.failure == "empty"
    with pytest.raises(RetriableError):
        ToolFactory([EchoTool()], agent).get_tools()[0](text="")


def test_other_exceptions_pass_and_identity_is_kept() -> None:
    def broken(x: int) -> str:
        """Doc."""
        raise LookupError(x)

    tool = ToolFactory([plain_card("A", tools=(broken,))], retry_exception=ModelRetry).get_tools()[
        0
    ]
    assert (tool.__name__, tool.__doc__) == ("broken", "Doc.")
    assert vars(tool)["__wrapped__"] is broken
    with pytest.raises(LookupError):
        tool(1)


def test_async_tools_are_translated_too() -> None:
    async def later() -> str:
        raise RetriableError("later")

    class Late:
        __name__ = "late"

        async def __call__(self) -> str:
            raise RetriableError("late")

    for body in (later, Late()):
        tool = ToolFactory(
            [plain_card("A", tools=(body,))], retry_exception=ModelRetry
        ).get_tools()[0]
        assert inspect.iscoroutinefunction(tool)
        with pytest.raises(ModelRetry):
            asyncio.run(cast("Coroutine[object, object, object]", tool()))


def test_two_tools_of_one_name_are_refused_before_binding() -> None:
    bound: list[str] = []

    class First(EchoTool):
        def observer(self, observer: ToolObserver) -> "First":
            bound.append("first")
            return self

    with pytest.raises(ValueError, match="tool 'echo' is offered by First and by EchoTool"):
        ToolFactory([First(), EchoTool()], Agent())
    assert bound == []


def test_a_card_that_needs_its_observer_to_tell_its_tools_is_checked_later() -> None:
    class Shy(EchoTool):
        def get_tools(self) -> list[Callable[..., object]]:
            _ = self._observer
            return super().get_tools()

    agent = Agent()
    factory = ToolFactory([Shy(), EchoTool()], agent)
    with pytest.raises(ValueError, match="'echo'"):
        factory.get_tools()


def state_one() -> AnyContextState | None:
    return Counter(value=1)


def test_t35_providers_of_one_name_are_refused() -> None:
    agent = Agent()
    factory = ToolFactory(
        [plain_card("A", providers=(state_one,)), plain_card("B", providers=(state_one,))], agent
    )
    for gather in (factory.get_context_states, factory.get_context_updater):
        with pytest.raises(ValueError, match="'state_one' is offered by A and by B"):
            gather()


def test_the_updater_needs_an_actor_observer() -> None:
    class Plain:
        def notify_event(self, event: object) -> None: ...

    with pytest.raises(ValueError, match="observer"):
        ToolFactory([EchoTool()]).get_context_updater()
    plain = Plain()
    with pytest.raises(ValueError, match="not Plain"):
        ToolFactory([EchoTool()], plain).get_context_updater()
    agent = Agent()
    assert ToolFactory([EchoTool()], agent).get_context_updater().compose_update([])


def test_commands_by_param_class_without_a_warning(recwarn: pytest.WarningsRecorder) -> None:
    agent = Agent()
    commands = ToolFactory([EchoTool()], agent, ModelRetry).get_commands()
    assert commands[Echo](text="x") == "x"
    with pytest.raises(ModelRetry):
        commands[Echo](text="")
    assert not recwarn


def test_extras_come_last_under_their_owner() -> None:
    def extra(n: int = 1) -> int:
        return n

    agent = Agent()
    factory = ToolFactory([EchoTool()], agent, ModelRetry)
    assert [(d.name, d.tool_card) for d in factory.get_command_registry([extra]).descriptors()] == [
        ("echo", "EchoTool"),
        ("extra", "BaseAgent"),
    ]
    assert (
        factory.get_command_registry([]).descriptors()
        == factory.get_command_registry().descriptors()
    )


def test_t11_command_names_collide_with_both_owners_named() -> None:
    def same() -> None: ...

    a, b = plain_card("A", commands=(same,)), plain_card("B", commands=(same,))
    with pytest.raises(ValueError, match="'same' is exposed by A and by B"):
        ToolFactory([a, b]).get_command_registry()
    with pytest.raises(ValueError, match="'same'"):
        ToolFactory([a]).get_command_registry([same])
    with pytest.raises(ValueError, match="'same'"):
        ToolFactory([]).get_command_registry([same, same])


def test_t10_a_translated_command_keeps_name_and_arguments() -> None:
    registry = ToolFactory([], retry_exception=ModelRetry).get_command_registry([refused])
    with pytest.raises(ModelRetry):
        registry.callable("refused")()
    assert registry.dispatch("/refused") == "Command 'refused' failed: no"
