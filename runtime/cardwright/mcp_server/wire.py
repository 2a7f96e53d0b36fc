"""The standard streams, kept for the protocol alone."""

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import TextIOWrapper
from typing import Final

_CHUNK: Final = 65536


@dataclass(slots=True)
class Wire:
    """The streams of one client; `hang_up` ends the input whoever is reading it."""

    source: TextIOWrapper
    sink: TextIOWrapper
    _inlet: int
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: bool = True

    def hang_up(self) -> None:
        """Let the reader see the end of the input; again is no error."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._inlet)

    def pump(self, real: int) -> None:
        """Pass the real input on until it ends."""
        with suppress(OSError):
            while chunk := os.read(real, _CHUNK):
                self._pass(chunk)
        self.hang_up()

    def _pass(self, chunk: bytes) -> None:
        while chunk:
            if not self._open:
                raise BrokenPipeError
            chunk = chunk[os.write(self._inlet, chunk) :]


@contextmanager
def standard_wire() -> Generator[Wire]:
    """Take standard input and output for a client; whatever prints goes to standard error.

    A blocked read of the real input cannot be interrupted, so a thread passes it on through a pipe
    that can be closed.
    """
    sys.stdout.flush()
    real, out = os.dup(0), os.dup(1)
    outlet, inlet = os.pipe()
    before = sys.stdout
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    source = TextIOWrapper(os.fdopen(outlet, "rb"), encoding="utf-8", errors="replace")
    sink = TextIOWrapper(os.fdopen(out, "wb"), encoding="utf-8", errors="replace")
    wire = Wire(source, sink, inlet)
    threading.Thread(target=wire.pump, args=(real,), name="mcp-stdin", daemon=True).start()
    try:
        yield wire
    finally:
        wire.hang_up()
        with suppress(OSError, ValueError):  # the client left without reading the rest
            sink.close()
        sys.stdout = before
