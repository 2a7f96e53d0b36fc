"""Specs of a git reference, read from its objects: the work tree is left alone."""

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from cardwright_generator.project import ProjectError

_BLOB = b"blob"


@dataclass(frozen=True, slots=True)
class GitTree:
    """The files of one commit below a project's folder."""

    root: Path
    reference: str
    """Id of the commit, or of the empty tree before the first one."""
    prefix: str
    """Folder of the project below the top of the repository; empty or with a closing slash."""

    def blobs(self, folder: str) -> dict[str, str]:
        """Path below the project -> object id, of every file below a folder of it."""
        where = f"{self.prefix}{folder}"
        listed = _git(self.root, "ls-tree", "-r", "-z", "--full-tree", self.reference, "--", where)
        return dict(self._entry(line) for line in listed.split(b"\0") if _BLOB in line)

    def _entry(self, line: bytes) -> tuple[str, str]:
        described, _, path = line.partition(b"\t")
        return path.decode().removeprefix(self.prefix), described.split()[2].decode()

    def read(self, blobs: Mapping[str, str]) -> dict[str, bytes]:
        """Path -> content of objects, in one call of git."""
        if not blobs:
            return {}
        asked = "".join(f"{blob}\n" for blob in blobs.values()).encode()
        answer = _git(self.root, "cat-file", "--batch", given=asked)
        found, start = dict[str, bytes](), 0
        for path in blobs:
            end = answer.index(b"\n", start)
            size = int(answer[start:end].split()[2])
            found[path] = answer[end + 1 : end + 1 + size]
            start = end + size + 2
        return found

    def file(self, path: str) -> bytes | None:
        """The content of one file; `None` if the commit has none there."""
        blobs = {name: blob for name, blob in self.blobs(path).items() if name == path}
        return self.read(blobs).get(path)


def git_tree(root: Path, reference: str) -> GitTree:
    """The tree of a reference, seen from a project; raises `ProjectError` if there is none."""
    try:
        prefix = _git(root, "rev-parse", "--show-prefix").decode().strip("\n")
    except ProjectError as error:
        why = str(error).splitlines()[0]
        message = (
            f"{reference!r} is no folder, and there is no git repository to look it up in: {why}"
        )
        raise ProjectError(message) from error
    if reference == "HEAD" and _is_unborn(root):
        return GitTree(
            root,
            _git(root, "hash-object", "-t", "tree", "--stdin", given=b"").decode().strip(),
            prefix,
        )
    wanted = f"{reference}^{{commit}}"
    try:
        commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    except ProjectError as error:
        message = (
            f"{reference!r} is neither a folder nor a commit, branch or tag of this repository; "
            "in a shallow clone, fetch it first"
        )
        raise ProjectError(message) from error
    return GitTree(root, commit.decode().strip(), prefix)


def is_reference(root: Path, name: str) -> bool:
    """Whether git knows a commit by that name; it does not where there is no repository."""
    wanted = f"{name}^{{commit}}"
    try:
        _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    except ProjectError:
        return False
    return True


def _is_unborn(root: Path) -> bool:
    """Whether the repository has no commit yet, so that nothing can break."""
    return not _git(root, "rev-list", "--max-count=1", "--all").strip()


def _program() -> str:
    found = which("git")
    if found is None:
        message = "git is not installed: give a folder instead of a reference"
        raise ProjectError(message)
    return found


def _git(root: Path, *arguments: str, given: bytes | None = None) -> bytes:
    try:
        done = subprocess.run(
            (_program(), "--no-optional-locks", "-C", str(root), *arguments),
            input=given,
            capture_output=True,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip() or f"git {arguments[0]} failed"
        raise ProjectError(said) from error
    return done.stdout
