"""State of an actor: every change is noticed and published as an immutable snapshot."""

from typing import Protocol, Self, cast, override, runtime_checkable

from pydantic import PrivateAttr

from cardwright.actors.changes import Publication, Snapshot
from cardwright.actors.serialization import SerializableBaseModel

__all__ = ["AkgentStateObserver", "BaseState"]


@runtime_checkable
class AkgentStateObserver(Protocol):
    """Is told when a state was published, usually the actor that owns it."""

    def notify_state_change(self, state: "BaseState") -> None:
        """Take note of `state`, which goes on changing: `serializable_copy()` gives a snapshot."""
        ...


class BaseState(SerializableBaseModel):
    """Base of actor states. Change it in place: the actor publishes it after the turn.

    Mutation of nested lists, dictionaries and models counts as a change too.
    """

    _publication: Publication = PrivateAttr(default_factory=Publication)

    def observer(self, observer: AkgentStateObserver | None) -> Self:
        """Set who is told of changes (None: nobody), publish the state once, and return it."""
        self._published.observer = observer
        self.notify_state_change()
        return self

    def get_observer(self) -> AkgentStateObserver | None:
        """Return who is told of changes, if anyone."""
        return self._published.observer

    @property
    def _published(self) -> Publication:
        # Looked at in every turn: pydantic's own look-up of private attributes is slow.
        return cast("dict[str, Publication]", self.__pydantic_private__)["_publication"]

    def notify_state_change(self) -> None:
        """Publish the state now; what it is like now counts as known from here on."""
        self._published.refresh(self)
        self._published.tell(self)

    def notify_if_changed(self) -> None:
        """Publish the state if it differs from what was published last. Nobody listens: no cost."""
        if self._published.observer is not None and self._published.refresh(self):
            self._published.tell(self)

    def notify_at_the_end(self) -> None:
        """Do so for the last time: whatever no look would have noticed so far is noticed now."""
        self._published.distrust()
        self.notify_if_changed()

    def serializable_copy(self) -> Self:
        """Return a copy that later changes never reach, without the observer.

        Do not change it: copies share the parts that are alike.
        """
        return self._published.snapshot(self).state()

    def snapshot(self) -> "Snapshot[Self]":
        """Return what the state is like now, to be written out when somebody reads it."""
        return self._published.snapshot(self)

    @override
    def __copy__(self) -> Self:
        fresh = super().__copy__()
        fresh._publication = Publication()  # noqa: SLF001 - of this class
        return fresh
