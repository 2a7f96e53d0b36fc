"""A small tree, and files in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cardwright.workspace.files import Tree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Directory of the tree; `tmp_path` itself is outside."""
    root = tmp_path / "trees" / "team"
    root.mkdir(parents=True)
    return root


@pytest.fixture
def tree(root: Path) -> Tree:
    return Tree(root)


@pytest.fixture
def put(root: Path) -> Callable[..., Path]:
    """Write a file of the tree."""

    def write(path: str, content: str | bytes = "") -> Path:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write
