"""Handwritten cards and agents for the tests of the core."""

from collections.abc import Callable, Mapping
from typing import Annotated, ClassVar, Literal, override
from uuid import UUID, uuid4

from pydantic import Field

from cardwright.actors import ActorAddress, BaseState
from cardwright.core import (
    AnyContextState,
    BaseToolParam,
    CardLogic,
    Channels,
    ContextState,
    RetriableError,
    ToolCard,
    ToolObserver,
    ToolState,
    served,
)


class AgentState(BaseState):
    tool_state: ToolState = Field(default_factory=ToolState)


class Agent:
    """Satisfies `ActorToolObserver` without a running system."""

    def __init__(self) -> None:
        self.events: list[object] = []
        self.state = AgentState()
        self.team_id: UUID = uuid4()
        self.orchestrator: ActorAddress | None = None

    @property
    def myAddress(self) -> ActorAddress:
        raise NotImplementedError("these tests need no address")

    def notify_event(self, event: object) -> None:
        self.events.append(event)

    def proxy_ask[A](
        self, actor: ActorAddress, actor_type: type[A] | None = None, timeout: float | None = 30.0
    ) -> A:
        raise NotImplementedError("these tests ask nobody")

    def proxy_tell[A](self, actor: ActorAddress, actor_type: type[A] | None = None) -> A:
        raise NotImplementedError("these tests tell nobody")


class Counter(ContextState["Counter"]):
    value: int

    @override
    def render_full(self) -> str:
        return f"count {self.value}"

    @override
    def render_delta(self, previous: "Counter") -> str | None:
        return None if previous.value == self.value else f"{previous.value} -> {self.value}"


class Echo(BaseToolParam):
    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL, Channels.COMMAND})
    expose: set[Channels] = {Channels.TOOL_CALL, Channels.COMMAND}
    shout: bool = False


class Count(BaseToolParam):
    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.LLM_CONTEXT})
    expose: set[Channels] = {Channels.LLM_CONTEXT}
    migrations: ClassVar[Mapping[str, Mapping[object, object]]] = {
        "expose": {"system_prompt": "llm_context"}
    }


class EchoLogic(CardLogic["EchoTool", ToolObserver, Literal["empty"]]):
    bound = 0

    @override
    def bind(self) -> None:
        self.bound += 1
        if self.card.greeting == "refuse":
            raise ValueError("greeting must not be refuse")

    def echo(self, config: Echo, *, text: str) -> str:
        if not text:
            raise self.retry("empty", "say something")
        return text.upper() if config.shout else text


class EchoTool(ToolCard):
    """Echoes text and counts."""

    logic_path: ClassVar[str] = "tests.core.core_cards:EchoLogic"
    observer_type: ClassVar[type[object] | None] = ToolObserver
    renamed_fields: ClassVar[Mapping[str, str]] = {"salute": "greeting"}
    greeting: str = "hello"
    echo: Echo | bool = True
    count: Count | bool = True

    @property
    def logic(self) -> EchoLogic:
        logic = self.bound_logic()
        assert isinstance(logic, EchoLogic)
        return logic

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if config := served(self.echo, Echo, Channels.TOOL_CALL):
            found.append(self._echo(config))
        return found

    @override
    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        config = served(self.echo, Echo, Channels.COMMAND)
        return {Echo: self._echo(config)} if config else {}

    @override
    def get_context_states(self) -> list[Callable[[], AnyContextState | None]]:
        if not served(self.count, Count, Channels.LLM_CONTEXT):
            return []

        def counter_state() -> AnyContextState | None:
            return Counter(value=1)

        return [counter_state]

    def _echo(self, config: Echo) -> Callable[..., object]:
        def echo(text: Annotated[str, Field(description="What to say.")]) -> str:
            """Say it again."""
            return self.logic.echo(config, text=text)

        return config.describe(echo)


class LoudLogic(EchoLogic):
    @override
    def echo(self, config: Echo, *, text: str) -> str:
        return text + "!"


class UnboundLogic(CardLogic["UnboundTool", ToolObserver, str]):
    def hello(self) -> str:
        return "hello"


class UnboundTool(ToolCard):
    """Needs no agent."""

    logic_path: ClassVar[str] = "tests.core.core_cards:UnboundLogic"
    observer_type: ClassVar[type[object] | None] = None

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        def hello() -> str:
            logic = self.bound_logic()
            assert isinstance(logic, UnboundLogic)
            return logic.hello()

        return [hello]


def plain_card(
    name: str,
    *,
    depends_on: tuple[str, ...] = (),
    optional: tuple[str, ...] = (),
    tools: tuple[Callable[..., object], ...] = (),
    commands: tuple[Callable[..., object], ...] = (),
    providers: tuple[Callable[[], AnyContextState | None], ...] = (),
) -> ToolCard:
    """An instance of a new card class `name` that serves just these callables."""

    class Card(ToolCard):
        observer_type: ClassVar[type[object] | None] = ToolObserver

        @property
        @override
        def depends_on(self) -> list[str]:
            return list(depends_on)

        @property
        @override
        def optional_dependencies(self) -> frozenset[str]:
            return frozenset(optional)

        @override
        def get_tools(self) -> list[Callable[..., object]]:
            return list(tools)

        @override
        def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
            return {type(f"P{i}", (BaseToolParam,), {}): each for i, each in enumerate(commands)}

        @override
        def get_context_states(self) -> list[Callable[[], AnyContextState | None]]:
            return list(providers)

    Card.__name__ = Card.__qualname__ = name
    return Card()


def refused() -> str:
    """Always refuse."""
    raise RetriableError("no")
