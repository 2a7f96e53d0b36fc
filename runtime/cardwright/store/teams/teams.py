"""Create, list, stop, resume and delete teams whose state survives anything."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Self
from uuid import UUID, uuid4

from pydantic import BaseModel

from cardwright.actors import (
    ActorAddress,
    ActorSystem,
    AgentCard,
    BaseConfig,
    EventSubscriber,
    Orchestrator,
)
from cardwright.store.errors import (
    ConcurrencyError,
    CorruptStoreError,
    StoreError,
    TeamNotFoundError,
)
from cardwright.store.opening import open_store
from cardwright.store.protocol import EventStore
from cardwright.store.records import Lease, TeamRecord
from cardwright.store.teams.collection import without_collection
from cardwright.store.teams.deletion import delete_elsewhere
from cardwright.store.teams.errors import TeamStateError
from cardwright.store.teams.history import History, read_outcome
from cardwright.store.teams.lease_keeper import TTL, LeaseKeeper, owner_name, place_of, take_lease
from cardwright.store.teams.persister import Persister
from cardwright.store.teams.process import StoredMetadata, TeamProcess
from cardwright.store.teams.profiles import load_profiles, save_profiles
from cardwright.store.teams.revival import Revival
from cardwright.store.teams.running import GRACE, RunningTeam
from cardwright.store.teams.states import KnownState, StateBook
from cardwright.store.teams.turn_guard import TurnGuard

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TeamInfo:
    """A team as it is listed."""

    process: TeamProcess
    record: TeamRecord
    lease: Lease | None
    """Where it runs; None if it does not."""

    @property
    def state(self) -> str:
        """`running`, `stopped`, or `interrupted`: its process ended without stopping it."""
        if self.lease is not None:
            return "running"
        return "interrupted" if self.process.status == "running" else "stopped"


class Teams:
    """The teams of one store, and those of them that run in this process.

    Leave it through `with` or `close()`, which stops what runs here.
    """

    def __init__(
        self,
        store: EventStore | str,
        system: ActorSystem | None = None,
        *,
        lease_seconds: float = TTL,
    ) -> None:
        """Open the store if a URL is given.

        Args:
            store: an open store, which stays open afterwards, or a URL (see `open_store`).
            system: where the actors live; one of its own by default.
            lease_seconds: how long a vanished process keeps its teams from being resumed elsewhere.
        """
        self._stack = ExitStack()
        opened = open_store(store) if isinstance(store, str) else store
        self.store: EventStore = opened
        """The store itself."""
        if isinstance(store, str):
            self._stack.callback(opened.close)
        self.system = system or ActorSystem()
        """Where the actors of the teams live."""
        if system is None:
            self._stack.callback(self.system.shutdown)
        self._ttl = lease_seconds
        self._running: dict[UUID, RunningTeam] = {}
        self._lock = Lock()

    def create(  # noqa: PLR0913 - keywords only
        self,
        *,
        team_id: UUID | None = None,
        name: str = "",
        metadata: BaseModel | None = None,
        cards: Sequence[AgentCard] = (),
        user_id: str | None = None,
        user_email: str | None = None,
        orchestrator: type[Orchestrator] = Orchestrator,
        subscribers: Sequence[EventSubscriber] = (),
    ) -> RunningTeam:
        """Start a team that is stored from its first message on.

        Args:
            team_id: identifier; a fresh one by default.
            name: what people call it.
            metadata: what the team is about.
            cards: profiles of roles.
            user_id: for whom the team works; an opaque text.
            user_email: the address of that person.
            orchestrator: class of its orchestrator.
            subscribers: told of everything that happens, after the store.

        Raises:
            TeamExistsError: there is a team of that id.
            StoreError: the store does not take it; nothing runs then.
        """
        process = TeamProcess(
            team_id=team_id or uuid4(),
            name=name,
            user_id=user_id,
            user_email=user_email,
            metadata=None if metadata is None else StoredMetadata.of(metadata),
            agent_cards=save_profiles(self.store, cards),
        )
        self.store.create_team(str(process.team_id), process.dump(), labels=_labels(process))
        with ExitStack() as undo:
            undo.callback(self._forget, process.team_id)
            lease = self._lease(process.team_id, undo)
            address = self.system.createActor(
                orchestrator,
                user_id=user_id,
                user_email=user_email,
                team_id=process.team_id,
                config=BaseConfig(name="@Orchestrator", role="Orchestrator"),
            )
            undo.callback(_stop_quietly, self.system, address)
            root = self.system.proxy_ask(address, Orchestrator)
            team = self._run(address, lease, History())
            undo.callback(_give_up, team)
            root.follow(team.persister)
            _subscribe(root, subscribers)
            root.set_metadata(metadata)
            root.register_agent_profiles(list(cards))
            team.flush()
            undo.pop_all()
        return team

    def resume(
        self, team_id: UUID | str, subscribers: Sequence[EventSubscriber] = ()
    ) -> RunningTeam:
        """Bring a team back to life that was stopped, or whose process died.

        Raises:
            TeamNotFoundError: there is no such team.
            TeamRunsElsewhereError: it runs, or did until moments ago on another machine.
            CardNotFoundError: a card of the team is missing.
            CorruptStoreError: what is stored of it is damaged.
        """
        process = _read(self.store.load_team(str(team_id)))
        with without_collection():
            return self._resumed(process, subscribers)

    def _resumed(self, process: TeamProcess, subscribers: Sequence[EventSubscriber]) -> RunningTeam:
        with ExitStack() as undo:
            lease = self._lease(process.team_id, undo)
            cards = load_profiles(self.store, process.agent_cards)
            history, items = read_outcome(self.store, str(process.team_id))
            if history.sequence == 0:
                # The process that created it died before anybody could know of it.
                self._forget(process.team_id)
                raise TeamNotFoundError(str(process.team_id))
            with _restoring(subscribers, process.team_id):
                read = partial(_payloads, self.store, str(process.team_id))
                revival = Revival(self.system, process, history, items, read)
                undo.callback(_stop_quietly, self.system, revival.orchestrator)
                root = revival.root
                if process.metadata is not None:
                    root.set_metadata(process.metadata.load())
                root.register_agent_profiles(cards)
                revival.rebuild()
            team = self._run(revival.orchestrator, lease, history)
            undo.callback(_give_up, team)
            root.follow(team.persister, {UUID(it) for it in history.members})
            _subscribe(root, subscribers)
            revival.go_on()
            self._update(process.team_id, lambda _: {"status": "running"})
            team.flush()
            undo.pop_all()
        return team

    def stop(self, team_id: UUID | str, grace: float = GRACE) -> None:
        """Stop a team that runs here; one that its dead process left behind is marked as stopped.

        Raises:
            TeamNotFoundError: there is no such team.
            TeamStateError: it runs in another process, which has to stop it.
            TeamNotStoredError: it has stopped, but the store did not take its last doings.
        """
        info = self.show(team_id)
        team = self.running(info.process.team_id)
        if team is not None:
            team.stop(grace)
        elif info.lease is not None:
            raise TeamStateError(
                f"Team {team_id} runs elsewhere ({place_of(info.lease.owner)}): stop it there."
            )
        elif info.process.status != "stopped":
            self._update(team_id, lambda _: {"status": "stopped"})

    def delete(self, team_id: UUID | str) -> None:
        """Delete a team that does not run, for good: log, states and record; shared cards stay.

        What installed packages keep of it elsewhere goes too, such as its vectors.

        Raises:
            TeamNotFoundError: there is no such team.
            TeamStateError: it runs here.
            TeamRunsElsewhereError: it runs elsewhere.
            TeamRemainsError: it is deleted, but something of it elsewhere could not be.
        """
        process = self.show(team_id).process
        if self.running(process.team_id) is not None:
            raise TeamStateError(f"Team {team_id} is running. Stop it first.")
        stream = str(process.team_id)
        with ExitStack() as leaving:
            lease = self._lease(process.team_id, leaving)
            self.store.delete_stream(stream, epoch=lease.epoch)
        delete_elsewhere(process.team_id)

    def show(self, team_id: UUID | str) -> TeamInfo:
        """Return what is recorded of a team.

        Raises:
            TeamNotFoundError: there is no such team.
        """
        return self._info(self.store.load_team(str(team_id)))

    def list(self) -> Iterator[TeamInfo]:
        """Yield all teams, oldest first; a damaged record is logged and left out."""
        for record in self.store.list_teams():
            try:
                info = self._info(record)
            except StoreError as error:
                logger.warning("Team %s is left out: %s", record.team_id, error)
                continue
            yield info

    def running(self, team_id: UUID | str) -> RunningTeam | None:
        """Return a team that runs here."""
        with self._lock:
            return self._running.get(UUID(str(team_id)))

    def set_metadata(self, team_id: UUID | str, metadata: BaseModel | None) -> None:
        """Store what the team is about, then tell the team if it runs here."""
        stored = None if metadata is None else StoredMetadata.of(metadata)
        self._update(team_id, lambda _: {"metadata": stored})
        if (team := self.running(team_id)) is not None:
            team.root.set_metadata(metadata)

    def set_cards(self, team_id: UUID | str, cards: Sequence[AgentCard]) -> None:
        """Store further profiles (a later one of a role counts), then tell the team."""
        saved = save_profiles(self.store, cards)

        def added(process: TeamProcess) -> dict[str, object]:
            refs = {ref.role: ref for ref in [*process.agent_cards, *saved]}
            return {"agent_cards": [*refs.values()]}

        self._update(team_id, added)
        if (team := self.running(team_id)) is not None:
            team.root.register_agent_profiles([*cards])

    def close(self) -> None:
        """Stop what runs here; close the store and the actor system, if they are ours."""
        with self._lock:
            for team in self._running.values():
                # Each of them, whatever another one raises.
                self._stack.callback(team.stop)
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _lease(self, team_id: UUID, undo: ExitStack) -> Lease:
        lease = take_lease(self.store, str(team_id), owner_name(), self._ttl)
        undo.callback(_release_quietly, self.store, lease)
        return lease

    def _run(self, address: ActorAddress, lease: Lease, history: History) -> RunningTeam:
        names = {it.agent_id: it.name for it in history.members.values()}
        known = {key: KnownState(names.get(key, ""), it) for key, it in history.states.items()}
        persister = Persister(
            self.store,
            address.team_id,
            TurnGuard(address, self.system.get_actor),
            epoch=lease.epoch,
            sequence=history.sequence,
            book=StateBook(known),
        )
        team = RunningTeam(address.team_id, self.system, address, persister, self._ended)
        with self._lock:
            self._running[team.team_id] = team
        team.keep(LeaseKeeper(self.store, lease, self._ttl, team.lose))
        return team

    def _ended(self, team: RunningTeam, failure: StoreError | None) -> None:
        with self._lock:
            self._running.pop(team.team_id, None)
        if failure is not None:
            return
        try:
            self._update(team.team_id, lambda _: {"status": "stopped"})
        except StoreError as error:
            logger.warning(
                "Team %s has stopped; its record does not say so: %s", team.team_id, error
            )

    def _update(
        self, team_id: UUID | str, changed: Callable[[TeamProcess], Mapping[str, object]]
    ) -> None:
        """Replace fields of the record by what `changed` makes of it, whoever else writes to it."""
        while True:
            record = self.store.load_team(str(team_id))
            process = _read(record)
            process = process.model_copy(update=changed(process))
            with suppress(ConcurrencyError):
                self.store.update_team(
                    record.team_id,
                    process.dump(),
                    expected_version=record.version,
                    labels=_labels(process),
                )
                return

    def _forget(self, team_id: UUID) -> None:
        """Leave no trace of a team that could not be created; its id stays free if it can."""
        with suppress(StoreError):
            if self.store.get_max_sequence(str(team_id)):
                self.delete(team_id)
            else:
                record = self.store.load_team(str(team_id))
                self.store.delete_team(record.team_id, expected_version=record.version)

    def _info(self, record: TeamRecord) -> TeamInfo:
        return TeamInfo(_read(record), record, self.store.current_lease(record.team_id))


def _read(record: TeamRecord) -> TeamProcess:
    try:
        return TeamProcess.load(record.payload)
    except ValueError as error:
        text = " ".join(str(error).split())[:200]
        raise CorruptStoreError(f"The record of team {record.team_id}", text) from error


def _labels(process: TeamProcess) -> dict[str, str]:
    labels = {"status": process.status, "user_id": process.user_id or ""}
    return {key: value for key, value in labels.items() if value}


def _subscribe(root: Orchestrator, subscribers: Sequence[EventSubscriber]) -> None:
    for subscriber in subscribers:
        root.subscribe(subscriber)


def _restoring(subscribers: Sequence[EventSubscriber], team_id: UUID) -> ExitStack:
    stack = ExitStack()
    for subscriber in subscribers:
        hook = getattr(subscriber, "set_restoring", None)
        if hook is not None:
            hook(team_id, restoring=True)
            stack.callback(partial(hook, team_id, restoring=False))
    return stack


def _stop_quietly(system: ActorSystem, address: ActorAddress) -> None:
    try:
        system.proxy_ask(address, Orchestrator).stop(GRACE).wait()
    except Exception:
        logger.exception("A team that could not be started does not stop.")


def _give_up(team: RunningTeam) -> None:
    team.lose(StoreError("it could not be started"))
    with suppress(StoreError):
        team.persister.join(GRACE)


def _release_quietly(store: EventStore, lease: Lease) -> None:
    with suppress(StoreError):
        store.release_lease(lease)


def _payloads(store: EventStore, team_id: str, after: int, count: int) -> list[str]:
    return [event.payload for event in store.read(team_id, after=after, limit=count)]
