"""States whose owner says what it writes: publishing costs that and looks at nothing else."""

from dataclasses import dataclass, field
from typing import Any, Final, Self, cast, override

from pydantic import PrivateAttr

from cardwright.actors import BaseState
from cardwright.actors.changes import Snapshot
from cardwright.actors.edits import Edit, Form
from cardwright.actors.versions import Versions

_GONE: Final = object()


@dataclass(slots=True)
class _Kept:
    """One container, its published forms, and what was written to it since the last one."""

    container: Form
    versions: Versions
    writes: list[tuple[Any, object]] = field(default_factory=list[tuple[Any, object]])

    def publish(self) -> None:
        """Let the published form follow."""
        if self.writes:
            with self.versions.edit() as edit:
                for key, entry in self.writes:
                    _repeat(edit, self.versions.head, key, entry)
            self.writes.clear()


class _Writings:
    """What a state keeps beside its fields; it belongs to one state, and copies start anew."""

    __slots__ = ("kept", "published")

    def __init__(self) -> None:
        self.kept: dict[str, _Kept] = {}
        self.published: dict[str, object] = {}

    def __copy__(self) -> Self:
        return type(self)()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return type(self)()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Writings)

    def __hash__(self) -> int:
        return hash(_Writings)


class WrittenState(BaseState):
    """A state of many entries that are replaced, never mutated.

    Change the entries of lists and dictionaries by `put` and `drop` alone, and assign other fields.
    """

    _writings: _Writings = PrivateAttr(default_factory=_Writings)

    def put(self, name: str, key: Any, entry: object) -> None:  # noqa: ANN401 - whatever keys the field has
        """Write an entry of the field `name`: one at the end of a list, or of a new key, is new."""
        kept = self._kept(name)
        container = kept.container
        if isinstance(container, list) and key == len(container):
            container.append(entry)
        else:
            container[key] = entry
        kept.writes.append((key, entry))

    def drop(self, name: str, key: Any) -> None:  # noqa: ANN401 - whatever keys the field has
        """Remove an entry of the field `name`."""
        kept = self._kept(name)
        del kept.container[key]
        kept.writes.append((key, _GONE))

    @override
    def notify_state_change(self) -> None:
        """Publish what was written; nothing else is looked at."""
        if (observer := self.get_observer()) is not None:
            observer.notify_state_change(self)

    @override
    def notify_if_changed(self) -> None:
        if self.get_observer() is not None and self._has_news():
            self.notify_state_change()

    @override
    def snapshot(self) -> Snapshot[Self]:
        """What the state is like now: costs what was written since the last one."""
        writings = self._own
        for kept in writings.kept.values():
            kept.publish()
        writings.published = {**vars(self)}
        newest = {
            name: kept.versions.newest
            for name, kept in writings.kept.items()
            if kept.container is writings.published[name]
        }
        return Snapshot(self, {**writings.published, **newest})

    @override
    def serializable_copy(self) -> Self:
        return self.snapshot().state()

    @property
    def _own(self) -> _Writings:
        # Pydantic's own look-up of private attributes is slow.
        return cast("dict[str, _Writings]", self.__pydantic_private__)["_writings"]

    def _kept(self, name: str) -> _Kept:
        """The field as it is followed; the first write to a container copies it for that."""
        writings, container = self._own, cast("Form", vars(self)[name])
        kept = writings.kept.get(name)
        if kept is None or kept.container is not container:
            # Former snapshots share the container itself: it stays as it is.
            own = container.copy()
            kept = writings.kept[name] = _Kept(own, Versions(container.copy()))
            vars(self)[name] = own
        return kept

    def _has_news(self) -> bool:
        writings, values = self._own, vars(self)
        return any(kept.writes for kept in writings.kept.values()) or any(
            value is not writings.published.get(name) for name, value in values.items()
        )

    @override
    def __copy__(self) -> Self:
        fresh = super().__copy__()
        fresh._writings = _Writings()  # noqa: SLF001 - of this class
        return fresh


def _repeat(edit: Edit, head: Form, key: Any, entry: object) -> None:  # noqa: ANN401 - as above
    """Do to the published form what was done to the container."""
    if isinstance(head, dict):
        if entry is _GONE:
            edit.drop(key)
        elif key in head:
            edit.put(key, entry)
        else:
            edit.add(key, entry)
    elif entry is _GONE:
        edit.splice(key, 1, ())
    elif key == len(head):
        edit.splice(key, 0, [entry])
    else:
        edit.put(key, entry)
