"""A thread that starts sandboxes, so that they begin where they belong."""

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import final

__all__ = ["Starter"]

type _Process = subprocess.Popen[bytes]


@final
class Starter:
    """One thread that may be moved to a control group and to a namespace, without its process.

    What it starts is there from its first instruction on; nobody waits until it has been moved.
    """

    def __init__(self) -> None:
        """Begin it with its first work."""
        self._thread = ThreadPoolExecutor(1, "cardwright-sandbox")

    def start(self, start: Callable[[], _Process]) -> _Process:
        """Call `start` there, which returns a process."""
        return self._thread.submit(start).result()

    def do[T](self, work: Callable[[], T]) -> T:
        """Call `work` there and return what it returns."""
        return self._thread.submit(work).result()

    def end(self) -> None:
        """Wait for its work and end it; what it started dies with it."""
        self._thread.shutdown()
