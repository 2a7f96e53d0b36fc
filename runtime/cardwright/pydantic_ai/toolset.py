"""The tools of an agent as one pydantic-ai toolset."""

import time
from datetime import UTC, datetime
from typing import Any, override

from pydantic_ai import ApprovalRequired, ModelRetry, RunContext, ToolFailed
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool

from cardwright.bench import LocalAgent
from cardwright.core import CallContext, RetriableError
from cardwright.tools import (
    AnyTool,
    ApprovalRequiredError,
    Call,
    ToolFailure,
    ToolIndeterminateError,
    ToolRefusal,
    ToolTimedOutError,
    WorkersBusyError,
)
from cardwright.tools.context import context_of_call
from cardwright.tools.payload import readable

from .approvals import Approvals
from .reading import HostValidator
from .results import UnshowableResultError, as_content

_TOLD = (ToolTimedOutError, ToolIndeterminateError, ToolFailure, WorkersBusyError)
"""Errors that the model is told of and that fail no run."""


class CardToolset(AbstractToolset[object]):
    """Presents the tools of a registry, which checks, bounds and records every call."""

    def __init__(
        self,
        toolset_id: str,
        agent: LocalAgent,
        max_retries: int | None = None,
        least_retries: int = 0,
    ) -> None:
        """Describe the tools once, so that every request carries the same bytes.

        Args:
            toolset_id: Its name among the toolsets of the agent.
            agent: Whose tools.
            max_retries: How often each may be asked again; `None` for the agent's own setting.
            least_retries: A budget of the run that the one of a tool must not cut short.
        """
        self._id = toolset_id
        self._agent = agent
        self._max_retries = max_retries
        self._least_retries = least_retries
        self._approvals = Approvals()
        self._definitions = {name: _definition(tool) for name, tool in agent.tools.items()}
        self._validators = {
            name: HostValidator(agent.registry, name, agent.name) for name in agent.tools
        }

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
                max_retries=max(retries, self._least_retries),
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
        """Run a tool; what the model can fix goes back to it, and so does what only it must know.

        Raises:
            ApprovalRequired: A person must agree; the metadata names exactly this call.
            ToolObserverGone: The agent was dismissed, or its team has stopped.
        """
        self._agent.refuse_departed()
        try:
            result = await self._agent.registry.run(
                name, tool_args, agent=self._agent.name, call=self._call(ctx)
            )
        except RetriableError as error:
            raise ModelRetry(readable(str(error))) from error
        except ToolRefusal as refused:
            return readable(str(refused))
        except _TOLD as error:
            raise ToolFailed(readable(str(error))) from error
        except ApprovalRequiredError as error:
            raise ApprovalRequired(self._approvals.asked(ctx, error.digest)) from error
        try:
            return as_content(result)
        except UnshowableResultError as error:
            text = f"`{name}` ran, but its result cannot be shown: {error}."
            raise ToolFailed(text) from error

    def _call(self, ctx: RunContext[object]) -> Call:
        run_id, call_id = ctx.run_id or "", ctx.tool_call_id or ""
        return Call(
            CallContext(ctx.run_id, ctx.tool_call_id, _deadline(ctx.deadline)),
            context_of_call(self._agent.tenant, run_id, call_id),
            lambda digest: self._approvals.given(ctx, digest),
        )


def _definition(tool: AnyTool) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        parameters_json_schema=tool.parameters_schema,
        sequential=not tool.parallel_safe,
        timeout=tool.timeout,
        metadata={"idempotency": tool.policy.idempotency, "approval": tool.policy.approval},
    )


def _deadline(run_deadline: datetime | None) -> float | None:
    """The end of the run on the monotonic clock."""
    if run_deadline is None:
        return None
    return time.monotonic() + (run_deadline - datetime.now(UTC)).total_seconds()
