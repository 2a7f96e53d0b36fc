"""An event loop for tools that are called from synchronous code."""

import asyncio
import threading
from collections.abc import Coroutine


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
        """
        try:
            future = asyncio.run_coroutine_threadsafe(coroutine, self._running())
        except RuntimeError:
            coroutine.close()
            raise
        try:
            return future.result()
        except BaseException:
            future.cancel()  # the caller was interrupted; nothing happens when the coroutine raised
            raise

    def stop(self) -> None:
        """Cancel what still runs, close the loop and join its thread; again is no error."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop, self._thread = None, None
            self._stopped = True
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        if thread is not threading.current_thread():
            thread.join()

    def _running(self) -> asyncio.AbstractEventLoop:
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
                    target=_serve, args=(self._loop,), name="cardwright-bench", daemon=True
                )
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
        loop.run_until_complete(_cancel_all())
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
