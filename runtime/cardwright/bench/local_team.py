"""A team of real actors in this process, without models."""

import threading
import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self
from uuid import UUID, uuid4

from pydantic import BaseModel

from cardwright.actors import ActorSystem, BaseConfig, Orchestrator
from cardwright.core import ToolCard, ToolFactory
from cardwright.tools import AnyTool, ConcurrencyConfig

from .background_loop import BackgroundLoop
from .given import copies_of, team_id_of
from .local_agent import LocalAgent
from .member import TeamMember

if TYPE_CHECKING:
    from cardwright.actors import ActorAddress
    from cardwright.store import EventStore
    from cardwright.store.teams import RunningTeam, Teams


class LocalTeam:
    """Agents with cards, an orchestrator and the tool actors that the agents share.

    Leave it through `with` or `stop()`. A team that is merely dropped stops as well, in the
    background; its threads never keep the process alive.

    With a store it outlives the process: a tool's answer is given once what it did is stored, and
    the same `team_id` resumes the team. Name its agents again then: each takes up its member.
    """

    def __init__(
        self,
        *,
        team_id: UUID | str | None = None,
        name: str = "",
        metadata: BaseModel | None = None,
        concurrency: ConcurrencyConfig | None = None,
        store: "EventStore | str | None" = None,
    ) -> None:
        """Start the team's orchestrator.

        Args:
            team_id: Identity of the team; a fresh one when left out.
            name: What people call a stored team; one that is resumed keeps its own.
            metadata: What the team is about.
            concurrency: How many tools each agent may call at once.
            store: Where the team is kept: an open store, or a URL such as `sqlite:///team.db`.

        Raises:
            ValueError: `team_id` is no UUID, or `store` no URL of a store.
            StoreError: The store cannot be opened, or the team runs elsewhere.
        """
        self.team_id = uuid4() if team_id is None else team_id_of(team_id)
        self.agents: dict[str, LocalAgent] = {}
        """The agents, by name."""
        self._concurrency = concurrency
        self._system = ActorSystem()
        self._loop = BackgroundLoop()
        try:
            self._teams = None if store is None else _teams(store, self._system)
        except BaseException:
            self._system.shutdown()
            raise
        self._finalizer = weakref.finalize(self, _abandon, self._system, self._loop, self._teams)
        self._finalizer.atexit = False  # daemon threads end with the process
        self._stored: RunningTeam | None = None
        try:
            self.orchestrator = self._started(name, metadata)
            """Address of the orchestrator."""
        except BaseException:
            self.stop()
            raise

    def _started(self, name: str, metadata: BaseModel | None) -> "ActorAddress":
        if self._teams is not None:
            self._stored = _stored_team(self._teams, self.team_id, name, metadata)
            return self._stored.orchestrator
        made = self._system.createActor(
            Orchestrator,
            team_id=self.team_id,
            config=BaseConfig(name="@Orchestrator", role="Orchestrator"),
        )
        if metadata is not None:
            self._system.proxy_ask(made, Orchestrator).set_metadata(metadata)
        return made

    def agent(
        self,
        name: str,
        cards: Sequence[ToolCard],
        *,
        role: str = "Agent",
        commands: Sequence[Callable[..., object]] = (),
        tools: Sequence[AnyTool] = (),
        tenant: str | None = None,
        raises: bool = True,
    ) -> LocalAgent:
        """Add an agent that carries copies of `cards`.

        Args:
            name: Its name in the team, such as `@Alice`.
            cards: Configuration to bind; the objects given stay unbound and may be given again.
            role: Its role in the team.
            commands: Further commands, beside those of the cards.
            tools: Decorated functions, beside the tools of the cards.
            tenant: Whom its calls are made for, as tools see it in their `ToolContext`.
            raises: Whether a state that cannot be read raises, for tests; `False` logs it and
                leaves it out, as an agent with a model does.

        Raises:
            ValueError: The name is taken or does not begin with `@`, or the cards do not fit
                together: the text names them.
            CardDefinitionError: A card and its logic do not fit together.
            ToolDefinitionError: A tool cannot be described to a model, or its name is taken.
        """
        self._refuse_name(name)
        copies = copies_of(cards)
        member = self._member(name, role)
        try:
            return self._bound(member, copies, commands, tools, tenant, raises=raises)
        except BaseException:
            self._stop_member(member)
            raise

    def agent_again(
        self,
        name: str,
        cards: Sequence[ToolCard],
        *,
        tools: Sequence[AnyTool] = (),
        tenant: str | None = None,
        raises: bool = True,
    ) -> LocalAgent:
        """Bind copies of `cards` to an agent that is in the team already, beside those it has.

        For a host that builds its agent anew for each request: whoever holds the former cards
        goes on with them, and the team sees one member.

        Raises:
            LookupError: No agent has that name.
            ValueError: The cards do not fit together, or a tool actor has another configuration.
            RuntimeError: The team has stopped.
        """
        self._refuse_stopped()
        member = self._agent(name).member
        return self._bound(member, copies_of(cards), (), tools, tenant, raises=raises)

    def dismiss(self, name: str) -> None:
        """Take an agent out of the team; tool actors stay, as others may use them.

        Raises:
            LookupError: No agent has that name.
        """
        member = self._agent(name).member
        del self.agents[name]
        self._stop_member(member)

    def events[E](self, kind: type[E] = object) -> list[E]:  # type: ignore[assignment]  # any kind
        """Domain events of the team so far, in the order in which they were published.

        Args:
            kind: Only events of this class, such as `ToolStateEvent`.
        """
        published = (message.event for message in self._orchestrator().get_events())
        return [event for event in published if isinstance(event, kind)]

    def actor[A](self, name: str, actor_class: type[A]) -> A:
        """A proxy whose calls wait for the answer of a living actor, such as `#PlanningTool`.

        Raises:
            LookupError: Nobody in the team has that name.
        """
        address = self._orchestrator().get_team_member(name)
        if address is None:
            raise LookupError(f"nobody in the team is called {name}")
        return self._system.proxy_ask(address, actor_class)

    @property
    def metadata(self) -> BaseModel | None:
        """What the team is about; assigning replaces it."""
        return self._orchestrator().get_metadata()

    @metadata.setter
    def metadata(self, metadata: BaseModel) -> None:
        if self._teams is not None:
            self._teams.set_metadata(self.team_id, metadata)
        else:
            self._orchestrator().set_metadata(metadata)

    @property
    def stopped(self) -> bool:
        """Whether the team has been stopped."""
        return not self._finalizer.alive

    @property
    def is_stored(self) -> bool:
        """Whether the team outlives the process, so that `flush` has something to wait for."""
        return self._stored is not None

    def stop(self) -> None:
        """Stop every agent and tool actor, and wait for them; again is no error."""
        if self._finalizer.detach() is None:
            return
        _end(self._system, self._loop, self._teams)

    def flush(self) -> None:
        """Wait until all that the team did is stored; without a store, nothing.

        Raises:
            TeamPausedError: The store does not take it for now; the text says why.
        """
        if self._stored is not None:
            self._stored.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.stop()

    def _refuse_stopped(self) -> None:
        if self.stopped:
            raise RuntimeError("this team has stopped: make a new LocalTeam")

    def _orchestrator(self) -> Orchestrator:
        self._refuse_stopped()
        return self._system.proxy_ask(self.orchestrator, Orchestrator)

    def _refuse_name(self, name: str) -> None:
        if not name or name.startswith("#"):
            raise ValueError(f"{name!r} is no name of an agent: use one such as '@Alice'")
        if not name.startswith("@"):
            raise ValueError(f"names of agents begin with @: use '@{name}'")
        found = self._orchestrator().get_team_member(name)
        taken = found is not None and (self._stored is None or name in self.agents)
        if taken or name == self.orchestrator.name:
            raise ValueError(f"the team has a member of the name {name}: choose another")

    def _agent(self, name: str) -> LocalAgent:
        if name not in self.agents:
            raise LookupError(f"no agent is called {name}")
        return self.agents[name]

    def _bound(
        self,
        member: TeamMember,
        copies: Sequence[ToolCard],
        commands: Sequence[Callable[..., object]],
        tools: Sequence[AnyTool],
        tenant: str | None,
        *,
        raises: bool,
    ) -> LocalAgent:
        agent = LocalAgent(
            member,
            ToolFactory(copies, member),
            self._loop,
            commands,
            tools=tools,
            tenant=tenant,
            concurrency=self._concurrency,
            raises=raises,
            stored=self._stored,
        )
        self.agents[agent.name] = agent
        return agent

    def _member(self, name: str, role: str) -> TeamMember:
        config = BaseConfig(name=name, role=role)
        # A member that came back from the store is taken up; one of another class is refused.
        address = self._orchestrator().getChildrenOrCreate(TeamMember, config)
        return self._system.proxy_ask(address, TeamMember).itself()

    def _stop_member(self, member: TeamMember) -> None:
        member.akgent_ref.stop()


def _abandon(system: ActorSystem, loop: BackgroundLoop, teams: "Teams | None") -> None:
    """Stop in the background: a collected team may be collected on one of its own threads."""
    stop = partial(_end, system, loop, teams)
    threading.Thread(target=stop, name="cardwright-bench-stop", daemon=True).start()


def _end(system: ActorSystem, loop: BackgroundLoop, teams: "Teams | None") -> None:
    try:
        loop.stop()
    finally:
        try:
            if teams is not None:
                teams.close()
        finally:
            system.shutdown()


def _teams(store: "EventStore | str", system: ActorSystem) -> "Teams":
    from cardwright.store.teams import Teams

    return Teams(store, system)


def _stored_team(
    teams: "Teams", team_id: UUID, name: str, metadata: BaseModel | None
) -> "RunningTeam":
    """Resume the team of that id, or create it."""
    from cardwright.store import TeamNotFoundError

    try:
        team = teams.resume(team_id)
    except TeamNotFoundError:
        return teams.create(team_id=team_id, name=name, metadata=metadata)
    if metadata is not None:
        teams.set_metadata(team_id, metadata)
    return team
