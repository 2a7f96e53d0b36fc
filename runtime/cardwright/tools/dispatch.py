"""The one way in which a body is entered: approved, in its lanes, under its ceiling."""

import time
from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Final
from uuid import uuid4

from cardwright.core import CallContext, RetriableError
from cardwright.core.call import serve

from .approval import require_approval
from .bodies import Body
from .canonical import call_digest
from .claims import ClaimKey, Claims
from .clock import Clock
from .concurrency import ConcurrencyConfig
from .context import ToolContext
from .definition import AnyTool
from .errors import ToolExecutionError, WorkersBusyError
from .failures import ToolRefusal
from .lanes import Holding, Lane, enter_at_once, queue_for
from .race import Race
from .spans import CallRecord
from .threads import UNBOUNDED
from .workers import WorkerPool

OUTSIDE: Final = CallContext()


def _nothing(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Call:
    """What a host knows about a call, beside tool and arguments."""

    identity: CallContext = OUTSIDE
    """Run, tool call and the run's own deadline."""
    context: ToolContext | None = None
    """What is injected; the ambient context when left out."""
    approved: Callable[[str], bool] = _nothing
    """Whether a person agreed to the call of that digest."""

    @property
    def known_as(self) -> CallContext:
        """The identity; that of the context where the host gives no other."""
        if self.identity.run_id is not None or self.context is None:
            return self.identity
        context = self.context
        return replace(self.identity, run_id=context.run_id, tool_call_id=context.tool_call_id)


class Dispatcher:
    """Enters the bodies of one registry."""

    def __init__(
        self,
        config: ConcurrencyConfig,
        *,
        clock: Clock,
        abandon_after: float,
        workers: WorkerPool | None,
    ) -> None:
        """Make the lanes; those of tools come with `admit`."""
        self._config = config
        self._clock = clock
        self._race = Race(clock, abandon_after)
        self._workers = workers
        self._all = Lane(config.max_concurrent_tools)
        self._lanes: dict[str, tuple[Lane, ...]] = {}
        self._claims = Claims()

    def admit(self, tool: AnyTool) -> None:
        """Make the lane of a tool. Lanes that exist are left alone: calls may be in them."""
        width = 1 if not tool.parallel_safe else self._config.per_tool.get(tool.name)
        # The tool's own lane comes first: calls that queue for a slow tool block no others.
        self._lanes[tool.name] = (self._all,) if width is None else (Lane(width), self._all)

    async def enter(
        self,
        tool: AnyTool,
        keywords: Mapping[str, object],
        ceiling: float | None,
        call: Call,
        record: CallRecord,
    ) -> object:
        """Run the body and return its result.

        Raises:
            ApprovalRequiredError: A person must agree first.
            ToolExecutionError: The body needs a context and there is none.
            WorkersBusyError: No lane or worker came free in time.
            ToolIndeterminateError: An earlier attempt of this call may have taken effect.
            ToolTimedOutError: The ceiling elapsed.
            Exception: What the body raised, as it is or as the tool's error map has it.
        """
        require_approval(tool, keywords, call.approved)
        call = _with_arguments(tool, keywords, call)
        complete = injected(tool, keywords, call.context)
        key = _claim_key(tool, call)
        holding = Holding()
        try:
            await self._queue(tool, holding, record)
            if key is not None and (earlier := self._claims.begin(key, tool.name)):
                holding.release()
                return earlier.result
            body = self._enter(tool, complete, ceiling, call, holding)
        except BaseException:
            holding.release()
            raise
        return await self._ended(tool, body, ceiling, record, key)

    async def _queue(self, tool: AnyTool, holding: Holding, record: CallRecord) -> None:
        lanes = self._lanes[tool.name]
        taken = enter_at_once(holding, lanes)
        pool = None if tool.is_async else self._workers
        if taken == len(lanes) and pool is None:
            return
        try:
            seconds = self._config.queue_seconds
            if not await queue_for(holding, lanes[taken:], self._clock, seconds):
                raise WorkersBusyError(
                    f"`{tool.name}` did not run: it was busy for {seconds:g} s. Try again.",
                    details={"tool": tool.name},
                )
            if pool is not None:
                await pool.enter(holding)
        finally:
            record.queue_seconds = self._clock.monotonic() - record.started

    def _enter(
        self,
        tool: AnyTool,
        keywords: Mapping[str, object],
        ceiling: float | None,
        call: Call,
        holding: Holding,
    ) -> Body:
        context = copy_context()
        context.run(serve, _with_deadline(call.known_as, ceiling))
        if call.context is not None:
            context.run(call.context.bind)
        if tool.is_async:
            return Body.on_loop(tool.function, keywords, holding=holding, context=context)
        return Body.on_thread(
            tool.function,
            keywords,
            holding=holding,
            context=context,
            threads=UNBOUNDED if self._workers is None else self._workers.threads,
            label=tool.name,
        )

    async def _ended(
        self,
        tool: AnyTool,
        body: Body,
        ceiling: float | None,
        record: CallRecord,
        key: ClaimKey | None,
    ) -> object:
        try:
            if not body.done:
                await self._race.run(body, tool.name, ceiling, record)
            result = body.result()
        except Exception as error:
            told = error if tool.errors is None else tool.errors.translated(tool.name, error)
            if key is not None and isinstance(told, (RetriableError, ToolRefusal)):
                self._claims.forget(key)
            if told is error:
                raise
            raise told from error
        if key is not None:
            self._claims.succeed(key, result)
        return result


def injected(
    tool: AnyTool, keywords: Mapping[str, object], context: ToolContext | None
) -> Mapping[str, object]:
    """The keywords with the context: the given one, else the ambient one, else the default.

    Raises:
        ToolExecutionError: The tool needs a context and there is none.
    """
    name = tool.context_parameter
    if name is None:
        return keywords
    found = context or ToolContext.current()
    if found is not None:
        return {**keywords, name: found}
    if tool.context_required:
        raise ToolExecutionError(
            f"`{tool.name}` did not run: {name} needs the context of a run, and there is none",
            details={"tool": tool.name, "parameter": name},
        )
    return keywords


def _with_deadline(identity: CallContext, ceiling: float | None) -> CallContext:
    """`identity` with the earlier of its own deadline and the call's, on the process's clock."""
    if ceiling is None:
        return identity
    ends = time.monotonic() + ceiling
    deadline = ends if identity.deadline is None else min(ends, identity.deadline)
    return replace(identity, deadline=deadline)


def _with_arguments(tool: AnyTool, keywords: Mapping[str, object], call: Call) -> Call:
    """`call` with the digest of its arguments, which tells a repetition from a reused id."""
    identity = call.known_as
    if identity.key is None or tool.policy.idempotency == "read_only":
        return call
    digest = _digest(tool, keywords)
    context = call.context
    return replace(
        call,
        identity=replace(identity, arguments=digest),
        context=None if context is None else replace(context, arguments=digest),
    )


def _digest(tool: AnyTool, keywords: Mapping[str, object]) -> str:
    """The digest of the call; one of its own for arguments that have no JSON form."""
    try:
        return call_digest(tool.name, keywords)
    except Exception:  # noqa: BLE001 - whatever a foreign type raises: it is then equal to no other
        return f"unique:{uuid4()}"


def _claim_key(tool: AnyTool, call: Call) -> ClaimKey | None:
    """What an effectful call is known by; `None` for a call that may simply be repeated."""
    key = call.known_as.key if tool.policy.idempotency == "effectful" else None
    return None if key is None else (*key, tool.name)
