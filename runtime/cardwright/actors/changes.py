"""Finds out whether a state changed since it was published, and makes its snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cardwright.actors.escapes import references
from cardwright.actors.shadows import MISSING, renewed
from cardwright.actors.shapes import stored_fields
from cardwright.actors.tracks import Track, is_large, track
from cardwright.actors.versions import Version

if TYPE_CHECKING:
    from pydantic import BaseModel

    from cardwright.actors.state import AkgentStateObserver, BaseState

__all__ = ["Publication", "Snapshot"]

# Who refers to a tracked container: the state and the track.
_OWN = 2


class Snapshot[S: BaseModel]:
    """What a state was like: made of what changed, written out when somebody reads it."""

    __slots__ = ("_fields", "_given", "_kind", "_made")

    def __init__(self, state: S, fields: dict[str, object]) -> None:
        """Keep the published form of each field of `state`."""
        self._kind = type(state)
        self._given = frozenset(state.model_fields_set)
        self._fields = fields
        self._made: S | None = None

    def state(self) -> S:
        """Return it as a state that later changes never reach."""
        made = self._made
        if made is None:
            fields: dict[str, Any] = {name: _form(one) for name, one in self._fields.items()}
            made = self._made = self._kind.model_construct(set(self._given), **fields)
        return made


def _form(published: object) -> object:
    return published.form() if isinstance(published, Version) else published


class Publication:
    """What was published of one state, and who is told of the next publication.

    It belongs to exactly one state: copies start anew, and it never makes states differ.
    """

    __slots__ = ("_is_fresh", "_seen", "_shadows", "_tracks", "observer")

    def __init__(self) -> None:
        """Start with nothing published and no observer."""
        self.observer: AkgentStateObserver | None = None
        self._shadows: dict[str, object] = {}
        self._tracks: dict[str, Track] = {}
        # Large containers that were there at the last look: the next one begins to track them.
        self._seen: dict[str, int] = {}
        self._is_fresh = False

    def refresh(self, state: BaseModel) -> bool:
        """Take the present fields as published; tell whether any of them had changed.

        Costs a look at each entry of small containers, at what was touched of large ones, and a
        copy of what changed.

        Raises:
            PydanticSerializationError: something that changed cannot be stored.
        """
        fresh = self._renewed(state)
        known = self._shadows
        changed = any(fresh[name] is not known.get(name, MISSING) for name in fresh)
        if changed or self._seen:
            self._shadows = fresh
            self._track_large(vars(state))
        return changed

    def distrust(self) -> None:
        """Compare all entries at the next look, also those that nobody seems to have touched."""
        for followed in self._tracks.values():
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
        return Snapshot(state, self._shadows if self._is_fresh else self._copied(state))

    def _renewed(self, state: BaseModel) -> dict[str, object]:
        values = vars(state)
        return {name: self._look(values, name) for name in stored_fields(type(state))}

    def _look(self, values: dict[str, object], name: str) -> object:
        followed = self._tracks.get(name)
        if followed is not None:
            if values[name] is followed.container:
                return followed.look(held=references(values, name) > _OWN)
            # Another value took its place; it may be an equal one.
            del self._tracks[name]
            self._shadows[name] = _form(self._shadows[name])
        return renewed(values[name], self._shadows.get(name, MISSING))

    def _track_large(self, values: dict[str, object]) -> None:
        """Begin to track large containers that stay: those replaced each turn are not worth it."""
        for name, shadow in self._shadows.items():
            if not is_large(shadow):
                continue
            identity = id(values[name])
            if self._seen.get(name) != identity:
                self._seen[name] = identity
            elif (started := track(values, name, shadow)) is not None:
                self._tracks[name] = started
                self._shadows[name] = started.newest
                del self._seen[name]

    def _copied(self, state: BaseModel) -> dict[str, object]:
        """Return the present fields, without taking them as published."""
        values, known = state.__dict__, self._shadows
        return {
            name: renewed(values[name], _form(known.get(name, MISSING)))
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
