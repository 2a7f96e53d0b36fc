"""Serializable configuration of one tool, and the factory of its callables."""

import logging
import warnings
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from inspect import isabstract
from typing import Any, ClassVar, Self, override

from pydantic import (
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
    model_validator,
)

from cardwright.actors import SerializableBaseModel

from .context_state import AnyContextState
from .errors import CardDefinitionError, ToolObserverGone
from .imports import named_class
from .logic import CardLogic
from .media import Toolset
from .misfits import refuse_misfits
from .observer import ToolObserver, living, missing_members
from .params import BaseToolParam
from .secret import missing_secrets
from .stored import StoredForm
from .union_errors import one_branch
from .unknown_fields import with_suggestions
from .unserved import drop_unserved

logger = logging.getLogger(__name__)

type AnyLogic = CardLogic[Any, Any, Any]


class ToolCard(StoredForm, SerializableBaseModel, ABC):
    """Base of every card: inert until an agent binds it through `observer()`."""

    logic_path: ClassVar[str] = ""
    """`module:Class` of the logic; a subclass of the card may name another."""
    observer_type: ClassVar[type[object] | None] = ToolObserver
    """Protocol the agent must satisfy; `None` for a card that serves unbound."""
    deprecated_use: ClassVar[str | None] = None
    """What to use instead, when the card is deprecated."""

    _observer_ref: "weakref.ref[ToolObserver] | None" = PrivateAttr(default=None)
    _logic: AnyLogic | None = PrivateAttr(default=None)

    @model_validator(mode="wrap")
    @classmethod
    def _told_unknown_fields(cls, data: object, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError as error:
            raise with_suggestions(error, cls) from None

    @field_validator("*", mode="wrap")
    @classmethod
    def _one_message(
        cls, value: object, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> object:
        try:
            return handler(value)
        except ValidationError as error:
            annotation = cls.model_fields[info.field_name or ""].annotation
            raise one_branch(error, annotation) from None

    @classmethod
    @override
    def upgrade_stored(cls, data: dict[str, object]) -> dict[str, object]:
        """Declared renames and migrations, then channels that are no longer served are dropped."""
        return drop_unserved(cls, super().upgrade_stored(data))

    @property
    def depends_on(self) -> list[str]:
        """Class names of cards that must be bound earlier."""
        return []

    @property
    def optional_dependencies(self) -> frozenset[str]:
        """Class names of cards that are bound earlier when they are present."""
        return frozenset()

    def observer(self, observer: ToolObserver) -> Self:
        """Bind the card to an agent, which is held weakly.

        Raises:
            CardDefinitionError: The observer lacks members, or the logic does not fit.
            TypeError: The observer cannot be weakly referenced.
            ValueError: Whatever the logic refuses in `bind()`. The card is then unbound.
        """
        self._observer_ref, self._logic = None, None
        self._check(observer)
        if self.deprecated_use is not None:
            warnings.warn(
                f"{type(self).__name__} is deprecated: use {self.deprecated_use}",
                DeprecationWarning,
                stacklevel=2,
            )
        reference = weakref.ref(observer)
        self._logic = self._made_logic(observer)
        self._observer_ref = reference
        return self

    def _check(self, observer: ToolObserver) -> None:
        if self.observer_type is None:
            return
        missing = missing_members(observer, self.observer_type)
        if missing:
            raise CardDefinitionError(
                f"{type(self).__name__} needs a {self.observer_type.__name__}: "
                f"{type(observer).__name__} lacks {', '.join(missing)}"
            )

    def _made_logic(self, observer: ToolObserver | None) -> AnyLogic | None:
        """The logic, ready to serve; `None` for a card that holds its behaviour itself."""
        if not self.logic_path:
            return None
        lost = list(missing_secrets(self))
        if lost:
            raise ValueError(
                f"{type(self).__name__}: secrets are not stored, give again: {', '.join(lost)}"
            )
        logic_class: type[AnyLogic] = named_class(self.logic_path, CardLogic)
        if isabstract(logic_class):
            absent = ", ".join(sorted(logic_class.__abstractmethods__))
            raise CardDefinitionError(
                f"{self.logic_path} does not implement its contract: {absent}"
            )
        refuse_misfits(logic_class)
        logic = logic_class(self, observer)
        logic.bind()
        return logic

    def adopt(self, logic: AnyLogic, observer: ToolObserver) -> Self:
        """Bind the card to a logic made elsewhere, which is not asked to `bind()`; for tests."""
        self._observer_ref, self._logic = weakref.ref(observer), logic
        return self

    def bound_logic(self) -> AnyLogic:
        """The logic behind the callables.

        Raises:
            ToolObserverGone: The card needs an agent and is not bound to one.
        """
        logic = self._logic  # a private attribute of pydantic is slow to reach, so once
        if logic is None and self.observer_type is None:
            logic = self._logic = self._made_logic(None)
        if logic is None:
            raise ToolObserverGone(
                f"{type(self).__name__} is not bound: give it to a ToolFactory with an observer"
            )
        return logic

    @property
    def _observer(self) -> ToolObserver:
        observer = self._observer_or_none()
        if observer is None:
            raise ToolObserverGone(f"{type(self).__name__} is not bound, or its agent has stopped")
        return observer

    @_observer.setter
    def _observer(self, observer: ToolObserver) -> None:
        self._observer_ref = weakref.ref(observer)

    def _observer_or_none(self) -> ToolObserver | None:
        """The agent, or `None`; for closures that may outlive it."""
        return None if self._observer_ref is None else living(self._observer_ref())

    @abstractmethod
    def get_tools(self) -> list[Callable[..., object]]:
        """What the model may call, in spec order."""

    def get_system_prompts(self) -> list[Callable[[], str]]:
        """Static texts of the prefix."""
        return []

    def get_context_states(self) -> list[Callable[[], AnyContextState | None]]:
        """Providers of volatile state; they never raise, `None` means unavailable."""
        return []

    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        """Named control surface, keyed by the param class of its capability."""
        return {}

    def get_toolsets(self) -> list[Toolset]:
        """Ready toolsets of the host's framework."""
        return []

    @override
    def __getstate__(self) -> dict[Any, Any]:
        """What is pickled: the configuration. What comes out of it is unbound."""
        state = super().__getstate__()
        kept: dict[str, object] = state["__pydantic_private__"] or {}
        return {
            **state,
            "__pydantic_private__": {**kept, "_observer_ref": None, "_logic": None},
        }

    def __copy__(self) -> Self:
        copied = super().__copy__()
        copied._logic = None  # noqa: SLF001 - the copy is one of its own kind
        return copied

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        memo = {} if memo is None else memo
        if self._logic is not None:  # the copy finds this and so has no logic of its own
            memo[id(self._logic)] = None
        return super().__deepcopy__(memo)
