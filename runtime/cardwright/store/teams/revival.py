"""A stored team comes to life again: members, states, log and mail."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import batched
from typing import cast
from uuid import UUID

from cardwright.actors import (
    ActorAddress,
    ActorDeadError,
    ActorSystem,
    Akgent,
    BaseConfig,
    BaseState,
    Orchestrator,
    deserialize_object,
)
from cardwright.actors.addresses import ActorAddressImpl
from cardwright.actors.akgent import AnyAkgent
from cardwright.actors.class_paths import class_from_path
from cardwright.actors.directory import Awaited
from cardwright.actors.messages import (
    EventMessage,
    HandledMessage,
    Message,
    StartMessage,
    StopMessage,
    TeamStoppingEvent,
    WarningMessage,
)
from cardwright.actors.records import Record, kind_of
from cardwright.actors.refs import ASK_TIMEOUT, AkgentRef
from cardwright.actors.serialization import hydrate_addresses
from cardwright.store.errors import CorruptStoreError
from cardwright.store.teams.fast_messages import LiveAddresses, MessageReader
from cardwright.store.teams.history import History, StoredMember
from cardwright.store.teams.inert import InertConfig, InertMember
from cardwright.store.teams.log_keys import LogItem, LogKey
from cardwright.store.teams.notices import TeamResumedEvent
from cardwright.store.teams.payloads import message_of
from cardwright.store.teams.process import TeamProcess

logger = logging.getLogger(__name__)

TOOL_ROLE = "ToolActor"
_STRETCH = 512
"""Texts of the log that are counted, and read when somebody asks, at once."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a member is made of."""

    actor_class: type[AnyAkgent]
    config: BaseConfig
    state: BaseState | None


class Revival:
    """Rebuilds one team inside a system; used once."""

    def __init__(
        self,
        system: ActorSystem,
        process: TeamProcess,
        history: History,
        items: Iterable[LogItem],
        read: Callable[[int, int], Iterable[str]],
    ) -> None:
        """Take what is stored.

        Args:
            system: where the members live.
            process: what is recorded of the team.
            history: what came of its log.
            items: what its events are counted as, or their texts; gone over once.
            read: reads texts again: those behind a sequence, and how many.
        """
        self._items = items
        self._read = read
        self._system = system
        self._process = process
        self._history = history
        self._addresses = LiveAddresses()
        self._reader = MessageReader(self._addresses, process.team_id)
        self._ephemeral: list[StoredMember] = []
        self._awaited: dict[UUID, list[Awaited]] = {}
        self._installed: list[tuple[ActorAddress, BaseState]] = []
        self._await_children()
        self.orchestrator = self._make_orchestrator()
        """Address of the team's orchestrator."""

    @property
    def root(self) -> Orchestrator:
        """The orchestrator, to ask."""
        return self._system.proxy_ask(self.orchestrator, Orchestrator)

    def rebuild(self) -> None:
        """Revive the members with their states, then replay the log."""
        living = [it for it in self._history.members.values() if it.agent_id != self._root_id]
        for member in _parents_first(living):
            self._revive(member)
        for parent in self._awaited:
            self._system.directory.await_children(parent, [])
        for address, state in self._installed:
            self._bring_addresses_to_life(address, state)
        self._replay()
        self.root.end_restoration()
        self._recall_conversations()

    def go_on(self) -> None:
        """Tell of the new life, close what was interrupted, deliver the mail that waited.

        Call it when the subscribers listen again.
        """
        interrupted = list(self._history.interrupted())
        waiting = list(self._history.waiting())
        notice = TeamResumedEvent(redelivered=len(waiting), interrupted=len(interrupted))
        self.root.emitMessage(EventMessage(event=notice))
        for member in self._ephemeral:
            self._say(StopMessage(), self._addresses.get(member.agent_id))
        for data, recipient in interrupted:
            self._close_interrupted(data, self._addresses.get(recipient))
        for data, recipient in waiting:
            self._deliver(data, self._addresses.get(recipient))

    @property
    def _root_id(self) -> str:
        return str(self.orchestrator.agent_id)

    def _await_children(self) -> None:
        """Let actors that create children when they start create those that they had."""
        for member in self._history.members.values():
            if member.parent_id is not None and not member.is_ephemeral:
                awaited = Awaited(UUID(member.agent_id), member.actor_type, member.name)
                self._awaited.setdefault(UUID(member.parent_id), []).append(awaited)
        for parent, children in self._awaited.items():
            self._system.directory.await_children(parent, children)

    def _make_orchestrator(self) -> ActorAddress:
        if not self._history.members:
            raise CorruptStoreError(f"Team {self._process.team_id}", "its log names no member")
        root = next(iter(self._history.members.values()))
        recipe = _recipe(root, None)
        made = self._system.createActor(
            recipe.actor_class if issubclass(recipe.actor_class, Orchestrator) else Orchestrator,
            restoring=True,
            agent_id=root.agent_id,
            user_id=self._process.user_id,
            user_email=self._process.user_email,
            team_id=self._process.team_id,
            config=recipe.config,
        )
        self._addresses.add(made)
        return made

    def _revive(self, member: StoredMember) -> None:
        recipe = _recipe(member, self._history.states.get(member.agent_id))
        if member.is_ephemeral or recipe.actor_class.ephemeral:
            self._ephemeral.append(member)
            return
        parent = self._addresses.get(member.parent_id) or self.orchestrator
        made = (recipe.actor_class, UUID(member.agent_id), recipe.config)
        address = cast("ActorAddress", _ref(parent).call("_revive", made, {}, ASK_TIMEOUT))
        self._addresses.add(address)
        if recipe.state is not None:
            self._keep_counting(address, recipe.state)
            self._install(address, recipe.state)
            self._installed.append((address, recipe.state))

    def _bring_addresses_to_life(self, address: ActorAddress, state: BaseState) -> None:
        """Install the state anew if it names members, which had to be revived first."""
        hydrated = hydrate_addresses(state, self._alive)
        if hydrated is not state:
            self._install(address, hydrated)

    def _alive(self, address: ActorAddress) -> ActorAddress:
        return self._addresses.resolve_address(address.serialize())

    def _keep_counting(self, address: ActorAddress, state: BaseState) -> None:
        # Numbers that are in the log already were given out after the state was published.
        given_out = self._history.tool_events.get(address.name, 0)
        if isinstance(number := getattr(state, "event_seq", None), int):
            vars(state)["event_seq"] = max(number, given_out)

    def _install(self, address: ActorAddress, state: BaseState) -> None:
        try:
            self._system.proxy_ask(address, Akgent).init_state(state)
        except ActorDeadError:
            logger.exception("%s did not come to life again; what is stored of it stays.", address)

    def _replay(self) -> None:
        ref = _ref(self.orchestrator)
        after = 0
        for items in batched(self._items, _STRETCH):
            counts: Counter[LogKey] = Counter()
            joined: list[Message] = []
            for item in items:
                key = self._read_key(item, joined) if isinstance(item, str) else item
                if key is not None:
                    counts[key] += 1
            # The log keeps it, so it refers to nothing else of the revival.
            read = partial(_stretch, self._reader, self._read, after, len(items))
            ref.call("restore_page", (counts, read, joined), {}, None)
            after += len(items)

    def _read_key(self, text: str, joined: list[Message]) -> LogKey | None:
        """Return under what the log counts a text; keep who started or stopped."""
        entry = self._reader.entry_of(text)
        if entry is None or _is_end(entry):
            return None
        if isinstance(entry, StartMessage | StopMessage):
            joined.append(entry)
        return kind_of(entry), None if entry.sender is None else entry.sender.agent_id

    def _recall_conversations(self) -> None:
        by_agent: dict[ActorAddress, list[EventMessage]] = {}
        for event in self.root.get_events():
            if event.sender is not None:
                by_agent.setdefault(event.sender, []).append(event)
        for address, events in by_agent.items():
            if isinstance(address, ActorAddressImpl) and address.is_alive():
                self._system.proxy_ask(address, Akgent).init_llm_context(events)

    def _deliver(self, data: dict[str, object], recipient: ActorAddress | None) -> None:
        message = message_of(data, self._addresses)
        if message is None or not isinstance(recipient, ActorAddressImpl):
            return
        try:
            # Its mail is in the log already.
            recipient.ref.deliver(message)
        except ActorDeadError:
            logger.warning("%s waits on: %s is not there.", type(message).__name__, recipient)

    def _close_interrupted(self, data: dict[str, object], recipient: ActorAddress | None) -> None:
        message = message_of(data, self._addresses)
        if not isinstance(recipient, ActorAddressImpl) or recipient.ref.actor_class is InertMember:
            return
        told = WarningMessage(
            content_type="TurnInterrupted",
            content=f"{recipient.name} was interrupted; its work on this message may be half done.",
            current_message=message,
        )
        self._say(told, recipient)
        self._say(HandledMessage(message_id=UUID(str(data["id"]))), recipient)

    def _say(self, message: Message, sender: ActorAddress | None) -> None:
        if sender is not None:
            self.root.restore_message(message.init(sender, self._process.team_id))


