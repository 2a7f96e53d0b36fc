"""What is stored of the states: changes in the log, and now and then a whole state."""

from dataclasses import dataclass

from cardwright.actors.messages import StateChangedMessage
from cardwright.store.teams.json_text import as_text
from cardwright.store.teams.payloads import StateChange
from cardwright.store.teams.renewal import renewal


@dataclass(slots=True)
class KnownState:
    """The state of one member as it was stored last."""

    name: str
    value: object
    published: object = None
    """The state itself, as it was published; None if this process has not seen it."""
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

    def change(self, message: StateChangedMessage) -> tuple[StateChange, str] | None:
        """Return what the log has to take up, and its text; None if nothing changed.

        Raises:
            ValueError: the state has no stored form; what is stored of it stays as it was.
        """
        if message.sender is None:
            return None
        agent_id, name = str(message.sender.agent_id), message.sender.name
        known = self._known.setdefault(agent_id, KnownState(name, None))
        patch, value = renewal(known.published, message.state, known.value)
        change = None if patch is None else StateChange(agent_id, name, patch)
        found = None if change is None else (change, change.dump())
        known.published, known.value = message.state, value
        return found

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
