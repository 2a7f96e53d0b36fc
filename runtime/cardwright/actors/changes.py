"""Finds out whether a state changed since it was published, and makes its snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cardwright.actors.shadows import MISSING, renewed
from cardwright.actors.shapes import stored_fields

if TYPE_CHECKING:
    from pydantic import BaseModel

    from cardwright.actors.state import AkgentStateObserver, BaseState

__all__ = ["Publication"]


class Publication:
    """What was published of one state, and who is told of the next publication.

    It belongs to exactly one state: copies start anew, and it never makes states differ.
    """

    __slots__ = ("_is_fresh", "_shadows", "observer")

    def __init__(self) -> None:
        """Start with nothing published and no observer."""
        self.observer: AkgentStateObserver | None = None
        self._shadows: dict[str, object] = {}
        self._is_fresh = False

    def refresh(self, state: BaseModel) -> bool:
        """Take the present fields as published; tell whether any of them had changed.

        Costs one look at each entry, and a copy of what changed.

        Raises:
            PydanticSerializationError: something that changed cannot be stored.
        """
        fresh = self._renewed(state)
        changed = any(fresh[name] is not self._shadows.get(name, MISSING) for name in fresh)
        self._shadows = fresh
        return changed

    def tell(self, state: BaseState) -> None:
        """Tell the observer of what `refresh` has just taken as published."""
        if self.observer is None:
            return
        self._is_fresh = True
        try:
            self.observer.notify_state_change(state)
        finally:
            self._is_fresh = False

    def snapshot[S: BaseModel](self, state: S) -> S:
        """Return a copy of `state`, which shares with earlier ones what did not change since."""
        fields: dict[str, Any] = self._shadows if self._is_fresh else self._renewed(state)
        return type(state).model_construct(set(state.model_fields_set), **fields)

    def _renewed(self, state: BaseModel) -> dict[str, object]:
        values, known = state.__dict__, self._shadows
        return {
            name: renewed(values[name], known.get(name, MISSING))
            for name in stored_fields(type(state))
        }

    def __copy__(self) -> Self:
        return type(self)()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return type(self)()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Publication)

    def __hash__(self) -> int:
        return hash(Publication)
