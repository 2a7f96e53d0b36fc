"""System calls that a sandbox does without, as the program that the kernel checks them with.

What root's sandbox writes into the tree belongs to root on disk. So that nobody outside gains by
it, no file can be given the right to run as its owner. The rest narrows what can be attacked.
"""

import errno
import platform
import stat
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["seccomp_program"]

# Instructions of the kernel's packet filter, as far as they are needed.
_LOAD, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW: Final = 0x7FFF0000
_REFUSE: Final = 0x00050000
# Offsets in the data that the program looks at.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_FOREIGN: Final = 0x40000000
"""Numbers from here on are of another calling convention on x86-64."""

_RUN_AS_OWNER: Final = stat.S_ISUID | stat.S_ISGID
_CREATING: Final = 0o100 | 0o20000000  # O_CREAT, and O_TMPFILE without O_DIRECTORY
# Families of sockets that namespaces of the network hold back; one that talks to the machine
# around a virtual machine (vsock) is in none of them.
_FAMILIES: Final = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink
_TERMINAL_INPUT: Final = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX


@dataclass(frozen=True, slots=True)
class _Machine:
    """Numbers of the system calls of one architecture."""

    architecture: int
    modes: Mapping[int, int]
    """Calls that set a mode, and which argument it is."""
    opening: Mapping[int, int]
    """Calls that set a mode if they create, and which argument is the flags; the mode is next."""
    control: int
    socket: int
    refused: Sequence[int]


# The same on both: those that mount, fchmodat2 (452), openat2 (437) and the rings (425 to 427).
_MOUNTS: Final = (428, 429, 430, 431, 432, 433, 442)
# Their arguments are in memory, where a filter cannot look; programs do without them.
_ABSENT: Final = (425, 426, 427, 437)
_MACHINES: Final = {
    "x86_64": _Machine(
        0xC000003E,
        {90: 1, 91: 1, 268: 2, 452: 2, 85: 1, 83: 1, 258: 2, 133: 1, 259: 2},
        {2: 1, 257: 2},
        16,
        41,
        (103, 155, 165, 166, 175, 176, 246, 248, 249, 250, 272, 298, 308, 313, 321, 323, *_MOUNTS),
    ),
    "aarch64": _Machine(
        0xC00000B7,
        {52: 1, 53: 2, 452: 2, 34: 2, 33: 2},
        {56: 2},
        29,
        198,
        (39, 40, 41, 97, 104, 105, 106, 116, 217, 218, 219, 241, 268, 273, 280, 282, *_MOUNTS),
    ),
}


def seccomp_program(machine: str | None = None) -> bytes | None:
    """Return the program for this machine, or None if its system calls are not known here."""
    known = _MACHINES.get(machine or platform.machine())
    return None if known is None else b"".join(_program(known))


def _program(machine: _Machine) -> Iterator[bytes]:
    yield _step(_LOAD, _ARCHITECTURE)
    yield _step(_JUMP_EQUAL, machine.architecture, 1, 0)
    yield _refuse(errno.ENOSYS)
    yield _step(_LOAD, _NUMBER)
    yield _step(_JUMP_ABOVE, _FOREIGN, 0, 1)
    yield _refuse(errno.ENOSYS)
    for number in _ABSENT:
        yield from _unless(number, [_refuse(errno.ENOSYS)])
    for number in machine.refused:
        yield from _unless(number, [_refuse(errno.EPERM)])
    for number, argument in machine.modes.items():
        yield from _unless(number, _mode(argument))
    for number, flags in machine.opening.items():
        # Not creating: over the three steps that look at the mode.
        looks = [_argument(flags), _step(_JUMP_SET, _CREATING, 0, 3), *_mode(flags + 1)]
        yield from _unless(number, looks)
    yield from _unless(machine.socket, _families())
    for request in _TERMINAL_INPUT:
        same = [_argument(1), _step(_JUMP_EQUAL, request, 0, 1), _refuse(errno.EPERM)]
        yield from _unless(machine.control, same)
    yield _step(_RETURN, _ALLOW)


def _families() -> list[bytes]:
    known = len(_FAMILIES)
    looks = [_step(_JUMP_EQUAL, one, known - at, 0) for at, one in enumerate(_FAMILIES)]
    return [_argument(0), *looks, _refuse(errno.EAFNOSUPPORT)]


def _unless(number: int, steps: Sequence[bytes]) -> Iterator[bytes]:
    """Take `steps` for that call and then look at the number again; go on for every other."""
    yield _step(_JUMP_EQUAL, number, 0, len(steps) + 1)
    yield from steps
    yield _step(_LOAD, _NUMBER)


def _mode(argument: int) -> list[bytes]:
    return [
        _argument(argument),
        _step(_JUMP_SET, _RUN_AS_OWNER, 0, 1),
        _refuse(errno.EPERM),
    ]


def _argument(number: int) -> bytes:
    """Load the lower half of an argument; both machines keep it first."""
    return _step(_LOAD, _ARGUMENTS + 8 * number)


def _refuse(number: int) -> bytes:
    return _step(_RETURN, _REFUSE | number)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
