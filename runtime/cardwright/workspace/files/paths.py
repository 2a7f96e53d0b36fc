"""Spellings of paths, before the disk is asked."""

import os

from .errors import InvalidPathError, PathEscapeError

LONGEST = 4095
"""Characters of a path that the system, git and commands can still use."""


def parts_of(path: str, roots: tuple[str, ...]) -> list[str]:
    """The names of `path` below the root, `..` among them; `.` and empty ones left out.

    Args:
        path: Relative to the root, or absolute below one of `roots`.
        roots: Spellings of the root's own absolute path.

    Raises:
        InvalidPathError: No file can have this path.
        PathEscapeError: It is absolute and not below the root.
    """
    if "\0" in path:
        raise InvalidPathError("A path cannot hold a NUL character.")
    try:
        # Names that are no UTF-8 have a form of their own here; commands may make such.
        os.fsencode(path)
    except UnicodeEncodeError:
        raise InvalidPathError("The path holds a lone surrogate: write it in Unicode.") from None
    if len(path) > LONGEST:
        raise InvalidPathError(f"A path cannot be longer than {LONGEST} characters.")
    return [part for part in _below(path, roots).split("/") if part not in {"", "."}]


def _below(path: str, roots: tuple[str, ...]) -> str:
    if not path.startswith("/"):
        return path
    for root in roots:
        if path == root or path.startswith(f"{root}/"):
            return path[len(root) :]
    raise PathEscapeError(f"{path!r} is not below the root of the workspace")