def _is_end(entry: Message | Record) -> bool:
    """Tell whether it announces the end of an earlier life, which is over."""
    return isinstance(entry, EventMessage) and isinstance(entry.event, TeamStoppingEvent)


def _stretch(
    reader: MessageReader, read: Callable[[int, int], Iterable[str]], after: int, count: int
) -> list[Message | Record]:
    """Read a part of the log, as an orchestrator keeps it."""
    entries = (reader.entry_of(text) for text in read(after, count))
    return [entry for entry in entries if entry is not None and not _is_end(entry)]


def _ref(address: ActorAddress) -> AkgentRef:
    return cast("ActorAddressImpl", address).ref


def _recipe(member: StoredMember, state: object) -> Recipe:
    """Return what makes the member again, or an inert stand-in that keeps its place."""
    try:
        found = class_from_path(member.actor_type, Akgent, "actor_class", trusted=False)
        config = deserialize_object(member.config)
        loaded = None if state is None else deserialize_object(state)
    except ValueError as error:
        return _inert(member, " ".join(str(error).split())[:200])
    if not isinstance(config, BaseConfig):
        return _inert(member, f"the type of its configuration is not declared: {config!r}")
    if loaded is not None and not isinstance(loaded, BaseState):
        return _inert(member, f"the type of its state is not declared: {loaded!r}")
    return Recipe(found, config, loaded)


def _inert(member: StoredMember, reason: str) -> Recipe:
    logger.warning("%s stays inert, its stored data unchanged: %s", member.name, reason)
    squad = member.config.get("squad_id")
    config = InertConfig(
        name=member.name,
        role=member.role,
        squad_id=UUID(str(squad)) if squad else None,
        stored_type=member.actor_type,
        reason=reason,
    )
    return Recipe(InertMember, config, None)


def _parents_first(members: Iterable[StoredMember]) -> list[StoredMember]:
    """Order tool actors before others, and whoever created them before both."""
    waiting = {member.agent_id: member for member in members}
    ordered: list[StoredMember] = []

    def place(member: StoredMember) -> None:
        if waiting.pop(member.agent_id, None) is None:
            return
        if (parent := waiting.get(member.parent_id or "")) is not None:
            place(parent)
        ordered.append(member)

    for member in sorted(waiting.values(), key=lambda it: it.role != TOOL_ROLE):
        place(member)
    return ordered
