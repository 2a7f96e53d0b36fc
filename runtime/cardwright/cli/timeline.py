"""What happened in a team, one line per event."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from cardwright.store.teams.payloads import Data, StateChange, as_data

if TYPE_CHECKING:
    from cardwright.store import StoredEvent

LEDGER = {"ReceivedMessage", "ProcessedMessage"}
"""Entries that say no more than that a turn began or ended."""
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One event for people."""

    sequence: int
    time: str
    who: str
    kind: str
    what: str

    @property
    def is_ledger(self) -> bool:
        """Whether only the beginning or the end of a turn is told."""
        return self.kind in LEDGER

    def text(self) -> str:
        """Return the line."""
        return f"{self.sequence:>7}  {self.time}  {self.who:<18}  {self.what}".rstrip()


def line_of(event: "StoredEvent") -> Line:
    """Return what people read of an event; no class of the team is needed."""
    data = as_data(event.payload)
    time = event.recorded_at.astimezone().strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
    change = StateChange.of(data)
    if change is not None:
        what = f"knows more: {_fields(change)}"
        return Line(event.sequence, time, change.name, "StateChange", what)
    kind = _short(data.get("__model__"))
    return Line(event.sequence, time, _name(data.get("sender")), kind, _said(kind, data))


def _said(kind: str, data: Data) -> str:
    told = _SAID.get(kind)
    return _message(data) if told is None else _cut(told(data))


def _event(event: object) -> str:
    if not isinstance(event, dict):
        return _cut(str(event))
    told = cast("Data", event)
    kind = _short(told.get("__model__"))
    if kind == "ToolStateEvent":
        return f"{told.get('tool_id')} #{told.get('seq')}: {_message(told.get('payload'))}"
    return _message(told)


def _message(message: object) -> str:
    """Name a message or event, with what is particular to it."""
    if not isinstance(message, dict):
        return _cut(str(message))
    data = cast("Data", message)
    common = {"id", "parent_id", "team_id", "timestamp", "sender", "recipient", "display_type"}
    own = {key: it for key, it in data.items() if key not in common and key != "__model__"}
    parts = [f"{key}={it}" for key, it in own.items() if not isinstance(it, dict | list)]
    return _cut(" ".join([_short(data.get("__model__")), *parts]))


def _fields(change: StateChange) -> str:
    changed = change.patch.get("~")
    if not isinstance(changed, dict):
        return "all of it"
    return ", ".join(key for key in cast("Data", changed) if key != "__model__") or "less"


def _name(address: object) -> str:
    return str(cast("Data", address).get("name")) if isinstance(address, dict) else "-"


def _actor_type(address: object) -> object:
    return cast("Data", address).get("__actor_type__") if isinstance(address, dict) else None


def _brief(data: Data) -> str:
    return str(data.get("message_id"))[:8]


def _short(marker: object) -> str:
    return str(marker or "unknown").rpartition(".")[2]


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


_SAID: dict[str, Callable[[Data], str]] = {
    "StartMessage": lambda data: f"starts as {_short(_actor_type(data.get('sender')))}",
    "StopMessage": lambda _: "stops",
    "SentMessage": lambda data: (
        f"to {_name(data.get('recipient'))}: {_message(data.get('message'))}"
    ),
    "ReceivedMessage": lambda data: f"begins with {_brief(data)}",
    "ProcessedMessage": lambda data: f"is done with {_brief(data)}",
    "HandledMessage": lambda data: f"took up {_brief(data)} without a turn",
    "EventMessage": lambda data: f"event {_event(data.get('event'))}",
    "ErrorMessage": lambda data: f"fails: {data.get('content_type')}: {data.get('content')}",
    "WarningMessage": lambda data: f"warns: {data.get('content_type')}: {data.get('content')}",
}
