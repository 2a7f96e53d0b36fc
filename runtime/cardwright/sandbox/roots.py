"""Where trees live: the one place that turns the name of a tree into a folder."""

import os
import re
from pathlib import Path
from typing import Final

__all__ = ["ROOT_VARIABLE", "tree_root", "workspaces_root"]

ROOT_VARIABLE: Final = "CARDWRIGHT_WORKSPACES_ROOT"
_DEFAULT_ROOT: Final = "workspaces"
_TREE_NAME: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}")


def workspaces_root() -> Path:
    """Return the absolute folder of all trees: `CARDWRIGHT_WORKSPACES_ROOT` or `./workspaces`."""
    return Path(os.environ.get(ROOT_VARIABLE) or _DEFAULT_ROOT).absolute()


def tree_root(name: str) -> Path:
    """Return the folder of the tree `name`, which need not exist.

    Raises:
        ValueError: the name could lead out of the folder of all trees.
    """
    if not _TREE_NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is no name of a workspace: use 1 to 128 letters, digits, dots, dashes and "
            "underscores, and no leading dot."
        )
    return workspaces_root() / name
