"""A bounded pool of threads for synchronous bodies."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from .bodies import Body
from .clock import MONOTONIC, Clock
from .errors import ConfigurationError, WorkersBusyError
from .lanes import Holding, Lane, enter_at_once, queue_for
from .threads import Threads


class WorkerPool:
    """At most `size` synchronous bodies at once; others wait up to `queue_seconds` for a worker.

    One pool may serve many tools, registries and event loops. A body that outlives its call keeps
    its worker until it ends; its threads never keep the process alive.
    """

    def __init__(
        self, size: int = 8, queue_seconds: float = 30.0, *, clock: Clock = MONOTONIC
    ) -> None:
        """Make the pool; threads start with the work.

        Args:
            size: Number of workers, at least 1.
            queue_seconds: Longest wait for one, at least 0.
            clock: What the wait is measured with.

        Raises:
            ConfigurationError: A figure is out of range.
        """
        if size < 1 or not queue_seconds >= 0:
            message = f"a pool of {size} workers with a queue of {queue_seconds:g} s cannot work"
            raise ConfigurationError(message)
        self.size = size
        self.queue_seconds = queue_seconds
        self.threads = Threads("cardwright-worker")
        self._lane = Lane(size)
        self._clock = clock
        self._closed = False

    async def enter(self, holding: Holding) -> None:
        """Take a worker for the body that `holding` stands for; a failure leaves it to the caller.

        Raises:
            WorkersBusyError: None came free in time, or the pool is closed.
        """
        self._refuse_closed()
        lanes = (self._lane,)
        if not enter_at_once(holding, lanes) and not await queue_for(
            holding, lanes, self._clock, self.queue_seconds
        ):
            raise WorkersBusyError(
                f"none of {self.size} workers came free within {self.queue_seconds:g} s: try again"
            )
        self._refuse_closed()

    async def run[R](self, function: Callable[[], R], *, name: str = "") -> R:
        """Run `function` on a worker, whose thread is named after `name`, and return its result.

        Cancelling the wait does not stop the thread.

        Raises:
            WorkersBusyError: As `enter`.
        """
        holding = Holding()
        try:
            await self.enter(holding)
        except BaseException:
            holding.release()
            raise
        body = Body.on_thread(function, {}, holding=holding, threads=self.threads, label=name)
        found: R = await body.task  # type: ignore[assignment]  # what `function` returns
        return found

    def close(self) -> None:
        """Take no more work; what runs goes on."""
        self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _refuse_closed(self) -> None:
        if self._closed:
            message = "the worker pool is closed"
            raise WorkersBusyError(message)
