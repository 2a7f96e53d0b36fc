"""A tree as a workspace of pydantic-ai, for other capabilities of an agent.

What is written here is whole, durable and contained, and refused while a command holds the tree.
It is not judged by the gate: to the agents that carry the card it is a change from outside, which
the gate tells them about.
"""

import errno
import os
import posixpath
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from cardwright.sandbox.roots import tree_root

from .files import Entry, Kind, Tree
from .files.tree import entries_of
from .files.walking import listing
from .filesystem import Workspace

if TYPE_CHECKING:
    from pydantic_ai.workspaces import FileEntry, WorkspaceRef

PROVIDER = "cardwright"


class TreeBackend:
    """The files of one tree: a `WorkspaceBackend` with `SupportsFilesystem` and `SupportsRealpath`.

    It runs no commands: those need a team, see `TeamTreeBackend`.
    """

    def __init__(self, name: str | None = None, *, ref: "WorkspaceRef | None" = None) -> None:
        """Nothing is touched before the first operation.

        Args:
            name: The tree, made if it does not exist; the `workspace_id` of a card.
            ref: An existing tree instead, as `ref` of another backend told.

        Raises:
            ValueError: Not exactly one of the two is given, `ref` is of another provider, or the
                name is not that of a tree.
        """
        if (name is None) == (ref is None) or (ref is not None and ref.provider != PROVIDER):
            raise ValueError("give the name of a tree, or the ref of one of this provider")
        self._name = tree_root(ref.id if ref is not None else name or "").name
        self._ref = ref
        self._lock = Lock()
        self._files: Workspace | None = None

    @property
    def ref(self) -> "WorkspaceRef | None":
        """Names the tree, once it was used."""
        return self._ref

    async def working_dir(self) -> str:
        """Absolute path of the root; every other path is below it."""
        return await threaded(lambda: self._shown(self._opened().root))

    async def read_bytes(self, path: str) -> bytes:
        """Content of a file."""
        return await threaded(lambda: self._opened().read_bytes(path))

    async def write_bytes(self, path: str, data: bytes) -> None:
        """Create or replace a file, through links inside the tree; parents are made."""
        await threaded(lambda: self._write(self._opened(), path, data))

    async def stat(self, path: str) -> "FileEntry":
        """What is at the path, links followed."""
        return await threaded(lambda: _described(self._opened().tree, path))

    async def list_dir(self, path: str) -> "Sequence[FileEntry]":
        """Entries of a directory."""
        return await threaded(lambda: _listed(self._opened().tree, path))

    async def make_dir(self, path: str) -> None:
        """Make a directory and its parents."""
        await threaded(lambda: self._mkdir(self._opened(), path))

    async def remove(self, path: str) -> None:
        """Remove a file, a link itself, or a directory with what is in it."""
        await threaded(lambda: self._removed(path))

    async def exists(self, path: str) -> bool:
        """Whether a file or directory is there, links followed."""
        return await threaded(lambda: self._opened().exists(path))

    async def realpath(self, path: str) -> str:
        """The path with all links resolved."""
        return await threaded(lambda: self._resolved(path))

    def _opened(self) -> Workspace:
        from pydantic_ai.workspaces import WorkspaceRef, WorkspaceUnavailableError

        with self._lock:
            root = tree_root(self._name)
            if self._ref is None:
                root.mkdir(parents=True, exist_ok=True)
                self._ref = WorkspaceRef(provider=PROVIDER, id=root.name)
            if not root.is_dir():
                raise WorkspaceUnavailableError(f"the workspace {root.name} is gone")
            if self._files is None:
                self._files = Workspace(self._tree())
            return self._files

    def _tree(self) -> Tree:
        return Tree(tree_root(self._name))

    def _shown(self, path: str) -> str:
        """An absolute path below the root as the user of the backend spells it."""
        return path

    def _write(self, files: Workspace, path: str, data: bytes) -> None:
        files.write(path, data)

    def _mkdir(self, files: Workspace, path: str) -> None:
        files.mkdir(path)

    def _remove(self, files: Workspace, path: str) -> None:
        files.remove(path)

    def _removed(self, path: str) -> None:
        files = self._opened()
        root = self._shown(files.root)
        if posixpath.normpath(posixpath.join(root, path)) in _lineage(root):
            raise ValueError("the working directory and what holds it cannot be removed")
        self._remove(files, path)

    def _resolved(self, path: str) -> str:
        files = self._opened()
        with files.tree.place(path) as place:
            found = place.path
        return self._shown(posixpath.join(files.root, found) if found else files.root)


async def threaded[R](work: Callable[[], R]) -> R:
    """Do blocking work on another thread."""
    from anyio import to_thread

    return await to_thread.run_sync(work)


def _lineage(root: str) -> set[str]:
    lineage = {root}
    while root != "/":
        root = posixpath.dirname(root)
        lineage.add(root)
    return lineage


def _described(tree: Tree, path: str) -> "FileEntry":
    with tree.place(path) as place:
        facts = place.facts()
    if facts is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    directory = facts.kind is Kind.DIRECTORY
    return _entry(posixpath.normpath(path), facts.size, directory=directory)


def _listed(tree: Tree, path: str) -> "list[FileEntry]":
    with tree.place(path) as place, listing(place) as opened:
        found = entries_of(opened, place.path)
    base = posixpath.normpath(path)
    return [_of_listing(tree, entry, posixpath.join(base, entry.name)) for entry in found]


def _of_listing(tree: Tree, entry: Entry, path: str) -> "FileEntry":
    facts = tree.within(entry) if entry.kind is Kind.LINK else entry
    if facts is None:
        return _entry(path, None, directory=False)
    return _entry(path, facts.size, directory=facts.kind is Kind.DIRECTORY)


def _entry(path: str, size: int | None, *, directory: bool) -> "FileEntry":
    from pydantic_ai.workspaces import FileEntry

    name = posixpath.basename(path)
    return FileEntry(name=name, path=path, is_dir=directory, size=None if directory else size)
