"""Volatile state of a card, as the model is told about it."""

from abc import ABC, abstractmethod
from typing import Never

from cardwright.actors import SerializableBaseModel


class ContextState[P](SerializableBaseModel, ABC):
    """A snapshot that renders itself in full or as the change from a former one.

    `P` is the type of the former snapshot: the generated base of the same state.
    """

    @abstractmethod
    def render_full(self) -> str:
        """The whole state as text; `""` for nothing to say."""

    @abstractmethod
    def render_delta(self, previous: P) -> str | None:
        """What moved since `previous`; `None` when nothing did, `""` for nothing to say."""


type AnyContextState = ContextState[Never]
