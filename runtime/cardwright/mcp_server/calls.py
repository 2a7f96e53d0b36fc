"""One call of a client: to the registry and back, with progress, cancelled when it is."""

import asyncio
import logging
from typing import Any, Final
from uuid import uuid4

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolRequestParams, CallToolResult

from cardwright.core import CallContext, RetriableError, ToolObserverGone
from cardwright.tools import (
    ApprovalRequiredError,
    Call,
    CancelledError,
    ToolArgumentValidationError,
    ToolFailure,
    ToolIndeterminateError,
    ToolNotFoundError,
    ToolRefusal,
    ToolTimedOutError,
    WorkersBusyError,
)

from .house import House, NotStoredError
from .results import UnshowableResultError, refused, shown

_logger = logging.getLogger(__name__)

_BEAT: Final = 1.0
"""Seconds between two notes of progress."""
_LEAVE: Final = 5.0
"""Seconds that cancelled calls have to end when the server stops."""

_AGAIN = (NotStoredError, ToolArgumentValidationError, WorkersBusyError)
_TOLD = (CancelledError, ToolTimedOutError, ToolIndeterminateError, ToolFailure, ToolRefusal)

type Context = ServerRequestContext[Any, Any]


class Calls:
    """Calls in progress; each runs in a task of its own, which outlives the client's patience."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._running: set[asyncio.Task[CallToolResult]] = set()

    async def serve(self, context: Context, asked: CallToolRequestParams) -> CallToolResult:
        """Answer a `tools/call`.

        A call that the client cancels is cancelled in the registry, which gives its body time to
        stop; the client is not kept waiting for that.

        Raises:
            MCPError: There is no tool of that name.
        """
        registry = self._house.agent.registry
        try:
            tool = registry.resolve(asked.name)
        except ToolNotFoundError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None
        call = self._call(context, tool.name)
        task = asyncio.create_task(self._answer(asked, call), name=f"mcp:{tool.name}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            await self._followed(task, context, asked.name, registry.timeout_for(tool.name))
            return task.result()
        finally:
            task.cancel()

    async def leave(self) -> None:
        """Cancel what still runs, and wait a little for it."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=_LEAVE)

    def _call(self, context: Context, name: str) -> Call:
        """Every request is a call of its own: without sessions clients use their ids again."""
        identity = CallContext(f"mcp-{uuid4()}", f"call-{context.request_id}")
        return Call(identity, None, lambda _: name in self._house.agreed)

    async def _followed(
        self, task: asyncio.Task[CallToolResult], context: Context, name: str, total: float | None
    ) -> None:
        """Wait for the end of a call, and tell a client that asked for it that it goes on."""
        asked_for = bool(context.meta and context.meta.get("progress_token") is not None)
        begun = asyncio.get_running_loop().time()
        while not task.done():
            if asked_for:
                spent = asyncio.get_running_loop().time() - begun
                await context.session.report_progress(spent, total, f"{name} runs")
            await asyncio.wait({task}, timeout=_BEAT if asked_for else None)

    async def _answer(self, asked: CallToolRequestParams, call: Call) -> CallToolResult:
        try:
            return await self._result(asked, call)
        except RetriableError as error:
            return refused(str(error), retriable=True, failure=error.failure)
        except _AGAIN as error:
            return refused(str(error), retriable=True)
        except _TOLD as error:
            return refused(str(error))
        except Exception as error:  # noqa: BLE001 - a client is told, whatever it was
            return refused(f"`{asked.name}` {_unforeseen(error, asked.name)}.")

    async def _result(self, asked: CallToolRequestParams, call: Call) -> CallToolResult:
        self._house.agent.refuse_departed()
        await self._house.stored()  # begin nothing that could not be stored
        try:
            result = await self._house.agent.registry.invoke(
                asked.name, asked.arguments or {}, agent=self._house.agent.name, call=call
            )
        finally:
            await self._house.stored()
        return shown(result)


def _unforeseen(error: Exception, name: str) -> str:
    """What is said of an error that no client's model can mend; its own text may hold anything."""
    match error:
        case ApprovalRequiredError():
            return "did not run: the operator of this server must agree to it first"
        case ToolObserverGone():
            return "did not run: the server is shutting down"
        case UnshowableResultError():
            return f"ran, but its result cannot be shown: {error}"
        case _:
            _logger.error("%s failed", name, exc_info=error)
            return "failed: the log of the server says why"
