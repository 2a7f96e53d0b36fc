"""System calls that podman's own filter lets pass, and docker's does not: taken away, too.

Without a network a container could else talk to the machine around a virtual machine (vsock), hold
keys of the host's user, make namespaces, and take over the shell that ends its other processes.
"""

import errno
import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from .engine import Engine

__all__ = ["narrowed"]

_PATH: Final = "{{.Host.Security.SECCOMPProfilePath}}"
# fmt: off
_REFUSED: Final = frozenset({
    "add_key", "keyctl", "request_key", "ptrace", "process_vm_readv", "process_vm_writev",
    "setns", "unshare", "syslog", "mount", "umount", "umount2", "pivot_root", "fsopen", "fsconfig",
    "fsmount", "fspick", "move_mount", "open_tree", "mount_setattr", "clone", "clone3", "socket",
})
# fmt: on
_NAMESPACES: Final = 0x7E020000
_VSOCK: Final = 40
_ADDED: Final = (
    {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS},
    {
        "names": ["clone"],
        "action": "SCMP_ACT_ALLOW",
        "args": [{"index": 0, "value": _NAMESPACES, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}],
    },
    {
        "names": ["socket"],
        "action": "SCMP_ACT_ALLOW",
        "args": [{"index": 0, "value": _VSOCK, "op": "SCMP_CMP_NE"}],
    },
    {
        "names": sorted(_REFUSED - {"clone", "clone3", "socket"}),
        "action": "SCMP_ACT_ERRNO",
        "errnoRet": errno.EPERM,
    },
)


@contextmanager
def narrowed(engine: Engine) -> Generator[Sequence[str]]:
    """Yield the options with which a container gets the narrowed filter.

    None for an engine whose filter is not in a file of this machine, as is docker's.
    """
    path = engine.do("info", "--format", _PATH, quiet=True).strip()
    if not path or not Path(path).is_file():
        yield ()
        return
    with NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(_without(json.loads(Path(path).read_text("utf-8"))), file)
        file.flush()
        yield (f"--security-opt=seccomp={file.name}",)


def _without(profile: dict[str, Any]) -> dict[str, Any]:
    rules = [
        {**rule, "names": kept}
        for rule in profile["syscalls"]
        if (kept := [name for name in rule["names"] if name not in _REFUSED])
    ]
    return {**profile, "syscalls": [*rules, *_ADDED]}
