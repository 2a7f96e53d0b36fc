"""The client of the converter process: bounded, one document at a time, replaced after trouble."""

import json
import os
import select
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from threading import Lock
from time import monotonic
from typing import cast

from .converting import Answer, Request

SECONDS = 60.0
START_SECONDS = 60.0
_CHUNK = 1 << 20


class ConversionError(Exception):
    """The document could not be converted; the text says why."""


@dataclass(slots=True)
class _Process:
    """One converter and what it has already written beyond the last answer."""

    process: "subprocess.Popen[bytes]"
    rest: bytes = b""


class Conversion:
    """Converts documents in a process of its own, which starts on first need."""

    def __init__(self, command: list[str] | None = None, seconds: float = SECONDS) -> None:
        """`command` starts the converter; `seconds` bound one document."""
        self._command = command or [sys.executable, "-m", "cardwright.workspace.reading.converting"]
        self._seconds = seconds
        self._lock = Lock()
        self._running: _Process | None = None
        self._warm = False

    def convert(self, request: Request) -> Answer:
        """The answer of the converter.

        Raises:
            ConversionError: It took too long, or died over the document.
        """
        with self._lock:
            try:
                answer = self._asked(request)
            except (OSError, ValueError, EOFError, TimeoutError) as error:
                self._stop()
                slow = isinstance(error, TimeoutError)
                raise ConversionError(
                    f"it took longer than {self._seconds:g} s" if slow else "the converter failed"
                ) from error
        if answer.error:
            raise ConversionError(answer.error)
        return answer

    @property
    def process_id(self) -> int | None:
        """Of the converter, while one runs."""
        running = self._running
        return None if running is None else running.process.pid

    def close(self) -> None:
        """End the process, if it runs."""
        with self._lock:
            self._stop()

    def _asked(self, request: Request) -> Answer:
        running = self._started()
        line = json.dumps(asdict(request)).encode() + b"\n"
        stdin = running.process.stdin
        if stdin is None:
            raise EOFError
        stdin.write(line)
        stdin.flush()
        budget = self._seconds + (0 if self._warm else START_SECONDS)
        fields = cast("dict[str, object]", json.loads(self._line(running, monotonic() + budget)))
        self._warm = True
        return Answer(str(fields["text"]), bool(fields["final"]), str(fields["error"]))

    def _started(self) -> _Process:
        running = self._running
        if running is not None and running.process.poll() is None:
            return running
        self._stop()
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._running = _Process(process)
        return self._running

    def _line(self, running: _Process, end: float) -> bytes:
        """The next line of the converter."""
        stdout = running.process.stdout
        if stdout is None:
            raise EOFError
        pieces = [running.rest]
        while b"\n" not in pieces[-1]:
            if not select.select([stdout], [], [], max(0.0, end - monotonic()))[0]:
                raise TimeoutError
            piece = os.read(stdout.fileno(), _CHUNK)
            if not piece:
                raise EOFError
            pieces.append(piece)
        line, _, running.rest = b"".join(pieces).partition(b"\n")
        return line

    def _stop(self) -> None:
        running, self._running, self._warm = self._running, None, False
        if running is None:
            return
        with suppress(OSError):
            running.process.kill()
        with suppress(OSError):
            running.process.__exit__(None, None, None)


shared = Conversion()
"""The converter of this process; it ends by itself when idle or when this process ends."""
