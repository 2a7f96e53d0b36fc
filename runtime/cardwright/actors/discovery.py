"""Finds the large containers of a state, at any depth, and begins to track them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pydantic import BaseModel

from cardwright.actors.shadows import copied_model, is_large
from cardwright.actors.shapes import stored_fields
from cardwright.actors.tracked import TrackedDict, TrackedList
from cardwright.actors.tracks import Holder, entry_of, track
from cardwright.actors.versions import Version

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.actors.tracks import Track

__all__ = ["MOST", "Discovery"]

# Tracks of one state: each is looked at in every turn.
MOST: Final = 64

type _Path = tuple[Any, ...]


class _Place(NamedTuple):
    """Where a large container is."""

    holder: Holder
    key: Any
    path: _Path


class Discovery:
    """Begins to track the large containers that stay: those replaced each turn are not worth it."""

    __slots__ = ("_seen", "went_deep")

    def __init__(self) -> None:
        """Start with nothing seen."""
        # Identities of the large containers that were there at the last walk.
        self._seen: set[int] = set()
        # Whether containers inside of others were found worth it.
        self.went_deep = False

    @property
    def is_waiting(self) -> bool:
        """Whether some were there, and might be tracked if they still are."""
        return bool(self._seen)

    def walk(
        self, kind: type[BaseModel], values: Holder, shadows: dict[str, object]
    ) -> list[Track]:
        """Track what was there at the last walk; `shadows` take the versions up.

        Args:
            kind: the class of the state.
            values: its attributes.
            shadows: what was published of them, by name.
        """
        places: list[_Place] = []
        for name in stored_fields(kind):
            _find(values, name, (), places)
        seen, self._seen = self._seen, set()
        started: list[Track] = []
        for place in places[:MOST]:
            identity = id(entry_of(place.holder, place.key))
            if identity not in seen:
                self._seen.add(identity)
            elif (found := _started(place, shadows)) is not None:
                started.append(found)
                self.went_deep |= len(place.path) > 1
        return started


def _find(holder: Holder, key: Any, path: _Path, places: list[_Place]) -> None:  # noqa: ANN401 - of any holder
    value = entry_of(holder, key)
    here = (*path, key)
    if is_large(value):
        places.append(_Place(holder, key, here))
        return
    inside, keys = _inside(value)
    for inner in keys:
        _find(inside, inner, here, places)


def _inside(value: object) -> tuple[Holder, Iterable[object]]:
    """Return what a value has in it, and the keys of what may be worth a look."""
    if isinstance(value, TrackedDict | TrackedList):
        return value, [] if value.owner is None else _still_there(value, value.owner.looked_at)
    if type(value) is dict:
        entries = cast("dict[object, object]", value)
        return entries, [*entries]
    if type(value) is list:
        items = cast("list[object]", value)
        return items, range(len(items))
    if isinstance(value, BaseModel):
        return cast("dict[str, object]", value.__dict__), stored_fields(type(value))
    return [], ()


def _still_there(container: TrackedDict | TrackedList, keys: list[object]) -> list[object]:
    if isinstance(container, TrackedDict):
        return [key for key in keys if key in container]
    return [at for at in keys if cast("int", at) < len(container)]


def _started(place: _Place, shadows: dict[str, object]) -> Track | None:
    started = track(place.holder, place.key, _at(shadows, place.path))
    if started is not None:
        name, *rest = place.path
        shadows[name] = _planted(shadows[name], rest, started.newest)
    return started


def _at(shadow: object, path: Iterable[Any]) -> object:
    for key in path:
        held: Any = shadow
        if type(shadow) is Version:
            held = shadow.form() if shadow.track is None else shadow.versions.head
        elif isinstance(shadow, BaseModel):
            held = shadow.__dict__
        shadow = held[key]
    return shadow


def _planted(shadow: object, path: list[Any], version: Version) -> object:
    """Return a published form with `version` in a place: published ones never change."""
    if not path:
        return version
    key, *rest = path
    if type(shadow) is Version and shadow.track is not None:
        versions = shadow.versions
        with versions.edit() as edit:
            edit.put(key, _planted(versions.head[key], rest, version))
        versions.deep = True
        return versions.newest
    if isinstance(shadow, BaseModel):
        attributes = shadow.__dict__
        return copied_model(shadow, {**attributes, key: _planted(attributes[key], rest, version)})
    copy = cast("Any", shadow.form() if isinstance(shadow, Version) else shadow).copy()
    copy[key] = _planted(copy[key], rest, version)
    return copy
