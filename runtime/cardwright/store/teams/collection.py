"""Loading a long log makes many objects that stay: looking for garbage among them is in vain."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_pausing = 0
_was_running = False


@contextmanager
def without_collection() -> Generator[None]:
    """Pause the cyclic garbage collector of this process, if it was running."""
    global _pausing, _was_running  # noqa: PLW0603 - the collector is one of the process, so is the count
    with _lock:
        if _pausing == 0:
            _was_running = gc.isenabled()
        _pausing += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _pausing -= 1
            if _was_running and _pausing == 0:
                gc.enable()
