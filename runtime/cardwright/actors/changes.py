"""Finds out whether a state changed since it was published, and makes its snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cardwright.actors.discovery import MOST, Discovery
from cardwright.actors.shadows import MISSING, noticed, renewed, resolved
from cardwright.actors.shapes import stored_fields
from cardwright.actors.versions import Version

if TYPE_CHECKING:
    from pydantic import BaseModel

    from cardwright.actors.state import AkgentStateObserver, BaseState
    from cardwright.actors.tracks import Track

__all__ = ["Publication", "Snapshot"]


class Snapshot[S: BaseModel]:
    """What a state was like: made of what changed, written out when somebody reads it."""

    __slots__ = ("_fields", "_given", "_is_deep", "_kind", "_made")

    def __init__(self, state: S, fields: dict[str, object], *, is_deep: bool = False) -> None:
        """Keep the published form of each field of `state`; `is_deep`: with versions inside."""
        self._is_deep = is_deep
        self._kind = type(state)
        self._given = frozenset(state.model_fields_set)
        self._fields = fields
        self._made: S | None = None

    @property
    def kind(self) -> type[S]:
        """Class of the state."""
        return self._kind

    @property
    def published(self) -> dict[str, object] | None:
        """The published form of each field; None if there are others inside of them."""
        return None if self._is_deep else self._fields

    def state(self) -> S:
        """Return it as a state that later changes never reach."""
        made = self._made
        if made is None:
            form = resolved if self._is_deep else _form
            fields: dict[str, Any] = {name: form(one) for name, one in self._fields.items()}
            made = self._made = self._kind.model_construct(set(self._given), **fields)
        return made


def _form(published: object) -> object:
    return published.form() if isinstance(published, Version) else published


class Publication:
    """What was published of one state, and who is told of the next publication.

    It belongs to exactly one state: copies start anew, and it never makes states differ.
    """

    __slots__ = ("_discovery", "_is_fresh", "_shadows", "_tracks", "observer")

    def __init__(self) -> None:
        """Start with nothing published and no observer."""
        self.observer: AkgentStateObserver | None = None
        self._shadows: dict[str, object] = {}
        self._tracks: list[Track] = []
        self._discovery = Discovery()
        self._is_fresh = False

    def refresh(self, state: BaseModel) -> bool:
        """Take the present fields as published; tell whether any of them had changed.

        Costs a look at each entry of small containers, at what was touched of large ones, and a
        copy of what changed.

        Raises:
            PydanticSerializationError: something that changed cannot be stored.
        """
        if self._tracks:
            self._check_tracks()
        noticed.large = False
        changes = self._changes(state)
        if changes:
            # Not in place: snapshots keep the former dictionary.
            self._shadows = self._shadows | changes
        if (noticed.large or self._discovery.is_waiting) and len(self._tracks) < MOST:
            # Snapshots keep the former dictionary.
            self._shadows = anew = {**self._shadows}
            self._tracks += self._discovery.walk(type(state), vars(state), anew)
        return bool(changes)

    def _changes(self, state: BaseModel) -> dict[str, object]:
        # A method of its own: the search for who else refers to a value must not meet the loop.
        values, known = vars(state), self._shadows
        changes: dict[str, object] = {}
        for name in stored_fields(type(state)):
            value, shadow = values[name], known.get(name, MISSING)
            if value is not shadow and (fresh := renewed(value, shadow)) is not shadow:
                changes[name] = fresh
        return changes

    def _check_tracks(self) -> None:
        left = [one for one in self._tracks if not one.is_followed()]
        for one in left:
            one.end()
            self._tracks.remove(one)

    def distrust(self) -> None:
        """Compare all entries at the next look, also those that nobody seems to have touched."""
        for followed in self._tracks:
            followed.distrust()

    def tell(self, state: BaseState) -> None:
        """Tell the observer of what `refresh` has just taken as published."""
        if self.observer is None:
            return
        self._is_fresh = True
        try:
            self.observer.notify_state_change(state)
        finally:
            self._is_fresh = False

    def snapshot[S: BaseModel](self, state: S) -> Snapshot[S]:
        """Return what `state` is like, sharing with earlier ones what did not change since."""
        if not self._is_fresh:
            return Snapshot(state, self._copied(state))
        return Snapshot(state, self._shadows, is_deep=self._discovery.went_deep)

    def _copied(self, state: BaseModel) -> dict[str, object]:
        """Return the present fields, without taking them as published."""
        values, known = state.__dict__, self._shadows
        return {
            name: renewed(values[name], resolved(known.get(name, MISSING)))
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
