"""One agent of a `LocalTeam`, driven by hand instead of by a model."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from inspect import isawaitable
from itertools import count
from uuid import uuid4

from cardwright.actors import ActorAddress
from cardwright.core import CallContext, RetriableError, ToolFactory, calling
from cardwright.core.retry import is_async
from cardwright.tools import (
    JsonSchema,
    Tool,
    ToolArgumentValidationError,
    ToolNotFoundError,
    ToolTimedOutError,
)

from .background_loop import BackgroundLoop
from .conversation import as_messages
from .errors import RetryRequested
from .member import TeamMember


class LocalAgent:
    """Bound cards of one agent; made by `LocalTeam.agent()`."""

    def __init__(
        self,
        member: TeamMember,
        factory: ToolFactory,
        loop: BackgroundLoop,
        commands: Sequence[Callable[..., object]] = (),
    ) -> None:
        """Gather what the cards serve.

        Raises:
            ValueError: Tools, commands or context states share a name.
            ToolDefinitionError: A tool cannot be described to a model.
        """
        self.factory = factory
        """The bound cards."""
        self.member = member
        """The actor that observes them."""
        self.tools: Mapping[str, Tool] = {
            tool.name: tool for tool in map(Tool.from_function, factory.get_tools())
        }
        """What the model could call, by name."""
        self.commands = factory.get_command_registry(list(commands))
        """What people and code can call: `commands.callable(name)` answers native values."""
        self.history: list[str] = []
        """Context updates delivered so far; clear it to see what a trimmed conversation gets."""
        self.run_id = f"run-{uuid4()}"
        """Run that calls belong to; with the call's id it is the idempotency key."""
        self._updater = factory.get_context_updater()
        self._loop = loop
        self._calls = count(1)

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
        """
        return self._called(tool, arguments)

    def call_text(self, tool: str, text: str | bytes, /) -> object:
        """Call a tool with the JSON text of its arguments, as it comes from a provider.

        Raises:
            RetryRequested: As `call`.
            ToolNotFoundError: As `call`.
        """
        return self._called(tool, text)

    def schema(self, tool: str) -> JsonSchema:
        """The schema of a tool's arguments exactly as a model is sent it; a copy.

        Raises:
            ToolNotFoundError: No card serves a tool of that name.
        """
        return deepcopy(self._found(tool).parameters_schema)

    def dispatch(self, text: str) -> str | None:
        """Run a command line such as `/hire_member Developer`; `None` for nothing to say.

        Raises:
            CommandNotRecognized: The first word names no command.
        """
        with calling(CallContext(run_id=self.run_id)):
            if self._is_async_command(text):
                return self._loop.run(self.commands.dispatch_async(text))
            return self.commands.dispatch(text)

    def system_prompts(self) -> list[str]:
        """The static texts of the prefix, rendered now."""
        return [prompt() for prompt in self.factory.get_system_prompts()]

    def context_update(self) -> str | None:
        """The block that the next turn would carry, `None` when nothing is new.

        It counts as delivered: the following one is numbered on and tells only what changed since.
        """
        block = self._updater.compose_update(as_messages(self.history))
        if block is not None:
            self.history.append(block)
        return block

    def forget(self) -> None:
        """Start a new conversation: the next context update is number 1 and complete."""
        self.history.clear()
        self._updater.reset()

    def _called(self, name: str, raw: str | bytes | Mapping[str, object]) -> object:
        tool = self._found(name)
        call_id = f"call-{next(self._calls)}"
        try:
            arguments = tool.validator.arguments(raw, call_id=call_id)
            with calling(CallContext(self.run_id, call_id, _deadline(tool))):
                result = tool.function(**arguments)
                return self._awaited(result, tool) if isawaitable(result) else result
        except (ToolArgumentValidationError, ToolTimedOutError) as error:
            raise RetryRequested(str(error), tool=name) from error
        except RetriableError as error:
            raise RetryRequested(str(error), tool=name, failure=error.failure) from error

    def _is_async_command(self, text: str) -> bool:
        words = text.removeprefix("/").split(maxsplit=1)
        name = words[0] if words else ""
        return self.commands.has(name) and is_async(self.commands.callable(name))

    def _awaited(self, result: Awaitable[object], tool: Tool) -> object:
        return self._loop.run(_within_ceiling(tool, result))

    def _found(self, name: str) -> Tool:
        tool = self.tools.get(name)
        if tool is None:
            raise ToolNotFoundError(_absent(name, self.tools), tool=name, known=tuple(self.tools))
        return tool


async def _within_ceiling(tool: Tool, result: Awaitable[object]) -> object:
    timeout = tool.policy.timeout
    ceiling = asyncio.timeout(timeout)
    try:
        async with ceiling:
            return await result
    except TimeoutError as error:
        if timeout is None or not ceiling.expired():
            raise
        raise ToolTimedOutError(tool.name, timeout) from error


def _deadline(tool: Tool) -> float | None:
    timeout = tool.policy.timeout
    return None if timeout is None else time.monotonic() + timeout


def _absent(name: str, tools: Mapping[str, Tool]) -> str:
    if not tools:
        return f"there is no tool {name!r}: the cards serve none"
    close = get_close_matches(name, tools, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(sorted(tools))}"
    return f"there is no tool {name!r}: {hint}"
