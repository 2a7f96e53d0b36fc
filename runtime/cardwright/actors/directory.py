"""The living actors of one system."""

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

if TYPE_CHECKING:
    from cardwright.actors.refs import AkgentRef

__all__ = ["Awaited", "Directory"]


class Awaited(NamedTuple):
    """A child of an earlier life that comes back: whoever creates its like creates it."""

    agent_id: UUID
    actor_type: str
    name: str


class Directory:
    """Knows the living actors of one system, so that nothing ever touches those of another.

    Actors enter it when they start and leave it when their thread ends.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._refs: dict[UUID, AkgentRef] = {}
        self._awaited: dict[UUID, list[Awaited]] = {}
        self._lock = Lock()

    def add(self, ref: "AkgentRef") -> None:
        """Enter a starting actor."""
        with self._lock:
            self._refs[ref.identity.agent_id] = ref

    def discard(self, ref: "AkgentRef") -> None:
        """Forget an actor that ended, unless a successor has taken its id."""
        with self._lock:
            if self._refs.get(ref.identity.agent_id) is ref:
                del self._refs[ref.identity.agent_id]

    def get(self, agent_id: UUID) -> "AkgentRef | None":
        """Return the living actor of that id, or None."""
        with self._lock:
            ref = self._refs.get(agent_id)
        return ref if ref is not None and ref.is_alive() else None

    def living(self) -> "list[AkgentRef]":
        """Return all living actors, oldest first."""
        with self._lock:
            refs = list(self._refs.values())
        return [ref for ref in refs if ref.is_alive()]

    def await_children(self, parent: UUID, children: list[Awaited]) -> None:
        """Expect children of `parent`, which is about to be revived; `[]`: no more."""
        with self._lock:
            if children:
                self._awaited[parent] = [*children]
            else:
                self._awaited.pop(parent, None)

    def claim(self, parent: UUID, actor_type: str, name: str) -> Awaited | None:
        """Return the first awaited child of that class and name, once.

        Without a name, one that was named after its class is taken.
        """
        unnamed = f"{actor_type.rpartition('.')[2]} ("
        with self._lock:
            awaited = self._awaited.get(parent, [])
            for child in awaited:
                alike = child.name == name if name else child.name.startswith(unnamed)
                if alike and child.actor_type == actor_type:
                    awaited.remove(child)
                    return child
        return None
