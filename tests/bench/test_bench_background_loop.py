"""The loop of the bench ends, and so does whoever waits for it."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future

import pytest

from cardwright.bench.background_loop import BackgroundLoop


async def _nothing() -> None:
    pass


async def _endless() -> None:
    await asyncio.Event().wait()


def test_a_call_at_the_moment_of_the_stop_does_not_wait_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = BackgroundLoop()
    loop.run(_nothing())
    ended, released = threading.Event(), threading.Event()
    submit, leave = asyncio.run_coroutine_threadsafe, asyncio.BaseEventLoop.shutdown_asyncgens

    async def last_step(self: asyncio.BaseEventLoop) -> None:
        ended.set()
        await asyncio.to_thread(released.wait, 5)
        await leave(self)

    def late(
        coroutine: Coroutine[object, object, None], on: asyncio.AbstractEventLoop
    ) -> Future[None]:
        threading.Thread(target=loop.stop, daemon=True).start()
        ended.wait(0.3)
        try:
            return submit(coroutine, on)
        finally:
            released.set()

    raised: list[BaseException] = []

    def call() -> None:
        try:
            loop.run(_endless())
        except (RuntimeError, CancelledError) as error:
            raised.append(error)

    monkeypatch.setattr(asyncio.BaseEventLoop, "shutdown_asyncgens", last_step)
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", late)
    caller = threading.Thread(target=call, daemon=True)
    caller.start()
    caller.join(5)
    assert not caller.is_alive()
    assert len(raised) == 1
