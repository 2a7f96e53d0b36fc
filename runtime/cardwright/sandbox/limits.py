"""What one command may use, and the shell line that makes the kernel hold it to that."""

import resource
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["DEFAULT_LIMITS", "Limits", "bounds", "impose", "limited"]

_MIB: Final = 1024 * 1024
_SHELL: Final = "/bin/sh"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one command; sizes in bytes, times in seconds of CPU."""

    cpu_s: int = 30
    address_space: int = 512 * _MIB
    """Of each process. Where the memory of the whole command is bounded, this is not needed."""
    memory: int = 1024 * _MIB
    """Of all processes together, where the system lets us bound it."""
    file_size: int = 100 * _MIB
    processes: int = 256
    open_files: int = 1024
    scratch: int = 256 * _MIB
    """Of each private temporary folder."""


DEFAULT_LIMITS: Final = Limits()


def limited(
    limits: Limits,
    *,
    address_space: bool = True,
    processes: bool = False,
    entrances: Sequence[Path] = (),
) -> Sequence[str]:
    """Return the words that go before a command so that it runs under `limits`.

    Args:
        limits: the bounds.
        address_space: whether to bound each process; nobody can on macOS.
        processes: whether to bound their number, which counts all of that user's.
        entrances: files of control groups to join first.
    """
    # In this order: CPU, address space, file size. POSIX counts file sizes in blocks of 512 bytes.
    steps = [f"ulimit -t {limits.cpu_s}"]
    if address_space and sys.platform != "darwin":
        steps.append(f"ulimit -v {limits.address_space // 1024}")
    steps += [
        f"ulimit -f {limits.file_size // 512}",
        "ulimit -c 0",
        f"ulimit -n {limits.open_files}",
    ]
    if processes:
        # The letter differs between shells.
        steps.append(f"ulimit -u {limits.processes} || ulimit -p {limits.processes}")
    # 0 is the shell itself.
    joining = "".join(f"echo 0 > {shlex.quote(str(file))} || exit 125; " for file in entrances)
    # One that cannot be set is lower already.
    return (_SHELL, "-c", f'{joining}{{ {"; ".join(steps)}; }} 2>/dev/null; exec "$@"', _SHELL)


def bounds(limits: Limits, *, address_space: bool = True) -> dict[int, int]:
    """Return the kernel's bounds of one process; their number is left to who can count them."""
    found = {
        resource.RLIMIT_CPU: limits.cpu_s,
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: limits.open_files,
    }
    if address_space:
        found[resource.RLIMIT_AS] = limits.address_space
    return found


def impose(process: int, bounds: Mapping[int, int]) -> None:
    """Hold a process of one's own to `bounds`, and what it starts from now on; only Linux can.

    Raises:
        ProcessLookupError: it is gone.
    """
    for kind, value in bounds.items():
        _, ceiling = resource.getrlimit(kind)  # of this process, which it inherited
        most = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
        resource.prlimit(process, kind, (most, most))
