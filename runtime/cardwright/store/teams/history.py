"""What the log of a team says about now: who lives, what waits, what each member knows."""

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

from cardwright.actors.messages import ReceivedMessage
from cardwright.actors.registry import marker_of
from cardwright.store.errors import CorruptStoreError
from cardwright.store.protocol import EventStore
from cardwright.store.records import Snapshot, StoredEvent
from cardwright.store.teams.log_keys import LogItem, LogKeys
from cardwright.store.teams.notices import TeamResumedEvent
from cardwright.store.teams.patches import patched
from cardwright.store.teams.payloads import Data, StateChange, as_data
from cardwright.store.teams.turn_texts import TurnText, turn_of

logger = logging.getLogger(__name__)

EPHEMERAL_PREFIX = "#defer-"
"""Names of workers whose start messages may not yet say that they are ephemeral."""
ROOM = 64_000_000
"""Characters of the log that a resume keeps from one look at it to the next."""
_ITEM = 8
"""What one takes that is no text: most are the same objects."""
RESUMED = marker_of(TeamResumedEvent)
_MESSAGES = "cardwright.actors.messages."


@dataclass(frozen=True, slots=True)
class StoredMember:
    """A member that has started and not stopped, as the log tells of it."""

    agent_id: str
    name: str
    role: str
    actor_type: str
    start: Data
    """Its start message."""

    @property
    def config(self) -> Data:
        """Its configuration, with the type marker."""
        return cast("Data", self.start["config"])

    @property
    def parent_id(self) -> str | None:
        """Who created it."""
        parent = cast("Data | None", self.start.get("parent"))
        return None if parent is None else str(parent["agent_id"])

    @property
    def is_ephemeral(self) -> bool:
        """Whether it lived for one piece of work, which its end took along."""
        return self.name.startswith(EPHEMERAL_PREFIX) or self.start.get("ephemeral") is True


@dataclass(slots=True)
class History:
    """A fold over the log, event by event; it needs no class of the team."""

    messages: list[Data] = field(default_factory=list[Data])
    """What the orchestrator has in its log, if it is wanted."""
    states: dict[str, object] = field(default_factory=dict[str, object])
    """The last stored state of each member, by agent id."""
    members: dict[str, StoredMember] = field(default_factory=dict[str, StoredMember])
    """Who lives, by agent id in the order of their start, the orchestrator first."""
    mail: dict[tuple[str, str], Data] = field(default_factory=dict[tuple[str, str], Data])
    """Sent and not dealt with: message id and recipient's agent id -> the sent message."""
    begun: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Of these, those whose turn had begun."""
    tool_events: dict[str, int] = field(default_factory=dict[str, int])
    """The last number of each tool's events."""
    sequence: int = 0
    _covered: dict[str, int] = field(default_factory=dict[str, int])
    _stopping: bool = False
    _with_messages: bool = True

    def start_from(self, snapshots: Iterable[Snapshot]) -> None:
        """Take whole states; changes up to their sequence are in them already."""
        for snapshot in snapshots:
            try:
                self.states[snapshot.key] = as_data(snapshot.payload)["state"]
            except (ValueError, KeyError):
                logger.warning(
                    "The snapshot of %s is unreadable: the log tells the state.", snapshot.key
                )
                continue
            self._covered[snapshot.key] = snapshot.sequence

    def add(self, event: StoredEvent) -> TurnText | Data:
        """Take the next event; return what its text says."""
        self.sequence = event.sequence
        turn = None if self._with_messages else turn_of(event.payload)
        if turn is not None:
            self._turn(turn)
            return turn
        data = as_data(event.payload)
        change = StateChange.of(data)
        if change is not None:
            self._change(change, event.sequence)
            return data
        kind = str(data.get("__model__", "")).removeprefix(_MESSAGES)
        if kind == "OutsideMessage":
            # Mail that no orchestrator has in its log.
            self._sent(data)
            return data
        if self._with_messages:
            self.messages.append(data)
        self._follow(kind, data)
        return data

    def interrupted(self) -> Iterator[tuple[Data, str]]:
        """Yield the messages whose turns had begun and did not end, with the recipient's id."""
        for key in self.begun:
            if key in self.mail:
                yield cast("Data", self.mail[key]["message"]), key[1]

    def waiting(self) -> Iterator[tuple[Data, str]]:
        """Yield the messages that nobody had begun with, oldest first, with the recipient's id."""
        for key, sent in self.mail.items():
            if key not in self.begun:
                yield cast("Data", sent["message"]), key[1]

    def _turn(self, turn: TurnText) -> None:
        if turn.kind is ReceivedMessage:
            self.begun.add((turn.message_id, turn.sender_id))
        else:
            self._end_turn(turn.message_id, turn.sender_id)

    def _follow(self, kind: str, data: Data) -> None:
        sender = _sender_id(data)
        match kind:
            case "SentMessage":
                self._sent(data)
            case "ReceivedMessage":
                self.begun.add((str(data["message_id"]), sender))
            case "ProcessedMessage":
                self._close(data, sender)
            case "HandledMessage":
                self._handled(data, sender)
            case "EventMessage":
                self._event(data.get("event"))
            case "StartMessage":
                self._started(data, sender)
            case "StopMessage":
                self.members.pop(sender, None)
                self.states.pop(sender, None)
            case _:
                pass

    def _change(self, change: StateChange, sequence: int) -> None:
        if sequence <= self._covered.get(change.agent_id, 0):
            return
        self.states[change.agent_id] = patched(self.states.get(change.agent_id), change.patch)

    def _started(self, data: Data, sender: str) -> None:
        who = cast("Data", data["sender"])
        self.members[sender] = StoredMember(
            sender, str(who["name"]), str(who["role"]), str(who["__actor_type__"]), data
        )

    def _sent(self, data: Data) -> None:
        message, recipient = cast("Data", data["message"]), cast("Data", data["recipient"])
        if recipient["team_id"] != data["team_id"]:
            # Another team's mail: that one looks after it.
            return
        self.mail[str(message["id"]), str(recipient["agent_id"])] = data

    def _close(self, data: Data, sender: str) -> None:
        self._end_turn(str(data["message_id"]), sender)

    def _end_turn(self, message_id: str, sender: str) -> None:
        self.mail.pop((message_id, sender), None)
        self.begun.discard((message_id, sender))

    def _handled(self, data: Data, sender: str) -> None:
        if self._stopping and data.get("parent_id") is None and self._known(data, sender):
            # It was in the inbox when the team was stopped, and nobody has looked at it.
            return
        self._close(data, sender)

    def _known(self, data: Data, sender: str) -> bool:
        key = (str(data["message_id"]), sender)
        return key in self.mail and key not in self.begun

    def _event(self, event: object) -> None:
        if not isinstance(event, dict):
            return
        told = cast("Data", event)
        if told.get("__model__") == f"{_MESSAGES}TeamStoppingEvent":
            self._stopping = True
        elif told.get("__model__") == RESUMED:
            self._stopping = False
        elif isinstance(told.get("tool_id"), str) and isinstance(told.get("seq"), int):
            tool, number = cast("str", told["tool_id"]), cast("int", told["seq"])
            self.tool_events[tool] = max(number, self.tool_events.get(tool, 0))


