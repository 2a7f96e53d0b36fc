"""Finds out whether a state changed since it was published, and makes its snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from cardwright.actors.shadows import MISSING, renewed, stored_fields

if TYPE_CHECKING:
    from pydantic import BaseModel

    from cardwright.actors.state import AkgentStateObserver

__all__ = ["Publication"]


class Publication:
    """What was published of one state, and who is told of the next publication.

    It belongs to exactly one state: copies start anew, and it never makes states differ.
    """

    __slots__ = ("_shadows", "observer")

    def __init__(self) -> None:
        """Start with nothing published and no observer."""
        self.observer: AkgentStateObserver | None = None
        self._shadows: dict[str, object] = {}

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

    def snapshot(self, state: BaseModel) -> dict[str, object]:
        """Return the present fields as copies, which share what did not change since."""
        return self._renewed(state)

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
