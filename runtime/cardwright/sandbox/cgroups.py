"""A control group for one sandbox, of version 1 or 2, wherever this process may make one.

It bounds the memory of all processes together and their number, and lists them to be ended.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, Self

from .limits import Limits

__all__ = ["ControlGroup"]

_PREFIX: Final = "cardwright"
_NUMBERS: Final = count(1)
_MOUNTS: Final = Path("/proc/self/mountinfo")
_MINE: Final = Path("/proc/self/cgroup")
_MEMORY: Final = ("memory.max", "memory.limit_in_bytes")
_SWAP: Final = ("memory.swap.max", "memory.memsw.limit_in_bytes")
_PROCESSES: Final = ("pids.max",)
_PROCESS_LIST: Final = "cgroup.procs"
_THREADS: Final = "tasks"


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """Folders of the controllers; empty ones bound nothing."""

    folders: Sequence[Path] = ()
    bounds_memory: bool = False
    bounds_processes: bool = False

    @classmethod
    def made(cls, limits: Limits) -> Self:
        """Make a group under the one of this process; what may not be made is left out."""
        name = f"{_PREFIX}-{os.getpid()}-{next(_NUMBERS)}"
        folders = [made for parent in _parents() if (made := _made(parent, name))]
        memory = [_bound(folder, _MEMORY, limits.memory) for folder in folders]
        for folder in folders:
            _bound(folder, _SWAP, 0 if (folder / _SWAP[0]).exists() else limits.memory)
        processes = [_bound(folder, _PROCESSES, limits.processes) for folder in folders]
        return cls(tuple(folders), any(memory), any(processes))

    @property
    def entrances(self) -> list[Path]:
        """Files into which a process with one thread writes 0 to join."""
        # For a thread that moves itself the kernel need not stop all others from beginning new
        # ones, which takes milliseconds. Version 2 moves whole processes only.
        return [
            tasks if (tasks := folder / _THREADS).exists() else folder / _PROCESS_LIST
            for folder in self.folders
        ]

    @property
    def lists(self) -> list[Path]:
        """Files that list its processes."""
        return [folder / _PROCESS_LIST for folder in self.folders]

    def join(self) -> bool:
        """Have the calling thread join, and what it starts, and tell whether it has.

        Only version 1 allows that to a thread. It has to leave before the group can be removed.
        """
        return all(_moved(folder) for folder in self.folders)

    def leave(self) -> None:
        """Have the calling thread leave."""
        for folder in self.folders:
            _moved(folder.parent)

    def admit(self, process: int) -> None:
        """Have a process join, and what it starts from now on.

        Raises:
            OSError: it may not.
        """
        for file in self.lists:
            file.write_text(str(process))

    def processes(self) -> set[int]:
        """Ids of the processes that are in it, but this one."""
        found: set[int] = set()
        for file in self.lists:
            with contextlib.suppress(OSError):
                found.update(map(int, file.read_text().split()))
        return found - {os.getpid()}

    def counted(self) -> int:
        """Return how many processes count against the bound, ended ones included."""
        for folder in self.folders:
            with contextlib.suppress(OSError, ValueError):
                return int((folder / "pids.current").read_text())
        return 0

    def remove(self) -> None:
        """Remove the group, which must be empty; one that is not stays."""
        for folder in self.folders:
            with contextlib.suppress(OSError):
                folder.rmdir()


def _parents() -> Iterator[Path]:
    """Folders under which a group might be made: for version 2 beside this one, too."""
    mine = dict(_own_groups())
    for controllers, folder in _hierarchies():
        if not controllers and (path := mine.get("")) is not None:
            own = folder / path.lstrip("/")
            yield own if _delegates(own) else own.parent
        for controller in controllers & {"memory", "pids"}:
            if (path := mine.get(controller)) is not None:
                yield folder / path.lstrip("/")


def _own_groups() -> Iterator[tuple[str, str]]:
    with contextlib.suppress(OSError):
        for line in _MINE.read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            for controller in controllers.split(","):
                yield controller, path


def _hierarchies() -> Iterator[tuple[set[str], Path]]:
    """Controllers (none for version 2) and folder of each mounted hierarchy."""
    with contextlib.suppress(OSError):
        for line in _MOUNTS.read_text().splitlines():
            before, _, after = line.partition(" - ")
            kind, _, options = after.split(" ", 2)
            folder = Path(before.split()[4])
            if kind == "cgroup2":
                yield set(), folder
            elif kind == "cgroup":
                yield set(options.split(",")), folder


def _delegates(folder: Path) -> bool:
    try:
        return "memory" in (folder / "cgroup.subtree_control").read_text().split()
    except OSError:
        return False


def _made(parent: Path, name: str) -> Path | None:
    _forget_dead(parent)
    folder = parent / name
    try:
        folder.mkdir()
    except OSError:
        return None
    if not any((folder / file).exists() for file in (*_MEMORY, *_PROCESSES)):
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
    return folder


def _moved(folder: Path) -> bool:
    """Move the calling thread there and tell whether it is."""
    try:
        with (folder / _THREADS).open("r+") as tasks:
            tasks.write("0")
    except OSError:
        return False
    return True


def _forget_dead(parent: Path) -> None:
    """Remove the groups of processes that were killed before they could."""
    with contextlib.suppress(OSError, ValueError):
        for folder in parent.glob(f"{_PREFIX}-*-*"):
            if not Path("/proc", folder.name.split("-")[1]).exists():
                folder.rmdir()


def _bound(folder: Path, files: Sequence[str], value: int) -> bool:
    for file in files:
        if (folder / file).exists():
            with contextlib.suppress(OSError):
                (folder / file).write_text(str(value))
                return True
    return False
