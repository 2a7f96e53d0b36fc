"""The base of every contract: what handwritten logic has at hand."""

import weakref
from abc import ABC
from typing import TYPE_CHECKING, Any, cast

from cardwright.actors import ActorAddress, Akgent, BaseConfig, Orchestrator

from .call import CallContext, current_call
from .errors import RetriableError, ToolObserverGone
from .imports import named_class
from .observer import living

if TYPE_CHECKING:
    from .card import ToolCard
    from .observer import ActorToolObserver

TOOL_ACTOR_ROLE = "ToolActor"


class CardLogic[C: "ToolCard", O, F](ABC):  # noqa: B024 - contracts add the abstract methods
    """Behaviour of one bound card `C`, for an observer `O`, failing by the ids `F`.

    The names `card`, `observer`, `call`, `bind`, `retry` and `tool_actor` are reserved.
    """

    def __init__(self, card: C, observer: O | None = None) -> None:
        """Called by the card when it is bound; override `bind` instead."""
        self._card = weakref.ref(card)
        self._observer = None if observer is None else weakref.ref(observer)

    @property
    def card(self) -> C:
        """The card, with its configuration."""
        card = self._card()
        if card is None:
            raise ToolObserverGone("the card of this logic is gone")
        return card

    @property
    def observer(self) -> O:
        """The agent that carries the card.

        Raises:
            ToolObserverGone: The agent has stopped, or the card serves unbound.
        """
        observer = self.observer_or_none()
        if observer is None:
            raise ToolObserverGone(f"{type(self).__name__}: the agent of this card has stopped")
        return observer

    def observer_or_none(self) -> O | None:
        """The agent, or `None` once it has stopped or is gone."""
        return None if self._observer is None else living(self._observer())

    @property
    def call(self) -> CallContext:
        """Identity and deadline of the call being served."""
        return current_call()

    def bind(self) -> None:  # noqa: B027 - most logic has nothing to prepare
        """Prepare for service: first every check, then actors. Raising leaves the card unbound."""

    def retry(self, failure: F, message: str) -> RetriableError:
        """The error to raise for a declared failure that the model can fix."""
        return RetriableError(message, failure=str(failure))

    def tool_actor[A: Akgent[Any, Any]](
        self, name: str, actor_class: type[A] | str, config: BaseConfig
    ) -> ActorAddress:
        """Get or create the team's tool actor `name`, a child of the orchestrator.

        Args:
            name: Its `#` name.
            actor_class: The class, or `module:Class`.
            config: Its configuration; name and role are set on a copy.

        Raises:
            ValueError: The agent has no orchestrator.
            ActorConflictError: A living actor of that name has another class or configuration.
        """
        observer = cast("ActorToolObserver", self.observer)
        if observer.orchestrator is None:
            raise ValueError(
                f"{type(self.card).__name__} needs a team: its agent has no orchestrator"
            )
        found = named_class(actor_class, Akgent) if isinstance(actor_class, str) else actor_class
        named = config.model_copy(update={"name": name, "role": TOOL_ACTOR_ROLE})
        return observer.proxy_ask(observer.orchestrator, Orchestrator).getChildrenOrCreate(
            found, config=named
        )