def read_history(store: EventStore, team_id: str, *, from_log_alone: bool = False) -> History:
    """Read the log of a team; with its snapshots, unless everything is to come from the log.

    Raises:
        CorruptStoreError: the log is damaged.
        StreamGone: the team was deleted.
    """
    history = History()
    if not from_log_alone:
        history.start_from(store.load_snapshots(team_id))
    return _folded(history, store, team_id)


def read_outcome(store: EventStore, team_id: str) -> tuple[History, Iterator[LogItem]]:
    """Read the same without the messages; return it with an item for each event, to go over once.

    Memory hardly grows with the log: texts that it has no room for are read again.

    Raises:
        CorruptStoreError: the log is damaged.
        StreamGone: the team was deleted.
    """
    history = History(_with_messages=False)
    history.start_from(store.load_snapshots(team_id))
    kept: list[LogItem] = []
    _folded(history, store, team_id, kept)
    return history, _texts(store, team_id, kept, history.sequence)


def _texts(store: EventStore, team_id: str, kept: list[LogItem], until: int) -> Iterator[LogItem]:
    yield from kept
    read = len(kept)
    kept.clear()
    if read < until:
        yield from (it.payload for it in store.read(team_id, after=read, limit=until - read))


def _folded(
    history: History, store: EventStore, team_id: str, kept: list[LogItem] | None = None
) -> History:
    room = ROOM
    keys = LogKeys(team_id)
    for event in store.read(team_id):
        try:
            said = history.add(event)
        except (ValueError, KeyError, TypeError) as error:
            where = f"Event {event.sequence} of team {team_id}"
            raise CorruptStoreError(where, f"{type(error).__name__}: {error}") from error
        if kept is not None and room > 0:
            item = keys.item(said, event.payload)
            room -= len(item) if isinstance(item, str) else _ITEM
            kept.append(item)
    return history


def _sender_id(data: Data) -> str:
    sender = data.get("sender")
    return str(cast("Data", sender)["agent_id"]) if isinstance(sender, dict) else ""
