"""Looking at the journal of a tree, and bringing old content back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cardwright.workspace.files import Blob, Change, Overtaken, Publisher, RunClaim, Tree, TreeLock
from cardwright.workspace.files.tree import read_at

from .git import Git, GitFailed
from .identity import RESTORED
from .journal import GitJournal, git_dir_for

_FIELDS = "%H%x1f%aI%x1f%an%x1f%s%x1f%b%x1e"
TIMEOUT_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Commit:
    """One entry of the journal."""

    id: str
    time: datetime
    author: str
    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class Restored:
    """A file that was put back; `removed` says that it did not exist then."""

    path: str
    removed: bool


class NoJournalError(ValueError):
    """The tree has no journal, or the journal does not have what was asked for."""


class History:
    """The journal of one tree, for people."""

    def __init__(self, tree: Tree) -> None:
        """Open an existing journal.

        Raises:
            NoJournalError: The tree has none.
        """
        self._tree = tree
        self._git = Git(git_dir_for(tree.root), tree.root, TIMEOUT_SECONDS)
        if not (self._git.directory / "HEAD").is_file():
            raise NoJournalError(
                f"the workspace {tree.name} has no journal: "
                "the first card of the tree needs git_journal=True"
            )

    def log(self, paths: Sequence[str] = (), limit: int = 20) -> list[Commit]:
        """The newest commits, newest first.

        Args:
            paths: Only those that touch one of these.
            limit: Most commits.
        """
        arguments = ["log", f"--max-count={limit}", f"--format={_FIELDS}", "--", *paths]
        output = self._asked(arguments).decode(errors="replace")
        return [_commit(record) for record in output.split("\x1e") if record.strip()]

    def show(self, commit: str, paths: Sequence[str] = ()) -> str:
        """What a commit changed, as a unified diff.

        Args:
            commit: Its id or the beginning of it.
            paths: Only what it changed in these; empty if it changed none of them.

        Raises:
            NoJournalError: There is no such commit.
        """
        found = self._id(commit)
        arguments = ["show", "--no-color", "--no-ext-diff", "--no-textconv", found, "--", *paths]
        return self._asked(arguments).decode(errors="replace")

    def restore(self, commit: str, paths: Sequence[str]) -> list[Restored]:
        """Put files back as they were after a commit, and record that.

        Args:
            commit: Its id or the beginning of it.
            paths: Files; one that did not exist then is deleted.

        Returns:
            What was changed, by canonical paths.

        Raises:
            NoJournalError: There is no such commit.
            Refusal: A path is outside, or the system refuses.
        """
        found = self._id(commit)
        lock = TreeLock(self._tree.private)
        with lock():
            if RunClaim(self._tree.private).other() is not None:
                raise NoJournalError(f"a command runs in {self._tree.name}: try again when it ends")
            journal = GitJournal(self._tree, TIMEOUT_SECONDS)
            journal.open(None)
            changes = [change for path in paths if (change := self._change(found, path))]
            publisher = Publisher(self._tree, lock)
            try:
                publisher.publish(changes)
            except Overtaken as overtaken:
                raise NoJournalError(f"{overtaken} is being changed: try again") from overtaken
            finally:
                publisher.close()
            journal.commit("restore", RESTORED, [change.path for change in changes])
        return [Restored(change.path, change.data is None) for change in changes]

    def _change(self, commit: str, path: str) -> Change | None:
        canonical = self._tree.locate(path)
        if not canonical:
            raise NoJournalError("name the files to restore: the whole workspace is none")
        (mode, old), live = self._content(commit, canonical), self._live(canonical)
        if old == (None if live is None else live.data):
            return None
        return Change(canonical, live, old, executable=mode == "100755")

    def _live(self, path: str) -> Blob | None:
        with self._tree.place(path, follow=False) as place:
            return None if place.facts() is None else read_at(place)

    def _content(self, commit: str, path: str) -> tuple[str, bytes | None]:
        """Mode and bytes of a file as a commit has it."""
        listed = self._asked(["ls-tree", "-z", commit, "--", path])
        if not listed:
            return "", None
        mode, kind, blob = listed.split(b"\t")[0].decode().split()
        if kind != "blob" or mode == "120000":
            raise NoJournalError(f"{path} was no file in {commit[:12]}")
        return mode, self._asked(["cat-file", "blob", blob])

    def _id(self, commit: str) -> str:
        if not commit.isalnum():
            raise NoJournalError("name a commit by its id, or by the beginning of it")
        try:
            found = self._git.run(["rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"])
        except GitFailed:
            raise NoJournalError(
                f"the journal of {self._tree.name} has no single commit {commit}"
            ) from None
        return found.decode().strip()

    def _asked(self, arguments: Sequence[str]) -> bytes:
        try:
            return self._git.run(arguments)
        except GitFailed as error:
            if "does not have any commits yet" in str(error):
                return b""
            raise NoJournalError(f"the journal of {self._tree.name} says: {error}") from error


def _commit(record: str) -> Commit:
    commit, time, author, subject, body = record.strip("\n").split("\x1f")
    return Commit(commit, datetime.fromisoformat(time), author, subject, body.strip())
