"""Commands on the host itself: bounded and ended as a whole, but not isolated."""

from collections.abc import Sequence
from typing import Final, override
from uuid import uuid4

from .actor import SandboxActor
from .cgroups import ControlGroup
from .config import ExecResult
from .environment import host_environment
from .folders import outer_folder
from .limits import limited
from .processes import Leftovers, SessionLeftovers
from .running import Launch, Process, guarded

__all__ = ["LocalSandboxActor"]

# Ended processes of a command after which the next gets a group of its own.
_MANY: Final = 8


class LocalSandboxActor(SandboxActor):
    """Runs commands as the host's own user, who may read and write whatever that user may."""

    _group: ControlGroup = ControlGroup()

    def bounded(self) -> bool:
        """Tell whether the memory and the number of all processes of a command are bounded."""
        return self._group.bounds_memory and self._group.bounds_processes

    @override
    def _start_sandbox(self) -> None:
        self._group = ControlGroup.made(self.limits)

    @override
    def _stop_sandbox(self) -> None:
        self._group.remove()

    @override
    def _exec(self, argv: Sequence[str], cwd: str, timeout: float) -> ExecResult:
        mark = uuid4().hex
        limits = limited(
            self.limits,
            address_space=not self._group.bounds_memory,
            entrances=self._group.entrances,
        )
        result = guarded(
            Launch(
                argv=[*limits, *argv],
                environment=host_environment(),
                timeout=timeout,
                cancelled=self._stops,
                leftovers=lambda process: self._leftovers(process, mark),
                folder=outer_folder(self.config.root, cwd),
                group=self._group,
                mark=mark,
            )
        )
        if self._group.counted() > _MANY:
            # They count until the system has taken note of their end, which may be long.
            self._group.remove()
            self._group = ControlGroup.made(self.limits)
        return result

    def _leftovers(self, process: Process, mark: str) -> Leftovers:
        return SessionLeftovers(process, mark, self._group)
