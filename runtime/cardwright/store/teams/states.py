"""What is stored of the states: changes in the log, and now and then a whole state."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from cardwright.actors.changes import Snapshot
from cardwright.actors.messages import StateChangedMessage
from cardwright.store.teams.intake import StateNote
from cardwright.store.teams.json_text import as_text
from cardwright.store.teams.patches import Patch
from cardwright.store.teams.payloads import StateChange
from cardwright.store.teams.quick_renewal import quick_renewal
from cardwright.store.teams.renewal import renewal


@dataclass(slots=True)
class KnownState:
    """The state of one member as it was stored last."""

    name: str
    value: object
    published: BaseModel | Snapshot[Any] | None = None
    """The state itself, as it was published; None if this process has not seen it."""
    own: set[str] = field(default_factory=set[str])
    """Fields of `value` that nobody else refers to: changed in place."""
    whole_size: int = 0
    """Characters of its last snapshot; 0 if there is none."""
    changed_size: int = 0
    """Characters of the changes since."""

    def snapshot(self) -> str:
        """Return the whole state as text, and count changes from here on."""
        text = as_text({"name": self.name, "state": self.value})
        self.whole_size, self.changed_size = len(text), 0
        return text


class StateBook:
    """Turns published states into changes; a snapshot is due when the changes outgrow it.

    So what is written grows with what changed, and a resume reads at most twice the state.
    """

    def __init__(self, known: dict[str, KnownState] | None = None) -> None:
        """Start with what is stored already, by agent id."""
        self._known = known or {}

    def change(self, message: StateChangedMessage | StateNote) -> tuple[StateChange, str] | None:
        """Return what the log has to take up, and its text; None if nothing changed.

        Raises:
            ValueError: the state has no stored form; what is stored of it stays as it was.
        """
        if message.sender is None:
            return None
        agent_id, name = str(message.sender.agent_id), message.sender.name
        known = self._known.setdefault(agent_id, KnownState(name, None))
        patch = _moved_on(known, message.state)
        change = None if patch is None else StateChange(agent_id, name, patch)
        return None if change is None else (change, change.dump())

    def count(self, change: StateChange, size: int) -> str | None:
        """Take note of the size of a change in the log; return a snapshot if one is due."""
        known = self._known[change.agent_id]
        known.changed_size += size
        return known.snapshot() if known.changed_size > known.whole_size else None

    def forget(self, agent_id: str) -> None:
        """Drop a member that has stopped; nothing of it is needed any more."""
        self._known.pop(agent_id, None)

    def rest(self) -> dict[str, str]:
        """Return snapshots of all states with changes since their last one."""
        return {key: it.snapshot() for key, it in self._known.items() if it.changed_size}


def _moved_on(known: KnownState, state: BaseModel | Snapshot[Any]) -> Patch | None:
    """Take note of a state, and return what changes the last one to it."""
    before = known.published
    quick = None
    if isinstance(before, Snapshot) and isinstance(state, Snapshot):
        quick = quick_renewal(before, state, known.value)
    if quick is None:
        patch, known.value = renewal(_written(before), _written(state), known.value)
        known.own.clear()
    else:
        patch = quick.patch
        known.value = quick.applied(known.value, known.own)
    known.published = state
    return patch


def _written(state: BaseModel | Snapshot[Any] | None) -> BaseModel | None:
    return state.state() if isinstance(state, Snapshot) else state
