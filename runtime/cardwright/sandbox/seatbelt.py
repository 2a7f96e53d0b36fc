"""Commands under a policy of macOS that forbids writing anywhere but in the tree."""

import platform
import shlex
import shutil
import subprocess
import warnings
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from typing import Final, override

from .actor import SandboxActor
from .config import ExecResult
from .environment import host_environment
from .folders import outer_folder
from .limits import limited
from .processes import GroupLeftovers
from .running import Launch, guarded
from .watchdog import forget, on_death

__all__ = ["SeatbeltSandboxActor", "seatbelt_profile"]

_PROGRAM: Final = "sandbox-exec"
_PROBE_S: Final = 5.0
_PROBE_PROFILE: Final = "(version 1)(allow default)"
_DEPRECATED: Final = "sandbox-exec is deprecated by Apple and may vanish: prefer mode='docker'."


def seatbelt_profile(writable: Sequence[Path], *, network: bool) -> str:
    """Return the policy: nothing but what is named here, writing only below `writable`."""
    rules = [
        "(version 1)",
        "(deny default)",
        "(allow process-exec)",
        "(allow process-fork)",
        "(allow signal (target same-sandbox))",
        "(allow sysctl-read)",
        "(allow file-read*)",
        *(f"(allow file-write* (subpath {_quoted(path)}))" for path in writable),
        '(allow file-write* (literal "/dev/null"))',
        "(allow ipc-posix-shm)",
        "(allow mach-lookup)",
    ]
    if network:
        rules.append("(allow network*)")
    return "\n".join(rules) + "\n"


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


class SeatbeltSandboxActor(SandboxActor):
    """Runs commands of the host's own user that can read much and write the tree alone."""

    @classmethod
    @override
    def obstacle(cls) -> str:
        if platform.system() != "Darwin":
            return "seatbelt is part of macOS"
        if shutil.which(_PROGRAM) is None:
            return f"{_PROGRAM} is not installed"
        try:
            tried = subprocess.run(
                [_PROGRAM, "-p", _PROBE_PROFILE, "/usr/bin/true"],
                capture_output=True,
                check=False,
                timeout=_PROBE_S,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{_PROGRAM} does not run here: {error}"
        return "" if tried.returncode == 0 else f"{_PROGRAM} does not run here"

    @override
    def _start_sandbox(self) -> None:
        if obstacle := self.obstacle():
            raise RuntimeError(obstacle)
        warnings.warn(_DEPRECATED, DeprecationWarning, stacklevel=2)

    @override
    def _stop_sandbox(self) -> None:
        """Nothing outlives a command."""

    @override
    def _exec(self, argv: Sequence[str], cwd: str, timeout: float) -> ExecResult:
        folder = outer_folder(self.config.root, cwd)
        with NamedTemporaryFile("w", suffix=".sb", encoding="utf-8") as profile:
            profile.write(self._policy())
            profile.flush()
            on_death(profile.name, f"rm -f {shlex.quote(profile.name)}")
            try:
                return guarded(self._launch(profile.name, argv, folder, timeout))
            finally:
                forget(profile.name)

    def _launch(self, profile: str, argv: Sequence[str], folder: Path, timeout: float) -> Launch:
        return Launch(
            argv=[*limited(self.limits), _PROGRAM, "-f", profile, *argv],
            environment=host_environment(),
            timeout=timeout,
            cancelled=self._stops,
            leftovers=lambda process: GroupLeftovers(process.pid),
            folder=folder,
        )

    def _policy(self) -> str:
        temporary = Path(gettempdir()).resolve()
        return seatbelt_profile([self.config.root.resolve(), temporary], network=self.network)
