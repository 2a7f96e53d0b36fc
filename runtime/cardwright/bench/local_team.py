"""A team of real actors in this process, without models."""

import threading
import weakref
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self
from uuid import UUID, uuid4

from pydantic import BaseModel

from cardwright.actors import ActorSystem, BaseConfig, Orchestrator
from cardwright.core import ToolCard, ToolFactory
from cardwright.tools import AnyTool, ConcurrencyConfig

from .background_loop import BackgroundLoop
from .given import copies_of
from .local_agent import LocalAgent
from .member import TeamMember


class LocalTeam:
    """Agents with cards, an orchestrator and the tool actors that the agents share.

    Leave it through `with` or `stop()`. A team that is merely dropped stops as well, in the
    background; its threads never keep the process alive.
    """

    def __init__(
        self,
        *,
        team_id: UUID | None = None,
        metadata: BaseModel | None = None,
        concurrency: ConcurrencyConfig | None = None,
    ) -> None:
        """Start the team's orchestrator.

        Args:
            team_id: Identity of the team; a fresh one when left out.
            metadata: What the team is about.
            concurrency: How many tools each agent may call at once.
        """
        self.team_id = team_id or uuid4()
        self.agents: dict[str, LocalAgent] = {}
        """The agents, by name."""
        self._concurrency = concurrency
        self._system = ActorSystem()
        self._loop = BackgroundLoop()
        self._finalizer = weakref.finalize(self, _abandon, self._system, self._loop)
        self._finalizer.atexit = False  # daemon threads end with the process
        self.orchestrator = self._system.createActor(
            Orchestrator,
            team_id=self.team_id,
            config=BaseConfig(name="@Orchestrator", role="Orchestrator"),
        )
        """Address of the orchestrator."""
        if metadata is not None:
            self.metadata = metadata

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
        """
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
        self._orchestrator().set_metadata(metadata)

    @property
    def stopped(self) -> bool:
        """Whether the team has been stopped."""
        return not self._finalizer.alive

    def stop(self) -> None:
        """Stop every agent and tool actor, and wait for them; again is no error."""
        if self._finalizer.detach() is None:
            return
        _stop_all(self._system, self._loop)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _orchestrator(self) -> Orchestrator:
        if self.stopped:
            raise RuntimeError("this team has stopped: make a new LocalTeam")
        return self._system.proxy_ask(self.orchestrator, Orchestrator)

    def _refuse_name(self, name: str) -> None:
        if not name or name.startswith("#"):
            raise ValueError(f"{name!r} is no name of an agent: use one such as '@Alice'")
        if not name.startswith("@"):
            raise ValueError(f"names of agents begin with @: use '@{name}'")
        taken = self._orchestrator().get_team_member(name) is not None
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
        )
        self.agents[agent.name] = agent
        return agent

    def _member(self, name: str, role: str) -> TeamMember:
        config = BaseConfig(name=name, role=role)
        address = self._orchestrator().createActor(TeamMember, config=config)
        return self._system.proxy_ask(address, TeamMember).itself()

    def _stop_member(self, member: TeamMember) -> None:
        member.akgent_ref.stop()


def _abandon(system: ActorSystem, loop: BackgroundLoop) -> None:
    """Stop in the background: a collected team may be collected on one of its own threads."""
    threading.Thread(
        target=_stop_all, args=(system, loop), name="cardwright-bench-stop", daemon=True
    ).start()


def _stop_all(system: ActorSystem, loop: BackgroundLoop) -> None:
    try:
        loop.stop()
    finally:
        system.shutdown()
