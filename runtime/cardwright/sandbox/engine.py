"""The command line of a container engine."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from typing import Final, Self

__all__ = ["Engine", "EngineError"]

_ANSWER_S: Final = 10.0
_CALL_S: Final = 60.0
_BUILD_S: Final = 600.0


class EngineError(RuntimeError):
    """The engine refused, failed, or did not answer; the text is what it said."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A program that takes the commands of docker."""

    program: str

    @classmethod
    def answering(cls, programs: Sequence[str]) -> Self | None:
        """Return the first engine that answers: the program alone may have no daemon behind it."""
        for program in programs:
            engine = cls(program)
            if shutil.which(program) is not None and engine.answers():
                return engine
        return None

    def answers(self) -> bool:
        """Tell whether it can be worked with."""
        try:
            self._call(["info"], _ANSWER_S)
        except EngineError:
            return False
        return True

    def has_image(self, image: str) -> bool:
        """Tell whether it holds that image."""
        return bool(self.do("images", "--quiet", image).strip())

    def build(self, image: str, folder: Path) -> None:
        """Build an image from the Dockerfile in `folder`; takes minutes.

        Raises:
            EngineError: it could not.
        """
        self._call(["build", "--tag", image, str(folder)], _BUILD_S)

    def do(self, *words: str, quiet: bool = False) -> str:
        """Have it do something and return what it printed.

        Args:
            words: the command and its arguments.
            quiet: whether a failure is as good as success.

        Raises:
            EngineError: it failed.
        """
        try:
            return self._call(words, _CALL_S)
        except EngineError:
            if quiet:
                return ""
            raise

    def _call(self, words: Sequence[str], timeout: float) -> str:
        try:
            done = subprocess.run(
                [self.program, *words],
                # Podman's monitor leaves a file `oom` where it was started.
                cwd=gettempdir(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
                timeout=timeout,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise EngineError(f"{self.program} {words[0]}: {error}") from error
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise EngineError(f"{self.program} {words[0]} failed: {said}")
        return done.stdout.decode(errors="replace")
