"""The working folder of a command, which is always one of the tree."""

import contextlib
import os
import stat
from pathlib import Path, PurePosixPath
from typing import Final

__all__ = ["INSIDE", "WorkingFolderError", "identity_of", "inner_folder", "outer_folder", "reclaim"]

INSIDE: Final = PurePosixPath("/workspace")
"""Where a sandbox of its own shows the tree."""


class WorkingFolderError(Exception):
    """There is no such folder in the tree; the text names no path of the host."""


def identity_of(folder: Path) -> tuple[int, int]:
    """Return what tells this folder from one that took its place under the same name."""
    facts = folder.stat()
    return facts.st_dev, facts.st_ino


def reclaim(root: Path) -> None:
    """Give the owner of the tree its folder back, which a command may have closed to everybody.

    Raises:
        WorkingFolderError: a link or a file has taken its place.
    """
    try:
        opened = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (NotADirectoryError, PermissionError, FileNotFoundError) as error:
        _open_closed(root, error)
        return
    try:
        mode = stat.S_IMODE(os.fstat(opened).st_mode)
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            with contextlib.suppress(PermissionError):
                os.fchmod(opened, mode | stat.S_IRWXU)
    finally:
        os.close(opened)


def _open_closed(root: Path, error: OSError) -> None:
    if isinstance(error, NotADirectoryError):
        raise WorkingFolderError("the folder of the workspace was replaced") from error
    if isinstance(error, PermissionError):  # its owner may not even look, but may change that
        with contextlib.suppress(OSError):
            root.chmod(stat.S_IMODE(root.stat().st_mode) | stat.S_IRWXU)


def outer_folder(root: Path, cwd: str) -> Path:
    """Return the folder of the host that `cwd` (relative to the tree, or "") names.

    Raises:
        WorkingFolderError: it is missing, no folder, or not in the tree.
    """
    if "\0" in cwd:
        raise WorkingFolderError("the working directory holds a NUL character")
    real_root = root.resolve()
    missing = WorkingFolderError(f"working directory not found: {cwd}")
    try:
        folder = (real_root / cwd).resolve()
        there = folder.is_dir()
    except (OSError, RuntimeError):  # a name that is too long, or a loop of links
        raise missing from None
    if not folder.is_relative_to(real_root):
        raise WorkingFolderError(f"working directory is outside the workspace: {cwd}")
    if not there:
        raise missing
    return folder


def inner_folder(root: Path, cwd: str) -> str:
    """Return how a sandbox that shows the tree at `/workspace` calls the folder `cwd`.

    Raises:
        WorkingFolderError: it is missing, no folder, or not in the tree.
    """
    path = PurePosixPath(cwd)
    if path.is_relative_to(INSIDE):
        cwd = str(path.relative_to(INSIDE))
    folder = outer_folder(root, cwd).relative_to(root.resolve())
    return str(INSIDE / folder.as_posix())
