"""One agent of a `LocalTeam`, driven by hand instead of by a model."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from copy import deepcopy
from itertools import count
from math import inf
from threading import RLock
from typing import TYPE_CHECKING
from uuid import uuid4

from cardwright.actors import ActorAddress
from cardwright.core import (
    CallContext,
    RetriableError,
    ToolFactory,
    ToolObserverGone,
    calling,
    noticing,
)
from cardwright.core.retry import is_async
from cardwright.tools import (
    AnyTool,
    Call,
    ConcurrencyConfig,
    JsonSchema,
    Tool,
    ToolArgumentValidationError,
    ToolIndeterminateError,
    ToolRefusal,
    ToolRegistry,
    ToolTimedOutError,
    WorkersBusyError,
)
from cardwright.tools.context import context_of_call
from cardwright.tools.payload import RawArguments

from .background_loop import BackgroundLoop
from .conversation import as_messages
from .errors import RetryRequested
from .member import TeamMember

if TYPE_CHECKING:
    from cardwright.store.teams import RunningTeam

_TOLD = (
    ToolArgumentValidationError,
    ToolTimedOutError,
    ToolIndeterminateError,
    WorkersBusyError,
)
"""Errors of the tool layer that the model is told about."""


class LocalAgent:
    """Bound cards of one agent; made by `LocalTeam.agent()`."""

    def __init__(  # noqa: PLR0913 - what `LocalTeam.agent` was asked for, passed on
        self,
        member: TeamMember,
        factory: ToolFactory,
        loop: BackgroundLoop,
        commands: Sequence[Callable[..., object]] = (),
        *,
        tools: Sequence[AnyTool] = (),
        tenant: str | None = None,
        concurrency: ConcurrencyConfig | None = None,
        raises: bool = True,
        stored: "RunningTeam | None" = None,
    ) -> None:
        """Gather what the cards serve.

        Raises:
            ValueError: Tools, commands or context states share a name.
            ToolDefinitionError: A tool cannot be described to a model, or its name is taken.
        """
        self.factory = factory
        """The bound cards."""
        self.member = member
        """The actor that observes them."""
        served = [*map(Tool.from_function, factory.get_tools()), *tools]
        self.registry = ToolRegistry(
            served, concurrency=concurrency, timeouts=_ceilings(served, concurrency)
        )
        """What checks, bounds and records every call; `observe()` it for spans."""
        self.tools: Mapping[str, AnyTool] = {
            name: self.registry.resolve(name) for name in self.registry.names
        }
        """What the model could call, by name: tools of cards, then decorated functions."""
        self.commands = factory.get_command_registry(list(commands))
        """What people and code can call: `commands.callable(name)` answers native values."""
        self.history: list[str] = []
        """Context updates delivered so far; clear it to see what a trimmed conversation gets."""
        self.run_id = f"run-{uuid4()}"
        """Run that calls belong to; with the call's id it is the idempotency key."""
        self.tenant = tenant
        """Whom calls are made for; the ambient `ToolContext` says it when this is `None`."""
        self.raises = raises
        """Whether a state that cannot be read raises; else it is logged and left out."""
        self._approvals: set[str] = set()
        self._updater = factory.get_context_updater()
        self._loop = loop
        self._stored = stored
        self._calls = count(1)
        self._delivering = RLock()
        """Held while an update is composed and counts as delivered: one number is one update."""

    @property
    def name(self) -> str:
        """Name in the team."""
        return self.member.myAddress.name

    @property
    def address(self) -> ActorAddress:
        """Address of the agent's actor."""
        return self.member.myAddress

    def call(self, tool: str, /, **arguments: object) -> object:
        """Call a tool with JSON values, as a model would send them; asynchronous tools too.

        Raises:
            RetryRequested: The arguments are refused or the tool asks for others; `str()` is what
                the model would be told.
            ToolNotFoundError: No card serves a tool of that name.
            ApprovalRequiredError: A person must agree first: see `approve`.
            ToolObserverGone: The agent was dismissed, or its team has stopped.
        """
        return self._called(tool, arguments)

    def call_text(self, tool: str, text: str | bytes, /) -> object:
        """Call a tool with the JSON text of its arguments, as it comes from a provider.

        Raises:
            RetryRequested: As `call`.
            ToolNotFoundError: As `call`.
        """
        return self._called(tool, text)

    def approve(self, digest: str) -> None:
        """Agree once to the call of an `ApprovalRequiredError`: that tool with those arguments."""
        self._approvals.add(digest)

    def schema(self, tool: str) -> JsonSchema:
        """The schema of a tool's arguments exactly as a model is sent it; a copy.

        Raises:
            ToolNotFoundError: No card serves a tool of that name.
        """
        return deepcopy(self.registry.resolve(tool).parameters_schema)

    def dispatch(self, text: str) -> str | None:
        """Run a command line such as `/hire_member Developer`; `None` for nothing to say.

        Raises:
            CommandNotRecognized: The first word names no command.
            Exception: Whatever the logic raised while the command read a state; with
                `raises=False` it is logged, and the answer says that it is unavailable.
        """
        with (
            self._until_stored(),
            calling(CallContext(run_id=self.run_id)),
            self._noticing(),
        ):
            if self._is_async_command(text):
                return self._loop.run(self.commands.dispatch_async(text))
            return self.commands.dispatch(text)

    def system_prompts(self) -> list[str]:
        """The static texts of the prefix, rendered now."""
        with self._noticing():
            return [prompt() for prompt in self.factory.get_system_prompts()]

    def context_update(self) -> str | None:
        """The block that the next turn would carry, `None` when nothing is new.

        It counts as delivered: the following one is numbered on and tells only what changed since.

        Raises:
            Exception: Whatever the logic raised while a state was read or rendered; nothing is
                delivered then. With `raises=False` it is logged, and its section is left out.
        """
        with self._delivering, self._until_stored(), self._noticing():
            block = self._updater.compose_update(as_messages(self.history))
            if block is not None:
                self.history.append(block)
            if self._stored is not None:
                # What was delivered is stored with the agent's state, before the next turn ends.
                self.member.state.notify_if_changed()
        return block

    def forget(self) -> None:
        """Start a new conversation: the next context update is number 1 and complete."""
        with self._delivering:
            self.history.clear()
            self._updater.reset()

    def refuse_departed(self) -> None:
        """Let nobody act for an agent that has left its team.

        Raises:
            ToolObserverGone: It was dismissed, or its team has stopped.
        """
        if not self.address.is_alive():
            raise ToolObserverGone(f"{self.name} has left: it was dismissed, or its team stopped")

    @contextmanager
    def _until_stored(self) -> Generator[None]:
        """Begin nothing while the team pauses, and answer once what was done is stored."""
        if self._stored is None:
            yield
            return
        self._stored.require_store()
        try:
            yield
        finally:
            self._stored.flush()

    def _called(self, name: str, raw: RawArguments) -> object:
        self.refuse_departed()
        with self._until_stored():
            return self._answered(name, raw)

    def _answered(self, name: str, raw: RawArguments) -> object:
        call_id = f"call-{next(self._calls)}"
        call = Call(
            CallContext(self.run_id, call_id),
            context_of_call(self.tenant, self.run_id, call_id),
            self._approved,
        )
        try:
            with self._noticing():
                return self._loop.run(self.registry.invoke(name, raw, agent=self.name, call=call))
        except _TOLD as error:
            raise RetryRequested(str(error), tool=name) from error
        except RetriableError as error:
            raise RetryRequested(str(error), tool=name, failure=error.failure) from error
        except ToolRefusal as refused:
            return str(refused)

    def _noticing(self) -> AbstractContextManager[None]:
        return noticing() if self.raises else nullcontext()

    def _approved(self, digest: str) -> bool:
        agreed = digest in self._approvals
        self._approvals.discard(digest)
        return agreed

    def _is_async_command(self, text: str) -> bool:
        words = text.removeprefix("/").split(maxsplit=1)
        name = words[0] if words else ""
        return self.commands.has(name) and is_async(self.commands.callable(name))


def _ceilings(
    tools: Sequence[AnyTool], concurrency: ConcurrencyConfig | None
) -> dict[str, float | None]:
    """The configured ceilings of these tools, where they are tighter than the declared ones."""
    seconds = {} if concurrency is None else concurrency.per_tool_seconds
    return {
        tool.name: min(seconds[tool.name], tool.timeout or inf)
        for tool in tools
        if tool.name in seconds
    }
