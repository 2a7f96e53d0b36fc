"""An event loop for asynchronous tools that are called from synchronous code."""

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

    def run[R](self, coroutine: Coroutine[object, object, R]) -> R:
        """Run `coroutine` to its end and return its result; safe from any other thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._running()).result()

    def stop(self) -> None:
        """Cancel what still runs, close the loop and join its thread; again is no error."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop, self._thread = None, None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        if thread is not threading.current_thread():
            thread.join()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
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
