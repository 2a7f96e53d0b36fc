"""Binds a list of cards to one agent and gathers what they expose."""

from collections.abc import Callable, Iterable, Sequence

from .card import ToolCard
from .commands import EXTRA_OWNER, CommandRegistry
from .context_update import ContextUpdater
from .dependencies import topological_sort
from .media import Toolset
from .observer import ActorToolObserver, ToolObserver
from .params import BaseToolParam
from .provider import ContextProvider
from .retry import translated


class ToolFactory:
    """The cards of one agent, prerequisites first, bound in that order.

    It keeps its observer strongly: holding a factory holds the agent.
    """

    def __init__(
        self,
        tool_cards: Sequence[ToolCard],
        observer: ToolObserver | None = None,
        retry_exception: type[Exception] | None = None,
    ) -> None:
        """Sort and bind the cards; nothing is bound when the list itself is wrong.

        Args:
            tool_cards: The cards, in any order; the list is not changed.
            observer: The agent. Without one only cards that need none can serve.
            retry_exception: What tools and commands raise instead of `RetriableError`.

        Raises:
            ValueError: A prerequisite is absent, cards form a cycle, or two tools share a name.
        """
        self.tool_cards = topological_sort(tool_cards)
        self.observer = observer
        self._retry_exception = retry_exception
        self._refuse_shared_names()
        for card in self.tool_cards:
            if observer is not None:
                card.observer(observer)

    def get_tools(self) -> list[Callable[..., object]]:
        """The tools of all cards.

        Raises:
            ValueError: Two cards offer a tool of one name.
        """
        pairs = [(card, tool) for card in self.tool_cards for tool in card.get_tools()]
        _refuse_duplicates("tool", pairs)
        return [self._translated(tool) for _, tool in pairs]

    def get_system_prompts(self) -> list[Callable[[], str]]:
        """The static texts of all cards."""
        return [prompt for card in self.tool_cards for prompt in card.get_system_prompts()]

    def get_toolsets(self) -> list[Toolset]:
        """The ready toolsets of all cards."""
        return [toolset for card in self.tool_cards for toolset in card.get_toolsets()]

    def get_context_states(self) -> list[ContextProvider]:
        """The context providers of all cards.

        Raises:
            ValueError: Two providers share a name, which is the key of their baseline.
        """
        pairs = [(card, state) for card in self.tool_cards for state in card.get_context_states()]
        _refuse_duplicates("context state", pairs)
        return [state for _, state in pairs]

    def get_context_updater(self) -> ContextUpdater:
        """The composer of context updates.

        Raises:
            ValueError: No observer, one that is no `ActorToolObserver`, or providers share a name.
        """
        if self.observer is None:
            raise ValueError("context updates need an observer: give one to the ToolFactory")
        if not isinstance(self.observer, ActorToolObserver):
            raise ValueError(  # noqa: TRY004 - the contract's type
                f"context updates need an ActorToolObserver, not {type(self.observer).__name__}"
            )
        return ContextUpdater(self.observer, self.get_context_states())

    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        """The commands of all cards by param class; a later card replaces an earlier one."""
        return {
            param: self._translated(command)
            for card in self.tool_cards
            for param, command in card.get_commands().items()
        }

    def get_command_registry(
        self, extra_commands: Sequence[Callable[..., object]] | None = None
    ) -> CommandRegistry:
        """The commands of all cards and `extra_commands`, by name.

        Raises:
            ValueError: Two commands share a name, or one cannot be typed on a line.
        """
        registry = CommandRegistry()
        for card in self.tool_cards:
            for command in card.get_commands().values():
                registry.register(self._translated(command), type(card).__name__)
        for command in extra_commands or ():
            registry.register(self._translated(command), EXTRA_OWNER)
        return registry

    def _translated[F: Callable[..., object]](self, function: F) -> F:
        if self._retry_exception is None or not hasattr(function, "__name__"):
            return function
        return translated(function, self._retry_exception)

    def _refuse_shared_names(self) -> None:
        """Before anything is bound, as far as unbound cards can tell their tools."""
        _refuse_duplicates(
            "tool", [(card, tool) for card in self.tool_cards for tool in _tools_of(card)]
        )


def _tools_of(card: ToolCard) -> list[Callable[..., object]]:
    try:
        return card.get_tools()
    except RuntimeError:  # a handwritten card may need its observer; get_tools() checks it later
        return []


def _refuse_duplicates(kind: str, pairs: Iterable[tuple[ToolCard, Callable[..., object]]]) -> None:
    owners: dict[str, str] = {}
    for card, function in pairs:
        name: str = getattr(function, "__name__", repr(function))
        owner = type(card).__name__
        if name in owners:
            raise ValueError(
                f"{kind} {name!r} is offered by {owners[name]} and by {owner}: switch off one"
            )
        owners[name] = owner
