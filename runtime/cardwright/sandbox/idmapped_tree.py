"""Shows a tree of root to an unprivileged user as that user's own; a program, not a module.

Started as root with the folder and an even user id. In a mount namespace of its own it mounts the
folder with mapped owners: whoever enters the namespace and becomes that user finds its files there
as its own, and what it writes belongs to root on disk. It says where, and which of its descriptors
is a user namespace in which nobody is that user, and stays until its input ends.
"""

import ctypes
import os
import sys
from pathlib import Path

_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442  # the same on every architecture
_AT_FDCWD, _AT_EMPTY_PATH = -100, 0x1000
_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_OPEN_TREE_CLONE = 1
_MOVE_MOUNT_F_EMPTY_PATH = 4
_MOUNT_ATTR_IDMAP = 0x00100000
_MS_REC, _MS_PRIVATE = 0x4000, 0x40000
# The mount is seen in a namespace of its own, so it hides nothing from anybody else.
_PLACES = ("/mnt", "/media", "/srv", "/var")
_NOBODY = 65534
_libc = ctypes.CDLL(None, use_errno=True)


class _MountAttributes(ctypes.Structure):
    """The kernel's `struct mount_attr`."""

    _fields_ = [
        ("attr_set", ctypes.c_uint64),
        ("attr_clr", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns_fd", ctypes.c_uint64),
    ]


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _user_namespace(*lines: str) -> int:
    """Return a descriptor of a user namespace with that map, in which no other can be made."""
    made, release = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        _checked(_libc.unshare(_CLONE_NEWUSER))
        Path("/proc/sys/user/max_user_namespaces").write_text("0")
        os.write(made[1], b".")
        os.close(release[1])
        os.read(release[0], 1)
        os._exit(0)
    os.close(made[1])
    if not os.read(made[0], 1):
        raise OSError("user namespaces are not available")
    for kind, line in zip(("uid", "gid"), lines, strict=True):
        Path(f"/proc/{child}/{kind}_map").write_text(line)
    descriptor = os.open(f"/proc/{child}/ns/user", os.O_RDONLY)
    os.close(release[1])
    os.waitpid(child, 0)
    return descriptor


def _mount(tree: Path, user: int) -> Path:
    facts = tree.stat()
    namespace = _user_namespace(f"{facts.st_uid} {user} 1\n", f"{facts.st_gid} {user} 1\n")
    _checked(_libc.unshare(_CLONE_NEWNS))
    _checked(_libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None))
    copy = _checked(_libc.syscall(_OPEN_TREE, _AT_FDCWD, bytes(tree), _OPEN_TREE_CLONE))
    wanted = _MountAttributes(_MOUNT_ATTR_IDMAP, 0, 0, namespace)
    size = ctypes.sizeof(wanted)
    _checked(_libc.syscall(_MOUNT_SETATTR, copy, b"", _AT_EMPTY_PATH, ctypes.byref(wanted), size))
    # A folder that everybody may enter, whatever those above the tree allow.
    base = next(place for place in map(Path, _PLACES) if place.is_dir())
    _checked(_libc.mount(b"tmpfs", bytes(base), b"tmpfs", 0, b"mode=755,size=64k"))
    place = base / "tree"
    place.mkdir(mode=0o755)
    _checked(
        _libc.syscall(_MOVE_MOUNT, copy, b"", _AT_FDCWD, bytes(place), _MOVE_MOUNT_F_EMPTY_PATH)
    )
    return place


def _main() -> None:
    user = int(sys.argv[2])
    # A terminal can only be made where there is a root; this one is nobody, too.
    users = f"0 {user + 1} 1\n{_NOBODY} {user} 1\n"
    namespace = _user_namespace(users, users)
    place = _mount(Path(sys.argv[1]), user)
    sys.stdout.write(f"{place} {namespace}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    _main()
