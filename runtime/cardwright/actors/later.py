"""Answers that come after the turn in which they were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Later"]


@final
class Later[T]:
    """What a method of an actor returns that cannot answer yet: whoever asked waits on.

    Used on the actor's own thread only. An actor that stops before refuses for it.
    """

    __slots__ = ("_callbacks", "_settled", "error", "value")

    def __init__(self) -> None:
        """Start without an answer."""
        self.value: T | None = None
        """The answer, once there is one."""
        self.error: BaseException | None = None
        """What is raised instead of an answer."""
        self._settled = False
        self._callbacks: list[Callable[[Later[T]], None]] = []

    def answer(self, value: T) -> None:
        """Give the answer to all who wait."""
        self.value = value
        self._settle()

    def fail(self, error: BaseException) -> None:
        """Raise `error` for all who wait."""
        self.error = error
        self._settle()

    def then(self, callback: Callable[[Later[T]], None]) -> None:
        """Call `callback` when there is an answer or an error, at once if there is one already."""
        if self._settled:
            callback(self)
        else:
            self._callbacks.append(callback)

    def _settle(self) -> None:
        self._settled = True
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)
