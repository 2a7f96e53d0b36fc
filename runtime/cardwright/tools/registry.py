"""The tools there are, and the way to call them: one registry serves many views."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from math import inf
from typing import Any, NamedTuple

from .clock import MONOTONIC, Clock
from .concurrency import ConcurrencyConfig
from .definition import AnyTool
from .dispatch import Call, Dispatcher
from .errors import ConfigurationError, ToolDefinitionError, ToolError, ToolNotFoundError
from .names import origin_of
from .payload import RawArguments
from .schema import JsonSchema
from .spans import CallRecord, Observers, SpanObserver
from .view import AgentToolView
from .workers import WorkerPool

_PLAIN = Call()


class ToolDeclaration(NamedTuple):
    """What a model is told about a tool."""

    name: str
    description: str
    parameters: JsonSchema
    parallel_safe: bool


class ToolRegistry:
    """Holds tools under their names, for good: none is ever replaced or taken out.

    Every call is checked, bounded and recorded here. Registering grants nothing: an agent calls
    through a view of what it may call.
    """

    def __init__(
        self,
        tools: Iterable[AnyTool] = (),
        *,
        concurrency: ConcurrencyConfig | None = None,
        timeouts: Mapping[str, float | None] | None = None,
        abandon_after: float = 30.0,
        clock: Clock | None = None,
        workers: WorkerPool | None = None,
    ) -> None:
        """Register `tools`.

        Args:
            tools: In the order in which a model is told about them.
            concurrency: Widths of the lanes.
            timeouts: Ceilings in seconds that win over those of the tools; `None` for no ceiling.
            abandon_after: Seconds that a cancelled body has to stop.
            clock: What ceilings and durations run on.
            workers: Where synchronous bodies run; threads of their own when left out.

        Raises:
            ToolDefinitionError: Two tools share a name.
            ConfigurationError: A ceiling is not positive, or of a tool that is not there.
        """
        self._clock = clock or MONOTONIC
        self._dispatcher = Dispatcher(
            concurrency or ConcurrencyConfig(),
            clock=self._clock,
            abandon_after=abandon_after,
            workers=workers,
        )
        self._tools: dict[str, AnyTool] = {}
        self._origins: dict[str, str] = {}
        self._observers = Observers()
        self._declarations: tuple[ToolDeclaration, ...] | None = None
        for tool in tools:
            self.register(tool)
        self._timeouts = dict(timeouts or {})
        self._refuse_ceilings(abandon_after)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tools in the order of their registration."""
        return tuple(self._tools)

    def register(self, tool: AnyTool, *, origin: str = "") -> None:
        """Add a tool; the same object again is no error.

        Args:
            tool: The tool.
            origin: Where it comes from, for messages; its module and qualified name when left out.

        Raises:
            ToolDefinitionError: Another tool has the name; names both origins.
        """
        found = self._tools.get(tool.name)
        if found is tool:
            return
        origin = origin or origin_of(tool.function)
        if found is not None:
            raise ToolDefinitionError(
                f"{tool.name!r} is offered by {self._origins[tool.name]} and by {origin}: "
                "rename one or leave it out",
                tool=tool.name,
            )
        self._dispatcher.admit(tool)
        self._tools[tool.name] = tool
        self._origins[tool.name] = origin
        self._declarations = None

    def observe(self, callback: SpanObserver) -> None:
        """Have `callback` called with the span of every call, in the task of the call."""
        self._observers.add(callback)

    def resolve(self, name: str) -> AnyTool:
        """The tool of that name.

        Raises:
            ToolNotFoundError: There is none.
        """
        tool = self._tools.get(name)
        if tool is None:
            raise ToolNotFoundError(_absent(name, self.names), tool=name, known=self.names)
        return tool

    def declarations(self) -> tuple[ToolDeclaration, ...]:
        """What a model is told, in the order of registration: the same on every call."""
        if self._declarations is None:
            self._declarations = tuple(map(declaration, self._tools.values()))
        return self._declarations

    def timeout_for(self, name: str) -> float | None:
        """The ceiling of a tool in seconds: the registry's, else the tool's own, else none.

        Raises:
            ToolNotFoundError: There is no such tool.
        """
        tool = self.resolve(name)
        return self._timeouts.get(name, tool.timeout)

    def view(self, *, allow: Iterable[str], agent: str = "") -> AgentToolView:
        """What one agent may call: the named tools, fixed now, in the order of registration.

        Raises:
            ToolNotFoundError: A name is not registered.
            ConfigurationError: Nothing is allowed.
        """
        allowed = {self.resolve(name).name for name in allow}
        if not allowed:
            raise ConfigurationError(f"agent {agent!r} may call nothing: name its tools in `allow`")
        return AgentToolView(self, tuple(name for name in self._tools if name in allowed), agent)

    async def invoke(
        self, name: str, arguments: RawArguments, *, agent: str = "", call: Call = _PLAIN
    ) -> object:
        """Call a tool with what a model sent, under its ceiling and in its lanes.

        Args:
            name: The tool.
            arguments: JSON text or an object.
            agent: Whose call it is, for the span.
            call: What the host knows about the call.

        Raises:
            ToolNotFoundError: There is no such tool.
            ToolArgumentValidationError: The arguments are refused; the body was not entered.
            Exception: As `run`.
        """
        started = self._clock.monotonic()
        tool = self._tools.get(name) or self._resolved(name, agent, started)
        try:
            keywords = tool.validator.arguments(arguments, call_id=call.known_as.tool_call_id or "")
        except ToolError as error:
            _attribute(error, call)
            self._tell(CallRecord(name, agent, started), error)
            raise
        return await self._run(tool, keywords, call, CallRecord(name, agent, started))

    def read(
        self, name: str, arguments: RawArguments, *, agent: str = "", call_id: str = ""
    ) -> dict[str, Any]:
        """Check arguments now, for a host that runs the tool later.

        Raises:
            ToolNotFoundError: There is no such tool.
            ToolArgumentValidationError: The arguments are refused; the call is over and recorded.
        """
        started = self._clock.monotonic()
        tool = self._tools.get(name) or self._resolved(name, agent, started)
        try:
            return tool.validator.arguments(arguments, call_id=call_id)
        except ToolError as error:
            self._tell(CallRecord(name, agent, started), error)
            raise

    async def run(
        self, name: str, keywords: Mapping[str, object], *, agent: str = "", call: Call = _PLAIN
    ) -> object:
        """Call a tool with arguments that `read` has checked.

        Raises:
            ToolNotFoundError: There is no such tool.
            ApprovalRequiredError: A person must agree first.
            ToolExecutionError: The body needs a context and there is none.
            WorkersBusyError: No lane or worker came free in time.
            ToolIndeterminateError: An earlier attempt of this call may have taken effect.
            ToolTimedOutError: The ceiling elapsed.
            Exception: What the body raised, as it is or as the tool's error map has it.
        """
        started = self._clock.monotonic()
        tool = self._tools.get(name) or self._resolved(name, agent, started)
        return await self._run(tool, keywords, call, CallRecord(name, agent, started))

    def deny(self, name: str, agent: str, error: ToolError) -> None:
        """Record a call that a view does not let through."""
        self._tell(CallRecord(name, agent, self._clock.monotonic()), error)

    async def _run(
        self, tool: AnyTool, keywords: Mapping[str, object], call: Call, record: CallRecord
    ) -> object:
        ceiling = self._timeouts.get(tool.name, tool.timeout)
        try:
            return await self._dispatcher.enter(tool, keywords, ceiling, call, record)
        except BaseException as error:
            record.error = error
            _attribute(error, call)
            raise
        finally:
            self._observers.tell(record, self._clock)

    def _tell(self, record: CallRecord, error: BaseException) -> None:
        record.error = error
        self._observers.tell(record, self._clock)

    def _resolved(self, name: str, agent: str, started: float) -> AnyTool:
        try:
            return self.resolve(name)
        except ToolNotFoundError as error:
            self._tell(CallRecord(name, agent, started), error)
            raise

    def _refuse_ceilings(self, abandon_after: float) -> None:
        unknown = sorted(self._timeouts.keys() - self._tools.keys())
        if unknown:
            raise ConfigurationError(
                f"timeouts names tools that are not there: {', '.join(unknown)}"
            )
        wrong = sorted(n for n, s in self._timeouts.items() if s is not None and not 0 < s < inf)
        if wrong:
            raise ConfigurationError(
                f"a ceiling must be above 0 seconds, or None for none: {', '.join(wrong)}"
            )
        if not abandon_after >= 0:
            message = "abandon_after must be at least 0 seconds"
            raise ConfigurationError(message)


def _attribute(error: BaseException, call: Call) -> None:
    """Say whose call an error of the tool layer ended."""
    if isinstance(error, ToolError):
        error.run_id = error.run_id or call.known_as.run_id
        if call.context is not None:
            error.tenant = error.tenant or call.context.tenant


def declaration(tool: AnyTool) -> ToolDeclaration:
    """What a model is told about `tool`."""
    return ToolDeclaration(tool.name, tool.description, tool.parameters_schema, tool.parallel_safe)


def _absent(name: str, known: tuple[str, ...]) -> str:
    if not known:
        return f"there is no tool {name!r}: none is registered"
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(sorted(known))}"
    return f"there is no tool {name!r}: {hint}"
