"""The actor that runs the commands of one tree; a subclass says how they are shut in."""

import contextlib
import logging
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Final, override

from cardwright.actors import Akgent, ExpectedError

from .commands import parse_command, shell_note
from .config import TIMED_OUT, ExecResult, SandboxConfig, SandboxState
from .folders import WorkingFolderError, reclaim
from .limits import DEFAULT_LIMITS, Limits

__all__ = ["DEFAULT_TIMEOUT_S", "SandboxActor", "SandboxUnavailableError"]

logger = logging.getLogger(__name__)

DEFAULT_TIMEOUT_S: Final = 30.0

# What a command is ended with that needs too much; one that is too late has another exit code.
_KILLED: Final = 137
_KILLED_NOTE: Final = (
    "ended by signal 9, as when it needs more memory or processor time than allowed\n"
)


class SandboxUnavailableError(ExpectedError, RuntimeError):
    """Commands cannot run this way on this machine; the text says what is missing."""


class SandboxActor(Akgent[SandboxConfig, SandboxState], ABC):
    """Runs one command at a time: parsed and checked here, shut in by the hooks of a subclass.

    Register a subclass in `SANDBOX_ACTOR_CLASSES` under a mode of your own.
    """

    limits: ClassVar[Limits] = DEFAULT_LIMITS
    network: ClassVar[bool] = False
    """Whether commands may use the network, where the backend can forbid it."""

    _failure: str | None = None
    _started: bool = False
    _released: bool = False

    @classmethod
    def obstacle(cls) -> str:
        """Say why this backend cannot run commands here, or an empty string if it can.

        It may take seconds: a backend finds out by running something. Ask `resolve_mode` instead,
        which remembers.
        """
        return ""

    @override
    def on_start(self) -> None:
        super().on_start()
        self.state = SandboxState().observer(self)
        self._try_start()

    @override
    def stop(self) -> None:
        """Let go of the sandbox, then stop: a team waits for this, but not for `on_stop`."""
        self._let_go()
        super().stop()

    @override
    def on_stop(self) -> None:
        self._let_go()
        super().on_stop()

    def _let_go(self) -> None:
        if self._released:
            return
        self._released = True
        self._started, self._failure = False, "its workspace stops"
        try:
            self._stop_sandbox()
        except Exception:
            logger.warning("%r cannot stop its sandbox.", self, exc_info=True)

    def ready(self) -> bool:
        """Return True once commands can run; a start that failed is tried again.

        Raises:
            SandboxUnavailableError: why they cannot.
        """
        if not self._started and not self._released:
            self._try_start()
        if self._failure is not None:
            raise SandboxUnavailableError(self._failure)
        return True

    def exec(self, cmd: str, cwd: str = "", timeout: float | None = None) -> ExecResult:
        """Run a command in the folder `cwd` of the tree and wait for it, `timeout` seconds at most.

        Output beyond the head and the tail is left out. When the call returns, no process of the
        command lives any more; when time is over, what was printed until then is returned.

        Raises:
            CommandNotAllowedError: empty, unreadable, or no allowed binary.
            SandboxUnavailableError: the sandbox could not be started.
        """
        argv = parse_command(cmd)
        self.ready()
        budget = DEFAULT_TIMEOUT_S if timeout is None else timeout
        try:
            self._reclaim()
            result = self._exec(argv, cwd, budget)
        except WorkingFolderError as error:
            return ExecResult(stdout="", stderr=f"{error}\n", exit_code=1)
        except subprocess.TimeoutExpired as late:
            result = _late(late)
        finally:
            with contextlib.suppress(WorkingFolderError):
                self._reclaim()
        note = shell_note(argv) if result.exit_code else ""
        if result.exit_code == _KILLED:
            note += _KILLED_NOTE
        return _noted(result, note) if note else result

    def _reclaim(self) -> None:
        if self.state.workspace_path is not None:
            reclaim(self.state.workspace_path)

    def cancel(self) -> None:
        """End the command that runs when this is sent; one that comes too late does nothing."""

    @abstractmethod
    def _start_sandbox(self) -> None:
        """Prepare for commands; the tree exists. Raise with a reason if that is impossible.

        A `SandboxUnavailableError` is told as it is, once; anything else as the surprise it is.
        """

    @abstractmethod
    def _stop_sandbox(self) -> None:
        """Let go of what `_start_sandbox` made."""

    @abstractmethod
    def _exec(self, argv: Sequence[str], cwd: str, timeout: float) -> ExecResult:
        """Run `argv` and leave no process behind, also after `timeout` seconds.

        Return a result that says so, or let `subprocess.TimeoutExpired` escape.
        """

    def _stops(self) -> bool:
        """Whether this actor was told to end a command, or to stop, while that keeps it busy."""
        return self.inbox.stops() or self.inbox.calls("cancel")

    def _try_start(self) -> None:
        try:
            self.config.root.mkdir(parents=True, exist_ok=True)
            self._start_sandbox()
        except SandboxUnavailableError as error:
            if self._failure != str(error):
                logger.warning("%r cannot start its sandbox: %s", self, error)
            self._failure = str(error)
            return
        except Exception as error:
            logger.warning("%r cannot start its sandbox.", self, exc_info=True)
            self._failure = f"{type(error).__name__}: {error}"
            return
        self._started, self._failure = True, None
        self.state.workspace_path = self.config.root.resolve()
        self.state.notify_state_change()


def _late(late: subprocess.TimeoutExpired) -> ExecResult:
    """Turn the time-out of a backend that uses `subprocess.run` into a result."""
    return ExecResult(
        stdout=_text(late.stdout),
        stderr=_text(late.stderr) + f"timed out after {late.timeout:g} s\n",
        exit_code=TIMED_OUT,
        timed_out=True,
    )


def _noted(result: ExecResult, note: str) -> ExecResult:
    stderr = result.stderr
    gap = "" if not stderr or stderr.endswith("\n") else "\n"
    return result.model_copy(update={"stderr": f"{stderr}{gap}{note}"})


def _text(output: bytes | str | None) -> str:
    if output is None:
        return ""
    return output if isinstance(output, str) else output.decode(errors="replace")
