"""Cards as one capability of a pydantic-ai agent."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self, cast, override

from anyio import to_thread
from pydantic import ValidationError
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.capabilities import (
    AbstractCapability,
    CapabilityOrdering,
    RawToolArgs,
    ValidatedToolArgs,
)
from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, UserPromptPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, CombinedToolset

from cardwright.bench import LocalAgent, LocalTeam
from cardwright.core import CommandRegistry, ToolCard
from cardwright.tools import AnyTool, CallLimits, RepairConfig, ToolRegistry

from .allowance import Allowance
from .conversations import Conversation, Conversations
from .spec import cards_from_spec
from .teams import Seat, take_seat
from .toolset import CardToolset


@dataclass(init=False)
class Cards(AbstractCapability[object]):
    """Gives an agent its cards: tools, toolsets, system prompts, context updates and commands.

    Agent(model, capabilities=[Cards(cards=[PlanningTool()], agent="@Alice", team=team)])

    Tools and system prompts form a prefix that is the same in every request. What changes is told
    at the tail, in at most one block per request, which stays in the message history.

    Built again for the same agent of the same team, it is the same member: a web handler may make
    its agent per request. A member stays until the last `Cards` of it is closed, or its team ends.
    """

    cards: Sequence[ToolCard]
    """Configuration to bind; the objects given stay unbound."""
    agent: str
    """Name of the agent in its team."""
    team: LocalTeam | str | None
    """Team whose tool actors the cards share: the team itself, or a name that is one team
    throughout this process, for as long as a `Cards` is in it. `None` is a team of the agent's own.
    """
    _: KW_ONLY
    role: str
    """Role of the agent in its team."""
    max_retries: int | None
    """How often a tool may be asked again within a run; `None` for the agent's own setting."""
    tenant: str | None
    """Whom calls are made for, as tools see it in their `ToolContext`."""
    repair: RepairConfig | None
    """How often a run may correct refused arguments, over all its tools."""
    limits: CallLimits
    """How many tools a turn, and a run, may call."""

    _seat: Seat = field(repr=False, compare=False)
    _bound: LocalAgent = field(repr=False, compare=False)
    _toolset: AbstractToolset[object] = field(repr=False, compare=False)
    _conversations: Conversations = field(repr=False, compare=False)
    _conversation: Conversation = field(repr=False, compare=False)
    _prompts: list[str] = field(repr=False, compare=False)
    _allowance: Allowance = field(repr=False, compare=False)

    def __init__(  # noqa: PLR0913 - each is one choice of a reader, and most leave them
        self,
        cards: Sequence[ToolCard] = (),
        agent: str = "@Agent",
        team: LocalTeam | str | None = None,
        *,
        tools: Sequence[AnyTool] = (),
        role: str = "Agent",
        max_retries: int | None = None,
        tenant: str | None = None,
        repair: RepairConfig | None = None,
        limits: CallLimits | None = None,
    ) -> None:
        """Bind the cards.

        Args:
            cards: Configuration to bind; the objects given stay unbound.
            agent: Name of the agent in its team.
            team: The team, its name, or `None` for one of the agent's own.
            tools: Decorated functions, beside the tools of the cards.
            role: Role of the agent in its team.
            max_retries: How often each tool may be asked again within a run; `None` for the
                agent's own setting.
            tenant: Whom calls are made for; the ambient `ToolContext` says it when left out.
            repair: How often a run may correct refused arguments, over all its tools; `None`
                leaves it to `max_retries`.
            limits: How many tools a turn, and a run, may call; without limit when left out.

        Raises:
            ValueError: The name belongs to a member with another role or other cards, or the
                cards do not fit together.
            TypeError: `cards` is no list of cards.
            ToolDefinitionError: A tool cannot be described to a model, or its name is taken.
        """
        super().__init__()
        self.cards, self.agent, self.team, self.role = cards, agent, team, role
        self.max_retries, self.tenant = max_retries, tenant
        self.repair, self.limits = repair, limits or CallLimits()
        self._seat = take_seat(team, agent, cards, role=role, tools=tools, tenant=tenant)
        self._bound = self._seat.agent
        self._prompts = []
        self._conversations = Conversations(self._bound.factory.get_context_states())
        self._conversation = self._conversations.of(None)
        self._toolset = _toolset_of(self._bound, self.max_retries, repair)
        self._allowance = Allowance(self._bound, self.repair, self.limits)

    @classmethod
    @override
    def get_serialization_name(cls) -> str:
        return "Cards"

    @classmethod
    @override
    def from_spec(
        cls,
        cards: list[str | dict[str, Any]],
        agent: str = "@Agent",
        team: str | None = None,
        role: str = "Agent",
        max_retries: int | None = None,
    ) -> "Cards":
        """Cards from an agent spec.

        Args:
            cards: Card names of installed catalogues, or mappings `{card: Name, field: value}`.
            agent: Name of the agent in its team.
            team: Agents that name the same team share it.
            role: Role of the agent in its team.
            max_retries: How often a tool may be asked again within a run.

        Raises:
            ValueError: No installed catalogue has the card, or its fields do not validate.
        """
        found = cards_from_spec(cards)
        return cls(found, agent=agent, team=team, role=role, max_retries=max_retries)

    @property
    def joined(self) -> LocalTeam:
        """The team the agent is in, however it was given: its events, metadata and actors."""
        return self._seat.team

    @property
    def tools(self) -> Mapping[str, AnyTool]:
        """The tools of the agent, by name: those of cards, then decorated functions."""
        return self._bound.tools

    @property
    def registry(self) -> ToolRegistry:
        """What checks, bounds and records every call: `registry.observe(callback)` for spans."""
        return self._bound.registry

    @property
    def commands(self) -> CommandRegistry:
        """The commands of the cards: `commands.callable(name)` answers native values."""
        return self._bound.commands

    def dispatch(self, text: str) -> str | None:
        """Run a command line such as `/planning_summary`; `None` for nothing to say.

        Raises:
            CommandNotRecognized: The first word names no command.
        """
        return self._bound.dispatch(text)

    def close(self) -> None:
        """Leave the team, once nothing runs any more; again is no error.

        The last `Cards` of an agent takes the agent out of its team, and the last agent of an own
        or named team stops it. A `LocalTeam` that was given is left to whoever made it.
        """
        self._seat.leave()

    @override
    def get_ordering(self) -> CapabilityOrdering:
        """Innermost: what a history processor removed is known when an update is composed."""
        return CapabilityOrdering(position="innermost")

    @override
    async def for_run(self, ctx: RunContext[object]) -> Self:
        """The capability of one run: its conversation, and its system prompts rendered once.

        Raises:
            RuntimeError: It was closed.
        """
        if self._seat.closed:
            raise RuntimeError("these Cards were closed: build them again")
        prompts = await to_thread.run_sync(self._bound.system_prompts)
        run = copy(self)
        run._prompts = [prompt for prompt in prompts if prompt]  # noqa: SLF001 - a copy of self
        run._conversation = self._conversations.of(ctx.conversation_id)  # noqa: SLF001 - as above
        run._allowance = Allowance(self._bound, self.repair, self.limits)  # noqa: SLF001 - as above
        return run

    @override
    def get_instructions(self) -> list[str] | None:
        return self._prompts or None

    @override
    def get_toolset(self) -> AbstractToolset[object]:
        return self._toolset

    @override
    async def before_model_request(
        self, ctx: RunContext[object], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Append what changed, to this request and to the history."""
        messages = request_context.messages
        if messages and isinstance(messages[-1], ModelRequest):
            block = await to_thread.run_sync(self._conversation.update, list(messages))
            if block is not None:
                ctx.enqueue(UserPromptPart(block))
        return request_context

    @override
    async def after_model_request(
        self,
        ctx: RunContext[object],
        *,
        request_context: ModelRequestContext,
        response: ModelResponse,
    ) -> ModelResponse:
        """Count the calls of a turn before any of them is dispatched.

        Raises:
            CallLimitError: The run has made all the calls that it may.
        """
        self._allowance.admit(request_context, response)
        return response

    @override
    async def before_tool_validate(
        self,
        ctx: RunContext[object],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: RawToolArgs,
    ) -> RawToolArgs:
        """Let no call of a turn through that makes too many."""
        self._allowance.refuse_turn()
        return args

    @override
    async def on_tool_validate_error(
        self,
        ctx: RunContext[object],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: RawToolArgs,
        error: ValidationError | ModelRetry,
    ) -> ValidatedToolArgs:
        """Take a refusal of arguments out of the budget of the run.

        Raises:
            RepairBudgetSpentError: There is none left.
        """
        self._allowance.repair(call, error)
        raise error


def _toolset_of(
    bound: LocalAgent, max_retries: int | None, repair: RepairConfig | None
) -> AbstractToolset[object]:
    least = 0 if repair is None else repair.attempts
    own = CardToolset(f"cards-{bound.name}", bound, max_retries, least)
    others = cast("list[AbstractToolset[object]]", bound.factory.get_toolsets())
    return CombinedToolset([own, *others]) if others else own
