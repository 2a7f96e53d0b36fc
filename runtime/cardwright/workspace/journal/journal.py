"""The history of a tree: one commit for each accepted change, and for what came from outside."""

import logging
import os
import shutil
import stat
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import time

from cardwright.workspace.files import Tree

from .git import BRANCH, Git, GitFailed, GitUnusable
from .identity import OUT_OF_BAND, Identity, subject

logger = logging.getLogger(__name__)

IGNORE_FILE = ".gitignore"
LARGEST = 128 * 1024 * 1024
"""Bytes of a file above which it is left out of the history."""
# What git may not change on its way in, whatever attributes the tree itself asks for.
_ATTRIBUTES = "* -text -eol -filter -ident -working-tree-encoding\n"
_LOCKS = ("index.lock", "HEAD.lock", "config.lock", f"refs/heads/{BRANCH}.lock")


def git_dir_for(root: Path) -> Path:
    """The repository of a tree: its sibling, never inside it."""
    return root.with_name(f"{root.name}.git")


def gitignore_seed() -> str:
    """What a tree without a `.gitignore` gets: what is staged, built or installed."""
    return ".*.*.tmp\n__pycache__/\n*.pyc\n.venv/\nnode_modules/\n"


class GitJournal:
    """Records changes; whatever goes wrong here never changes their outcome."""

    def __init__(self, tree: Tree, timeout_s: float) -> None:
        """Not yet open: nothing is recorded before `open`."""
        self._tree = tree
        self._git = Git(git_dir_for(tree.root), tree.root, timeout_s)
        self._open = False
        self._left_out: set[str] = set()

    @property
    def is_open(self) -> bool:
        """Whether changes are recorded."""
        return self._open

    def open(self, seed: Callable[[str], None] | None) -> None:
        """Begin to record. What cannot be done is said in one warning, and the journal stays off.

        Args:
            seed: Writes the given `.gitignore`; called if the tree has none and one is wanted.
        """
        try:
            self._prepare()
        except (GitFailed, GitUnusable, OSError) as error:
            logger.warning("The journal of workspace %s is off: %s", self._tree.name, error)
            return
        self._open = True
        if seed is not None and self._tree.facts(IGNORE_FILE) is None:
            seed(gitignore_seed())
        self.commit_outside()

    def _prepare(self) -> None:
        directory = self._git.directory
        if self._tree.name.endswith(".git"):
            raise GitFailed("its name ends in .git, where repositories are")
        if directory.exists() and not (directory / "HEAD").is_file():
            raise GitFailed(f"{directory.name} exists and is no repository")
        if shutil.which("git") is None:
            raise GitUnusable("git is not installed")
        if not directory.exists():
            self._git.run(["init", "--quiet", f"--initial-branch={BRANCH}"])
        self._git.run(["config", "core.bare", "false"])
        self._unlock(0)
        (directory / "info").mkdir(exist_ok=True)
        (directory / "info" / "attributes").write_text(_ATTRIBUTES, encoding="utf-8")

    def _ready(self) -> None:
        if self._tree.root.is_symlink():
            raise GitFailed("the folder of the workspace was replaced by a link")
        self._unlock(self._git.timeout_s)

    def _unlock(self, age_s: float) -> None:
        """Remove locks of that age: the tree is held, so they are of a git that was killed."""
        for name in _LOCKS:
            with suppress(FileNotFoundError):
                lock = self._git.directory / name
                if time() - lock.stat().st_mtime >= age_s:
                    lock.unlink()

    def commit_outside(self) -> None:
        """Record what nobody in this team wrote, if there is anything."""
        self._recorded("out-of-band", OUT_OF_BAND, None, "")

    def commit(self, capability: str, by: Identity, paths: Iterable[str]) -> None:
        """Record the accepted change of some paths; paths without a change are left out."""
        self._recorded(capability, by, list(paths), "")

    def commit_all(self, capability: str, by: Identity) -> None:
        """Record everything that differs, of which all else was recorded before."""
        self._recorded(capability, by, None, "")

    def commit_run(self, by: Identity, command: str) -> None:
        """Record everything that a command changed, with the command in the body."""
        self._recorded("exec", by, None, command)

    def _recorded(self, capability: str, by: Identity, paths: list[str] | None, body: str) -> None:
        if not self._open:
            return
        try:
            self._ready()
            self._commit(capability, by, paths, body)
        except (GitFailed, OSError) as error:
            said = str(error).partition("\n")[0]
            logger.warning("Workspace %s: git refused a commit: %s", self._tree.name, said)
        except GitUnusable as error:
            self._open = False
            logger.warning("The journal of workspace %s is off: %s", self._tree.name, error)

    def _commit(self, capability: str, by: Identity, paths: list[str] | None, body: str) -> None:
        changed = self._kept(self._dirty() if paths is None else paths)
        if not changed:
            return
        self._stage(changed)
        staged = self._staged()
        if not staged:
            return
        message = "\n\n".join(filter(None, (subject(capability, staged), body)))
        arguments = ["commit", "--quiet", "--no-verify", "--cleanup=verbatim", "--file=-"]
        self._git.run(arguments, given=message.encode(errors="replace"), by=by)

    def _kept(self, paths: list[str]) -> list[str]:
        """Without what git would take too long for, or refuse together with all the rest."""
        left_out = {path for path in paths if not self._can_be_kept(path)}
        if new := sorted(left_out - self._left_out):
            logger.warning(
                "Workspace %s: not journaled, too large or unreadable: %r", self._tree.name, new
            )
            self._left_out |= left_out
        return [path for path in paths if path not in left_out]

    def _can_be_kept(self, path: str) -> bool:
        file = self._tree.root / path
        try:
            facts = file.lstat()
        except OSError:
            return True
        if not stat.S_ISREG(facts.st_mode):
            return True
        return facts.st_size <= LARGEST and os.access(file, os.R_OK)

    def _dirty(self) -> list[str]:
        """Paths that differ from the last commit; repositories inside the tree are left alone."""
        arguments = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"]
        found = [line[3:] for line in _names(self._git.run(arguments))]
        return [path for path in found if not path.endswith("/")]

    def _stage(self, paths: Iterable[str]) -> None:
        given = b"".join(path.encode(errors="surrogateescape") + b"\0" for path in paths)
        self._git.run(
            ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], given=given
        )

    def _staged(self) -> tuple[str, ...]:
        with suppress(GitFailed):
            arguments = ["diff-index", "--cached", "--name-only", "-z", "HEAD"]
            return tuple(_names(self._git.run(arguments)))
        return tuple(_names(self._git.run(["ls-files", "-z"])))


def _names(output: bytes) -> list[str]:
    return [part.decode(errors="surrogateescape") for part in output.split(b"\0") if part]
