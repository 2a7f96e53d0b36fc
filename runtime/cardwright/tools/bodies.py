"""A body that has been entered: how it runs, how it is stopped, when it has really ended."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextvars import Context, copy_context
from functools import partial
from inspect import isawaitable, iscoroutine
from typing import cast

from .lanes import Holding
from .threads import UNBOUNDED, Threads

type Function = Callable[..., object]
type Keywords = Mapping[str, object]
type Work = Callable[[], object]


class Body:
    """One running body; its lanes are free once it has ended, however its call ended before."""

    def __init__(self, task: "asyncio.Task[object]", holding: Holding) -> None:
        self.task = task
        self._holding = holding
        if task.done():
            holding.task_ended()
        else:
            task.add_done_callback(_consume)
            task.add_done_callback(holding.task_ended)

    @classmethod
    def on_loop(
        cls, function: Function, keywords: Keywords, *, holding: Holding, context: Context
    ) -> "Body":
        """Enter an asynchronous body in `context`; it runs up to its first wait at once."""
        return cls(_task(_coroutine(function, keywords), holding, context), holding)

    @classmethod
    def on_thread(
        cls,
        function: Function,
        keywords: Keywords,
        *,
        holding: Holding | None = None,
        context: Context | None = None,
        threads: Threads = UNBOUNDED,
        label: str = "",
    ) -> "Body":
        """Enter a synchronous body in `context`; an awaitable that it returns is awaited here."""
        holding = holding or Holding()
        context = context or copy_context()
        work = partial(context.copy().run, partial(function, **keywords))
        return cls(_task(_threaded(work, holding, threads, label), holding, context), holding)

    def result(self) -> object:
        """What the body returned.

        Raises:
            BaseException: What it raised, the end of the process included.
        """
        try:
            return self.task.result()
        except _ProcessEndError as contained:
            raise contained.wanted from None

    @property
    def done(self) -> bool:
        """Whether a result can be had without waiting."""
        return self.task.done()

    @property
    def in_thread(self) -> bool:
        """Whether a thread is inside the body, which nothing can stop."""
        return self._holding.in_thread


def _task(
    coroutine: Coroutine[object, object, object], holding: Holding, context: Context
) -> "asyncio.Task[object]":
    contained = _contained(coroutine)
    return asyncio.Task(contained, loop=holding.loop, context=context, eager_start=True)


class _ProcessEndError(Exception):
    """Stands for an exception that would end the loop if a task raised it."""

    def __init__(self, wanted: BaseException) -> None:
        super().__init__()
        self.wanted = wanted


async def _contained(coroutine: Coroutine[object, object, object]) -> object:
    try:
        return await coroutine
    except (KeyboardInterrupt, SystemExit) as wanted:
        raise _ProcessEndError(wanted) from wanted


def _coroutine(function: Function, keywords: Keywords) -> Coroutine[object, object, object]:
    found = function(**keywords)
    return found if iscoroutine(found) else _awaited(cast("Awaitable[object]", found))


async def _awaited(found: Awaitable[object]) -> object:
    return await found


async def _threaded(work: Work, holding: Holding, threads: Threads, label: str) -> object:
    result = await _on_thread(work, holding, threads, label)
    return await cast("Awaitable[object]", result) if isawaitable(result) else result


def _on_thread(
    body: Work, holding: Holding, threads: Threads, label: str
) -> "asyncio.Future[object]":
    loop, found = holding.loop, holding.loop.create_future()
    holding.in_thread = True

    def work() -> None:
        result: object = None
        error: BaseException | None = None
        try:
            result = body()
        except BaseException as raised:  # noqa: BLE001 - whatever it is, it is the caller's
            error = _storable(raised)
        try:
            loop.call_soon_threadsafe(_settle, found, result, error)
        except RuntimeError:  # the loop was closed: nobody waits any more
            _discard(result)
        holding.thread_ended()

    try:
        threads.run(work, label)
    except BaseException:  # there are no more threads to be had
        holding.in_thread = False
        raise
    return found


def _settle(found: "asyncio.Future[object]", result: object, error: BaseException | None) -> None:
    if found.done():  # the call was given up
        _discard(result)
    elif error is not None:
        found.set_exception(error)
    else:
        found.set_result(result)


def _storable(error: BaseException) -> BaseException:
    """`error`, or one that a future can hold in its place."""
    if not isinstance(error, StopIteration):
        return error
    stopped = RuntimeError("a body raised StopIteration")
    stopped.__cause__ = error
    return stopped


def _discard(result: object) -> None:
    if iscoroutine(result):
        result.close()


def _consume(task: "asyncio.Task[object]") -> None:
    """Look at the outcome, so that asyncio does not report it as never retrieved."""
    if not task.cancelled():
        task.exception()
