"""SIGTERM and SIGINT end a server as if its clients had left."""

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress


@contextmanager
def ended_by_signals(end: Callable[[], None]) -> Generator[None]:
    """Call `end` on the running loop for each signal that asks the process to stop."""
    loop = asyncio.get_running_loop()
    asked = (signal.SIGTERM, signal.SIGINT)
    with suppress(NotImplementedError):  # where loops take no signals, the default ends the process
        for number in asked:
            loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            for number in asked:
                loop.remove_signal_handler(number)
