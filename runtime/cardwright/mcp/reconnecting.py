"""A toolset that outlives its server: a lost connection is opened anew on the next use."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self, override

import anyio
import anyio.lowlevel
from pydantic_ai import ModelRetry, RunContext
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset

from .connection import Connection, server_name, without_token
from .errors import MCPConnectionError
from .flights import Flights
from .loss import is_closed, is_lost, is_undelivered
from .opening import enter

logger = logging.getLogger(__name__)

type _Send = Callable[[AbstractToolset[object]], Awaitable[object]]

_SAFE_TO_REPEAT: Final = ("readOnlyHint", "idempotentHint")
_TURNS: Final = 5  # enough for an end-of-file that is already there to reach the session


@dataclass(repr=False, eq=False)
class ReconnectingToolset(WrapperToolset[object]):
    """Opens the connection when it is needed and once more when it was lost.

    A call is sent a second time only if the first provably never reached the tool, or if the
    server declares the tool read-only or idempotent. Otherwise the model is told that the outcome
    is unknown: repeating a side effect behind its back would be worse than asking.
    """

    connection: Connection
    rebuild: Callable[[], AbstractToolset[object]]
    """Makes a fresh toolset for the same server."""
    seconds: float
    """Time to connect."""
    _uses: int = field(default=0, init=False)
    _is_open: bool = field(default=False, init=False)
    _is_used: bool = field(default=False, init=False)
    _reason: BaseException | None = field(default=None, init=False)
    _known: dict[str, ToolsetTool[object]] | None = field(default=None, init=False)
    _flights: Flights = field(default_factory=Flights, init=False)
    _lock: anyio.Lock = field(default_factory=anyio.Lock, init=False)

    @property
    @override
    def tool_name_conflict_hint(self) -> str:
        return "Set `tool_prefix` on the connection of one of the MCP cards."

    @override
    def __repr__(self) -> str:
        return f"{type(self).__name__}({server_name(self.connection)!r})"

    @override
    async def __aenter__(self) -> Self:
        async with self._lock:
            if self._uses == 0:
                await self._open()
            self._uses += 1
        return self

    @override
    async def __aexit__(self, *args: object) -> bool | None:
        async with self._lock:
            self._uses -= 1
            if self._uses == 0:
                await self._close()
        return None

    @override
    async def get_tools(self, ctx: RunContext[object]) -> dict[str, ToolsetTool[object]]:
        """The server's tools; those last known while it is away.

        Raises:
            MCPConnectionError: The server was never reached.
        """
        async with self:
            try:
                found = await self._listed(ctx)
            except MCPConnectionError as error:
                if self._known is None:
                    raise
                logger.warning("%s; its last known tools are offered", error)
                return self._known
            self._known = {name: replace(tool, toolset=self) for name, tool in found.items()}
            return self._known

    async def _listed(self, ctx: RunContext[object]) -> dict[str, ToolsetTool[object]]:
        toolset = await self._ready()
        try:
            return await toolset.get_tools(ctx)
        except Exception as error:
            if not is_lost(error, toolset):
                raise
            await self._drop(toolset)
            return await (await self._ready()).get_tools(ctx)

    @override
    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[object],
        tool: ToolsetTool[object],
    ) -> Any:
        """Call a tool of the server.

        Raises:
            ModelRetry: The tool refuses, the outcome is unknown, or the server is gone.
        """

        async def send(toolset: AbstractToolset[object]) -> object:
            return await toolset.call_tool(name, tool_args, ctx, tool)

        try:
            async with self:
                return await self._sent(name, send, is_repeatable=_is_repeatable(tool))
        except MCPConnectionError as error:
            raise ModelRetry(f"{error}. Try again later, or go on without {name}.") from error
        except ModelRetry as error:
            text = without_token(error.message, self.connection)
            if text == error.message:
                raise
            raise ModelRetry(text) from None

    async def _sent(
        self, name: str, send: _Send, *, is_repeatable: bool, is_repeated: bool = False
    ) -> object:
        toolset = await self._ready()
        with self._flights.one_more() as flight:
            try:
                return await send(toolset)
            except Exception as error:
                if not is_lost(error, toolset):
                    raise
                reason = await self._drop(toolset)
                unsent = is_undelivered(error, reason, is_alone=flight.is_alone)
                if is_repeated or not (is_repeatable or unsent):
                    raise ModelRetry(self._interrupted(name)) from error
        return await self._sent(name, send, is_repeatable=is_repeatable, is_repeated=True)

    def _interrupted(self, name: str) -> str:
        return (
            f"The connection to MCP server {server_name(self.connection)} was lost while {name} "
            "was running, so it may or may not have taken effect. "
            "Check that before calling it again."
        )

    async def _ready(self) -> AbstractToolset[object]:
        """The open toolset, opened anew when its connection is known to be gone."""
        for _ in range(_TURNS):
            await anyio.lowlevel.checkpoint()
        async with self._lock:
            if self._is_open and is_closed(self.wrapped):
                await self._close()
            if not self._is_open:
                logger.info("connecting anew to MCP server %s", server_name(self.connection))
                await self._open()
            return self.wrapped

    async def _drop(self, toolset: AbstractToolset[object]) -> BaseException | None:
        """Close `toolset`, unless another call already did; why its connection broke, if known."""
        async with self._lock:
            if self._is_open and self.wrapped is toolset:
                await self._close()
            return self._reason

    async def _open(self) -> None:
        if self._is_used and isinstance(self.wrapped, MCPToolset):
            self.wrapped = self.rebuild()
        self._is_used = True
        await enter(self.wrapped, self.connection, self.seconds)
        self._is_open, self._reason = True, None

    async def _close(self) -> None:
        if not self._is_open:
            return
        self._is_open = False
        try:
            await self.wrapped.__aexit__(None, None, None)
        except Exception as error:  # noqa: BLE001 - a dead connection ends with what broke it
            self._reason = error
            logger.debug("MCP server %s: %s", server_name(self.connection), type(error).__name__)


def _is_repeatable(tool: ToolsetTool[object]) -> bool:
    annotations: dict[str, Any] = (tool.tool_def.metadata or {}).get("annotations") or {}
    return any(annotations.get(hint) is True for hint in _SAFE_TO_REPEAT)
