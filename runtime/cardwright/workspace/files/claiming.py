"""A command's hold on a tree, as other teams and processes see it."""

import fcntl
import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, sleep, time
from typing import Final

__all__ = ["Claimant", "RunClaim"]

_CREATE: Final = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_NOTE_BYTES: Final = 4096
_PATIENCE_S: Final = 1.0
_PAUSE_S: Final = 0.001


@dataclass(frozen=True, slots=True)
class Claimant:
    """Whose command it is, and the time by which it has surely ended."""

    holder: str
    until: float


class RunClaim:
    """A locked file in the private folder of a tree: it dies with its process.

    Take it and ask for it while the lock of the tree is held, so that nobody comes between.
    """

    def __init__(self, private: Path) -> None:
        private.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = private / "run"
        self._held: int | None = None

    def take(self, holder: str, seconds: float) -> None:
        """Claim the tree for a command of at most `seconds`.

        Raises:
            OSError: the system refuses.
        """
        self.release()
        opened = os.open(self._file, _CREATE, 0o600)
        if not _locked(opened, fcntl.LOCK_EX, _PATIENCE_S):
            # Of a command that should have ended long ago: its claim is left to it, nameless.
            os.close(opened)
            self._file.unlink(missing_ok=True)
            opened = os.open(self._file, _CREATE, 0o600)
            _locked(opened, fcntl.LOCK_EX, _PATIENCE_S)
        self._held = opened
        self.renew(holder, seconds)

    def renew(self, holder: str, seconds: float) -> None:
        """Count `seconds` from now on; nothing, unless the claim is held."""
        if self._held is None:
            return
        note = json.dumps(asdict(Claimant(holder[:200], time() + seconds))).encode()
        os.ftruncate(self._held, 0)
        os.pwrite(self._held, note, 0)

    def release(self) -> None:
        """Let others have the tree."""
        if self._held is None:
            return
        # A child that is being started may hold a copy of the descriptor for a moment.
        fcntl.flock(self._held, fcntl.LOCK_UN)
        os.close(self._held)
        self._held = None

    def other(self) -> Claimant | None:
        """Who else has a command running in the tree, if anybody."""
        if self._held is not None:
            return None
        try:
            opened = os.open(self._file, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return None
        try:
            return None if _locked(opened, fcntl.LOCK_SH, 0) else _claimant(opened)
        finally:
            os.close(opened)


def _locked(opened: int, kind: int, patience: float) -> bool:
    deadline = monotonic() + patience
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(opened, kind | fcntl.LOCK_NB)
            return True
        if monotonic() >= deadline:
            return False
        sleep(_PAUSE_S)


def _claimant(opened: int) -> Claimant | None:
    """Who says so in the file, unless its time is over."""
    try:
        found = Claimant(**json.loads(os.pread(opened, _NOTE_BYTES, 0)))
    except (ValueError, TypeError):
        return Claimant("another team", time())
    return found if time() <= found.until else None
