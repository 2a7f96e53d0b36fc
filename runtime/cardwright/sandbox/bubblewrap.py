"""The words for bubblewrap: what a sandbox shows, and what it takes away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from .environment import SANDBOX_PATH
from .folders import INSIDE
from .limits import Limits

__all__ = ["NOBODY", "View", "arguments"]

NOBODY: Final = 65534

_SYSTEM: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS: Final = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ssl/certs")
_NETWORK_SETTINGS: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf")
# What everybody may read, about others.
_TELLING: Final = ("/proc/keys", "/proc/latency_stats", "/proc/sched_debug")
# Open to whom the kernel takes for root, whatever it may do otherwise, and to nobody else.
_HIDDEN_FOLDERS: Final = ("/proc/acpi", "/proc/asound", "/proc/fs", "/proc/scsi")
_HIDDEN_FILES: Final = (
    "/proc/kcore",
    "/proc/kmsg",
    "/proc/mtrr",
    "/proc/sysrq-trigger",
    "/proc/timer_list",
)
_ENVIRONMENT: Final = {
    "PATH": SANDBOX_PATH,
    "HOME": "/tmp",  # noqa: S108 - the sandbox's own
    "LANG": "C.UTF-8",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": str(INSIDE),
}


@dataclass(frozen=True, slots=True)
class View:
    """What one sandbox sees."""

    tree: str
    """Folder of the host that is writable at `/workspace`."""
    network: bool = False
    nested: bool = False
    """Whether user namespaces may be made inside; only for a bubblewrap that cannot forbid it."""
    users: int | None = None
    """Descriptor of a user namespace that forbids it, to be used instead of a new one."""
    of_root: bool = False
    """Whether outside it is root's user that runs it."""
    readable: Sequence[str] = ()
    """Further folders of the host that can be read."""
    environment: Mapping[str, str] = field(default_factory=lambda: _ENVIRONMENT)


def arguments(view: View, limits: Limits) -> list[str]:
    """Return the arguments of bubblewrap, without the working folder and the command."""
    return [
        *_isolation(view),
        *_system(view),
        *_kernel(view, limits),
        *("--bind", view.tree, str(INSIDE)),
        # All that is left to write to is the tree and the two bounded folders in memory.
        *("--remount-ro", "/dev"),
        *("--remount-ro", "/"),
        *_environment(view.environment),
    ]


def _isolation(view: View) -> Iterator[str]:
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
    yield from () if view.network else ("--unshare-net",)
    if view.users is not None:
        yield from ("--userns", str(view.users))
    else:
        yield from ("--unshare-user", *(() if view.nested else ("--disable-userns",)))
    yield from ("--uid", str(NOBODY), "--gid", str(NOBODY), "--cap-drop", "ALL")
    yield from ("--hostname", "sandbox", "--new-session", "--die-with-parent")


def _system(view: View) -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in _SYSTEM:
        if Path(name).is_symlink():
            yield from ("--symlink", str(Path(name).readlink()), name)
        elif Path(name).is_dir():
            yield from ("--ro-bind", name, name)
    for name in (*_SETTINGS, *(_NETWORK_SETTINGS if view.network else ()), *view.readable):
        yield from ("--ro-bind-try", name, name)


def _kernel(view: View, limits: Limits) -> Iterator[str]:
    yield from ("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys")
    for name in _HIDDEN_FOLDERS if view.of_root else ():
        if Path(name).is_dir():
            yield from ("--tmpfs", name, "--remount-ro", name)
    for name in (*_TELLING, *(_HIDDEN_FILES if view.of_root else ())):
        if Path(name).exists():
            yield from ("--ro-bind", "/dev/null", name)
    size = str(limits.scratch)
    yield from ("--dev", "/dev", "--size", size, "--tmpfs", "/dev/shm")  # noqa: S108 - its own
    yield from ("--size", size, "--tmpfs", "/tmp")  # noqa: S108 - its own


def _environment(environment: Mapping[str, str]) -> Iterator[str]:
    yield "--clearenv"
    for name, value in environment.items():
        yield from ("--setenv", name, value)
