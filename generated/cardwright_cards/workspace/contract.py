# Generated from specs/workspace.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `WorkspaceTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Literal

from cardwright.core import ActorToolObserver, CardLogic

from .card import WorkspaceTool

if TYPE_CHECKING:
    from cardwright.core import ActorAddress, Akgent, BaseConfig, MediaContent

    from .card import (
        WorkspaceExec,
        WorkspaceGlob,
        WorkspaceGrep,
        WorkspaceList,
        WorkspaceRead,
        WorkspaceView,
    )
    from .types import EditItem

type WorkspaceFailure = Literal[
    "not_found",
    "outside",
    "denied",
    "unsuitable",
    "invalid",
    "stale",
    "busy",
    "no_match",
    "lost",
    "unavailable",
]
"""Failures that the model can fix: `raise self.retry("not_found", "...")`."""


class WorkspaceContract(CardLogic[WorkspaceTool, ActorToolObserver, WorkspaceFailure]):
    """Base of `WorkspaceLogic`: one method per endpoint of the spec."""

    def tree_actor(self, config: BaseConfig) -> ActorAddress:
        """Get or create `#Workspace-{workspace_id|team_id}`, named and filed under this team."""
        return self.tool_actor(
            f"#Workspace-{(self.card.workspace_id if self.card.workspace_id is not None else self.observer.team_id)}",
            "cardwright.workspace.actor:WorkspaceActor",
            config,
        )

    def sandbox_actor(self, config: BaseConfig, actor_class: type[Akgent]) -> ActorAddress:
        """Get or create `#SandboxActor-{workspace_id|team_id}`, named and filed under this team.

        Exists while `workspace_exec` holds: call it then only.
        """
        return self.tool_actor(
            f"#SandboxActor-{(self.card.workspace_id if self.card.workspace_id is not None else self.observer.team_id)}",
            actor_class,
            config,
        )

    @abstractmethod
    def workspace_read(
        self,
        config: WorkspaceRead,
        *,
        path: str,
        offset: int,
        limit: int,
        force_document_regeneration: bool,
    ) -> str:
        """Read a file of the shared tree: numbered lines of a text, or the extracted text of a document.

        Text, PDF, Word, Excel, PowerPoint and other documents are read; use workspace_view to look at an image. Read a file
        before you change it: a change to something you have not seen in its present form is refused.
        """

    @abstractmethod
    def workspace_list(self, config: WorkspaceList, *, path: str, depth: int) -> str:
        """List a directory: its entries with their sizes, or a tree when depth is not 1."""

    @abstractmethod
    def workspace_glob(self, config: WorkspaceGlob, *, pattern: str, path: str) -> str:
        """Find files by a pattern such as "src/**/*.{py,md}", newest first, whatever the case of letters."""

    @abstractmethod
    def workspace_grep(
        self, config: WorkspaceGrep, *, pattern: str, path: str, include: str
    ) -> str:
        """Find the lines that match a regular expression, shown as "path:line number: line"."""

    @abstractmethod
    def workspace_view(self, config: WorkspaceView, *, path: str) -> MediaContent:
        """Look at an image: PNG, JPEG, GIF, WebP or BMP."""

    @abstractmethod
    def workspace_write(self, *, path: str, content: str) -> str:
        """Create a file, or replace the whole of it. Missing directories are created.

        Read an existing file in full first. For a change to a part of it, workspace_edit is the better tool.
        """

    @abstractmethod
    def workspace_delete(self, *, path: str) -> str:
        """Delete a file. Read it in full first. Of a link, the link itself is deleted."""

    @abstractmethod
    def workspace_edit(
        self, *, path: str, old_string: str, new_string: str, replace_all: bool
    ) -> str:
        """Replace a text in a file and return the difference.

        The text must occur once, unless replace_all is set. Differences in indentation, trailing blanks, line endings,
        quotes and escapes are tolerated as long as the place is unmistakable.
        """

    @abstractmethod
    def workspace_multi_edit(self, *, edits: list[EditItem]) -> str:
        """Apply several edits to one or more files, all or none, and return the differences.

        Edits are applied in order; a later one sees what the earlier ones did to the same file.
        """

    @abstractmethod
    def workspace_patch(self, *, patch_text: str) -> str:
        """Apply a unified diff of one or more files, all or none: changed, new and deleted files.

        Line numbers may be off as long as the context of a hunk occurs once.
        """

    @abstractmethod
    def workspace_mkdir(self, *, path: str) -> str:
        """Create a directory with its parents. An existing one is left as it is."""

    @abstractmethod
    def workspace_exec(self, config: WorkspaceExec, *, cmd: str, cwd: str) -> str:
        """Run one program with its arguments in the tree and return its exit code and output. No shell: use sh -c "..." for one.

        While it runs nobody can change files. It may be any of these programs, if the sandbox has it: awk, bash, cat, cp,
        curl, echo, find, git, grep, jq, kill, ls, make, mkdir, mv, mypy, node, npm, npx, pip, pytest, python, python3, rm,
        ruff, sed, sh, touch, uv, wc, wget, xargs.
        """

    @abstractmethod
    def workspace_exec_result(self, config: WorkspaceExec, *, run_id: str) -> str:
        """Collect the output of a command that was still running when workspace_exec answered."""

    @abstractmethod
    def expand_media_refs(self, *, prompt: str) -> list[str | MediaContent]:
        """Replace every !!pattern of a prompt by the images it names."""
