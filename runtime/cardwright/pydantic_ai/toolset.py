"""The tools of bound cards as one pydantic-ai toolset."""

import time
from collections.abc import Awaitable, Mapping
from datetime import UTC, datetime
from functools import partial
from inspect import isawaitable
from typing import Any, cast, override

import anyio
from anyio import to_thread
from pydantic_ai import ModelRetry, RunContext, ToolFailed
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from cardwright.core import CallContext, RetriableError, calling
from cardwright.tools import Tool, ToolTimedOutError

from .reading import HostValidator
from .results import as_content


class CardToolset(AbstractToolset[object]):
    """Presents tools with our schema, our check of arguments and their declared policy."""

    def __init__(
        self, toolset_id: str, tools: Mapping[str, Tool], max_retries: int | None = None
    ) -> None:
        """Describe the tools once, so that every request carries the same bytes."""
        self._id = toolset_id
        self._tools = tools
        self._max_retries = max_retries
        self._definitions = {name: _definition(tool) for name, tool in tools.items()}
        self._validators = {name: HostValidator(tool.validator) for name, tool in tools.items()}

    @property
    @override
    def id(self) -> str:
        return self._id

    @override
    async def get_tools(self, ctx: RunContext[object]) -> dict[str, ToolsetTool[object]]:
        retries = ctx.max_retries if self._max_retries is None else self._max_retries
        return {
            name: ToolsetTool(
                toolset=self,
                tool_def=definition,
                max_retries=retries,
                args_validator=self._validators[name],
            )
            for name, definition in self._definitions.items()
        }

    @override
    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[object],
        tool: ToolsetTool[object],
    ) -> object:
        """Run a tool under its ceiling; what the model can fix goes back to it."""
        timeout = tool.tool_def.timeout
        context = CallContext(ctx.run_id, ctx.tool_call_id, _deadline(timeout, ctx.deadline))
        try:
            with anyio.move_on_after(timeout), calling(context):
                return as_content(await _run(self._tools[name], tool_args))
        except RetriableError as error:
            raise ModelRetry(str(error)) from error
        raise ToolFailed(str(ToolTimedOutError(name, timeout or 0.0)))


def _definition(tool: Tool) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters_json_schema=tool.parameters_schema,
        sequential=not tool.policy.parallel_safe,
        kind="unapproved" if tool.policy.approval else "function",
        timeout=tool.policy.timeout,
        metadata={"idempotency": tool.policy.idempotency},
    )


async def _run(tool: Tool, arguments: dict[str, Any]) -> object:
    """The result of a body: on the loop when it is asynchronous, else on a thread.

    A thread cannot be stopped. One that outlives its ceiling is abandoned and finds its deadline
    passed in its call context, so that it can refuse to commit.
    """
    body = partial(tool.function, **arguments)
    result = body() if tool.is_async else await to_thread.run_sync(body, abandon_on_cancel=True)
    return await cast("Awaitable[object]", result) if isawaitable(result) else result


def _deadline(timeout: float | None, run_deadline: datetime | None) -> float | None:
    """The earlier of the tool's ceiling and the run's end, on the monotonic clock."""
    now = time.monotonic()
    ends = [now + timeout] if timeout is not None else []
    if run_deadline is not None:
        ends.append(now + (run_deadline - datetime.now(UTC)).total_seconds())
    return min(ends, default=None)
