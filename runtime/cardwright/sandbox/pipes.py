"""The pipes between this process and one bubblewrap: what it is given, and what it tells."""

import json
import os
import select
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from time import monotonic
from typing import Final, Self, final

__all__ = ["Pipes"]

_REPORT_BYTES: Final = 4096


@final
class Pipes:
    """Holds bubblewrap up twice: before it reads its arguments, and before it starts the command.

    So it can be bounded before it does anything. No list of processes shows its arguments.
    """

    def __init__(self, program: bytes | None, users: int | None) -> None:
        """Open them.

        Args:
            program: the filter of system calls.
            users: descriptor of the user namespace to be used, if there is one; then bubblewrap
                does not wait the second time.
        """
        self._arguments, self._give = _pipe()
        self._gate, self._open = _pipe()
        self._told, self._report = _pipe()
        self._filter: FileIO | None = None
        self._users = users
        self._said = b""
        if program is not None:
            self._filter, writing = _pipe()
            with writing:
                writing.write(program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.hand_over()
        for mine in (self._give, self._gate, self._open, self._told):
            mine.close()

    def words(self) -> Sequence[str]:
        """Return the words that tell bubblewrap of them."""
        # It reads there in vain and closes it, which the command would else inherit.
        gate = self._gate.fileno() if self._users is None else self._users
        words = {"--args": self._arguments.fileno(), "--block-fd": gate}
        words["--info-fd"] = self._report.fileno()
        if self._filter is not None:
            words["--seccomp"] = self._filter.fileno()
        return [text for word, number in words.items() for text in (word, str(number))]

    def theirs(self) -> Sequence[int]:
        """Return the descriptors that bubblewrap needs."""
        ends = [end.fileno() for end in self._ends()]
        return ends if self._users is None else [*ends, self._users]

    def hand_over(self) -> None:
        """Let go of what is bubblewrap's."""
        for end in self._ends():
            end.close()

    def give(self, arguments: Sequence[str]) -> None:
        """Tell bubblewrap its arguments; it goes on up to the command.

        Raises:
            BrokenPipeError: it has ended.
        """
        with self._give:
            self._give.write(b"".join(os.fsencode(word) + b"\0" for word in arguments))

    def let_go(self) -> None:
        """Have it start the command."""
        self._open.close()

    def first(self, seconds: float = 0.0) -> int | None:
        """Return the first process of its namespace, or None if none is known that long or lives.

        Its id may be of another once it has ended: ask again when you have hold of it.
        """
        deadline = monotonic() + seconds
        while not (told := _object(self._said)):
            left = max(deadline - monotonic(), 0.0)
            if not select.select([self._told], [], [], left)[0]:
                return None
            more = self._told.read(_REPORT_BYTES)
            if not more:
                return None
            self._said += more
        first = told["child-pid"]
        return first if told.get("pid-namespace") in (None, _namespace(first)) else None

    def _ends(self) -> Sequence[FileIO]:
        gate = (self._gate,) if self._users is None else ()
        filtered = () if self._filter is None else (self._filter,)
        return (self._arguments, self._report, *gate, *filtered)


def _pipe() -> tuple[FileIO, FileIO]:
    """Return the end to read from and the end to write to."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    return FileIO(reading, "r"), FileIO(writing, "w")


def _object(text: bytes) -> dict[str, int]:
    """Return the numbers of a JSON object, none as long as it is not whole."""
    try:
        told: dict[str, int] = json.loads(text)
    except ValueError:
        return {}
    return told


def _namespace(process: int) -> int:
    try:
        return Path(f"/proc/{process}/ns/pid").stat().st_ino
    except OSError:
        return 0
