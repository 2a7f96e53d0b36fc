"""An event loop for tools that are called from synchronous code."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass

_logger = logging.getLogger(__name__)


class BackgroundLoop:
    """One loop on one daemon thread, started by the first coroutine and kept for the next ones.

    A loop per call would break tools that keep connections between calls.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopped = False

    def run[R](self, coroutine: Coroutine[object, object, R]) -> R:
        """Run `coroutine` to its end and return its result; it sees the caller's context.

        Raises:
            RuntimeError: The loop was stopped, or is asked to wait for itself.
            BaseException: What the coroutine raised; the loop outlives even `SystemExit`.
        """
        contained = _contained(coroutine)
        try:
            future = self._submitted(contained)
        except RuntimeError:
            contained.close()
            coroutine.close()
            raise
        try:
            outcome = future.result()
        except BaseException:
            future.cancel()  # the caller was interrupted; nothing happens when the coroutine raised
            raise
        if isinstance(outcome, _ProcessEnd):
            raise outcome.wanted
        return outcome

    def stop(self) -> None:
        """Cancel what still runs, close the loop and join its thread; again is no error."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop, self._thread = None, None
            self._stopped = True
            if loop is None or thread is None:
                return
            # Behind all that was submitted, so that none of it is left when the loop closes.
            with suppress(RuntimeError):  # closed already
                loop.call_soon_threadsafe(loop.stop)
        if thread is not threading.current_thread():
            thread.join()

    def _submitted[R](self, coroutine: Coroutine[object, object, R]) -> Future[R]:
        if threading.current_thread() is self._thread:
            message = "an asynchronous tool cannot wait for a call on its own loop: use a thread"
            raise RuntimeError(message)
        with self._lock:
            if self._stopped:
                message = "this team has stopped: make a new LocalTeam"
                raise RuntimeError(message)
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._serve, args=(self._loop,), name="cardwright-bench", daemon=True
                )
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while not _ended(loop.run_forever) and not self._stopped:
                pass
            while not _ended(lambda: loop.run_until_complete(_cancel_all())):
                pass
            _ended(lambda: loop.run_until_complete(loop.shutdown_asyncgens()))
        finally:
            loop.close()


@dataclass(frozen=True, slots=True)
class _ProcessEnd:
    """An exception that would end the loop if a task raised it."""

    wanted: BaseException


async def _contained[R](coroutine: Coroutine[object, object, R]) -> R | _ProcessEnd:
    try:
        return await coroutine
    except (KeyboardInterrupt, SystemExit) as wanted:
        return _ProcessEnd(wanted)


def _ended(step: Callable[[], object]) -> bool:
    """Whether `step` came to its end; a task of a tool that wants to end the process cuts it."""
    try:
        step()
    except (KeyboardInterrupt, SystemExit) as wanted:
        _logger.warning("a task of a tool raised %s; the loop goes on", type(wanted).__name__)
        return False
    return True


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
