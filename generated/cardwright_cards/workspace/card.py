# Generated from specs/workspace.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`WorkspaceTool` and the params of its capabilities."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, cast, override

from pydantic import Field

from cardwright.core import (
    ActorToolObserver,
    BaseToolParam,
    Channels,
    MediaContent,
    ToolCard,
    ToolPolicy,
    internal,
    policy,
    served,
)

from .types import DocumentReader, EditItem, Resource

if TYPE_CHECKING:
    from .contract import WorkspaceContract


class WorkspaceRead(BaseToolParam):
    """Read files and documents."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}

    default_limit: Annotated[
        int, Field(description="Lines shown when the model names no limit.", ge=1)
    ] = 2000
    force_document_regeneration: Annotated[
        bool, Field(description="Extract documents anew unless the model says otherwise.")
    ] = False
    document_reader: Annotated[
        DocumentReader | bool, Field(description="How documents become text; false refuses them.")
    ] = True


class WorkspaceList(BaseToolParam):
    """List directories."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}

    max_depth: Annotated[
        int, Field(description="Levels shown when the model names none; 0 is unlimited.", ge=0)
    ] = 1


class WorkspaceGlob(BaseToolParam):
    """Find files by name."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}

    max_results: Annotated[int, Field(description="Most paths to return.", ge=1)] = 100


class WorkspaceGrep(BaseToolParam):
    """Find lines in files."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}

    max_results: Annotated[int, Field(description="Most lines to return.", ge=1)] = 100
    max_line_length: Annotated[int, Field(description="Characters shown of a line.", ge=1)] = 2000


class WorkspaceView(BaseToolParam):
    """Look at images."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}

    max_dimension: Annotated[
        int, Field(description="Longest side in pixels, 0 for any size.", ge=0)
    ] = 1568


class WorkspaceWrite(BaseToolParam):
    """Create and replace files."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class WorkspaceDelete(BaseToolParam):
    """Delete files."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class WorkspaceEdit(BaseToolParam):
    """Replace a text in a file."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class WorkspaceMultiEdit(BaseToolParam):
    """Replace several texts at once."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class WorkspacePatch(BaseToolParam):
    """Apply unified diffs."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class WorkspaceMkdir(BaseToolParam):
    """Create directories."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class WorkspaceExec(BaseToolParam):
    """Run commands in a sandbox over the tree."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}

    mode: Annotated[
        str,
        Field(
            description="Isolation of commands: local, bwrap, seatbelt, docker, auto, or a registered one."
        ),
    ] = "auto"
    timeout_s: Annotated[
        float, Field(description="Budget of a command in seconds; more than 20 is cut to 20.", gt=0)
    ] = 15
    poll_attempts: Annotated[
        int,
        Field(
            description="Looks before the run is left to workspace_exec_result: -1 waits for the budget, 0 not at all.",
            ge=-1,
        ),
    ] = -1
    poll_delay_seconds: Annotated[float, Field(description="Seconds between two looks.", ge=0)] = (
        0.5
    )


class ExpandMediaRefs(BaseToolParam):
    """Put images that a prompt names into it."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.COMMAND})
    expose: set[Channels] = {Channels.COMMAND}


class WorkspaceTool(ToolCard):
    """Files and commands over one shared tree.

    One directory that agents share. Reads run at once; every change goes through one actor, which refuses to replace what the agent has not seen in its present form, writes atomically and, if wanted, keeps a git journal. Commands run in a sandbox.
    """

    logic_path: ClassVar[str] = "cardwright.workspace.logic:WorkspaceLogic"
    observer_type: ClassVar[type[object] | None] = ActorToolObserver

    workspace_id: Annotated[
        str | None,
        Field(
            description="Directory below the workspaces root; the team's own when left out.",
            pattern="^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$",
        ),
    ] = None
    read_only: Annotated[bool, Field(description="Remove everything that writes or runs.")] = False
    git_journal: Annotated[
        bool, Field(description="Commit every accepted change to a git repository beside the tree.")
    ] = False
    resources: Annotated[
        list[Resource],
        Field(description="Files put into the tree when the card is bound, unless they exist."),
    ] = []

    workspace_read: Annotated[
        WorkspaceRead | bool, Field(description="Read files and documents.")
    ] = True
    workspace_list: Annotated[WorkspaceList | bool, Field(description="List directories.")] = True
    workspace_glob: Annotated[WorkspaceGlob | bool, Field(description="Find files by name.")] = True
    workspace_grep: Annotated[WorkspaceGrep | bool, Field(description="Find lines in files.")] = (
        True
    )
    workspace_view: Annotated[WorkspaceView | bool, Field(description="Look at images.")] = True
    workspace_write: Annotated[
        WorkspaceWrite | bool, Field(description="Create and replace files.")
    ] = True
    workspace_delete: Annotated[WorkspaceDelete | bool, Field(description="Delete files.")] = True
    workspace_edit: Annotated[
        WorkspaceEdit | bool, Field(description="Replace a text in a file.")
    ] = True
    workspace_multi_edit: Annotated[
        WorkspaceMultiEdit | bool, Field(description="Replace several texts at once.")
    ] = True
    workspace_patch: Annotated[WorkspacePatch | bool, Field(description="Apply unified diffs.")] = (
        True
    )
    workspace_mkdir: Annotated[WorkspaceMkdir | bool, Field(description="Create directories.")] = (
        True
    )
    workspace_exec: Annotated[
        WorkspaceExec | bool, Field(description="Run commands in a sandbox over the tree.")
    ] = False
    expand_media_refs: Annotated[
        ExpandMediaRefs | bool, Field(description="Put images that a prompt names into it.")
    ] = True

    @property
    def logic(self) -> "WorkspaceContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("WorkspaceContract", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if workspace_read := served(self.workspace_read, WorkspaceRead, Channels.TOOL_CALL):
            found.append(self._workspace_read(workspace_read))
        if workspace_list := served(self.workspace_list, WorkspaceList, Channels.TOOL_CALL):
            found.append(self._workspace_list(workspace_list))
        if workspace_glob := served(self.workspace_glob, WorkspaceGlob, Channels.TOOL_CALL):
            found.append(self._workspace_glob(workspace_glob))
        if workspace_grep := served(self.workspace_grep, WorkspaceGrep, Channels.TOOL_CALL):
            found.append(self._workspace_grep(workspace_grep))
        if workspace_view := served(self.workspace_view, WorkspaceView, Channels.TOOL_CALL):
            found.append(self._workspace_view(workspace_view))
        if not self.read_only and (
            workspace_write := served(self.workspace_write, WorkspaceWrite, Channels.TOOL_CALL)
        ):
            found.append(self._workspace_write(workspace_write))
        if not self.read_only and (
            workspace_delete := served(self.workspace_delete, WorkspaceDelete, Channels.TOOL_CALL)
        ):
            found.append(self._workspace_delete(workspace_delete))
        if not self.read_only and (
            workspace_edit := served(self.workspace_edit, WorkspaceEdit, Channels.TOOL_CALL)
        ):
            found.append(self._workspace_edit(workspace_edit))
        if not self.read_only and (
            workspace_multi_edit := served(
                self.workspace_multi_edit, WorkspaceMultiEdit, Channels.TOOL_CALL
            )
        ):
            found.append(self._workspace_multi_edit(workspace_multi_edit))
        if not self.read_only and (
            workspace_patch := served(self.workspace_patch, WorkspacePatch, Channels.TOOL_CALL)
        ):
            found.append(self._workspace_patch(workspace_patch))
        if not self.read_only and (
            workspace_mkdir := served(self.workspace_mkdir, WorkspaceMkdir, Channels.TOOL_CALL)
        ):
            found.append(self._workspace_mkdir(workspace_mkdir))
        if not self.read_only and (
            workspace_exec := served(self.workspace_exec, WorkspaceExec, Channels.TOOL_CALL)
        ):
            found.append(self._workspace_exec(workspace_exec))
            found.append(self._workspace_exec_result(workspace_exec))
        return found

    @override
    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        found: dict[type[BaseToolParam], Callable[..., object]] = {}
        if expand_media_refs := served(self.expand_media_refs, ExpandMediaRefs, Channels.COMMAND):
            found[ExpandMediaRefs] = self._expand_media_refs(expand_media_refs)
        return found

    def _workspace_read(self, config: WorkspaceRead) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def workspace_read(
            path: Annotated[
                str, Field(description="File to read, relative to the root of the tree.")
            ],
            offset: Annotated[int, Field(description="First line to show, counted from 1.")] = 1,
            limit: Annotated[int, Field(description="Most lines to show.")] = config.default_limit,
            force_document_regeneration: Annotated[
                bool,
                Field(
                    description="Extract a document anew instead of using what was extracted before."
                ),
            ] = config.force_document_regeneration,
        ) -> str:
            """Read a file of the shared tree: numbered lines of a text, or the extracted text of a document.

            Text, PDF, Word, Excel, PowerPoint and other documents are read; use workspace_view to look at an image. Read a file
            before you change it: a change to something you have not seen in its present form is refused.
            """
            return self.logic.workspace_read(
                config,
                path=path,
                offset=offset,
                limit=limit,
                force_document_regeneration=force_document_regeneration,
            )

        return config.describe(workspace_read)

    def _workspace_list(self, config: WorkspaceList) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def workspace_list(
            path: Annotated[str, Field(description="Directory to list; empty for the root.")] = "",
            depth: Annotated[
                int,
                Field(
                    description="Levels to show: 1 for the entries alone, 0 for everything below.",
                    ge=0,
                ),
            ] = config.max_depth,
        ) -> str:
            """List a directory: its entries with their sizes, or a tree when depth is not 1."""
            return self.logic.workspace_list(config, path=path, depth=depth)

        return config.describe(workspace_list)

    def _workspace_glob(self, config: WorkspaceGlob) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def workspace_glob(
            pattern: Annotated[
                str,
                Field(
                    description="Pattern: * within a name, ** across directories, {a,b} for alternatives."
                ),
            ],
            path: Annotated[
                str, Field(description="Directory to search; empty for the root.")
            ] = "",
        ) -> str:
            """Find files by a pattern such as "src/**/*.{py,md}", newest first, whatever the case of letters."""
            return self.logic.workspace_glob(config, pattern=pattern, path=path)

        return config.describe(workspace_glob)

    def _workspace_grep(self, config: WorkspaceGrep) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def workspace_grep(
            pattern: Annotated[str, Field(description="Regular expression.")],
            path: Annotated[
                str, Field(description="File or directory to search; empty for the whole tree.")
            ] = "",
            include: Annotated[
                str, Field(description="Only files that match this pattern, such as *.py.")
            ] = "",
        ) -> str:
            """Find the lines that match a regular expression, shown as "path:line number: line"."""
            return self.logic.workspace_grep(config, pattern=pattern, path=path, include=include)

        return config.describe(workspace_grep)

    def _workspace_view(self, config: WorkspaceView) -> Callable[..., MediaContent]:
        @policy(ToolPolicy(idempotency="read_only"))
        def workspace_view(
            path: Annotated[str, Field(description="Image to look at.")],
        ) -> MediaContent:
            """Look at an image: PNG, JPEG, GIF, WebP or BMP."""
            return self.logic.workspace_view(config, path=path)

        return config.describe(workspace_view)

    def _workspace_write(self, config: WorkspaceWrite) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def workspace_write(
            path: Annotated[str, Field(description="File to write.")],
            content: Annotated[str, Field(description="Its whole new text.", max_length=2000000)],
        ) -> str:
            """Create a file, or replace the whole of it. Missing directories are created.

            Read an existing file in full first. For a change to a part of it, workspace_edit is the better tool.
            """
            return self.logic.workspace_write(path=path, content=content)

        return config.describe(workspace_write)

    def _workspace_delete(self, config: WorkspaceDelete) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def workspace_delete(path: Annotated[str, Field(description="File to delete.")]) -> str:
            """Delete a file. Read it in full first. Of a link, the link itself is deleted."""
            return self.logic.workspace_delete(path=path)

        return config.describe(workspace_delete)

    def _workspace_edit(self, config: WorkspaceEdit) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def workspace_edit(
            path: Annotated[str, Field(description="File to change.")],
            old_string: Annotated[
                str,
                Field(
                    description="Text to replace, with enough context to occur once.",
                    min_length=1,
                    max_length=2000000,
                ),
            ],
            new_string: Annotated[str, Field(description="Text to put there.", max_length=2000000)],
            replace_all: Annotated[bool, Field(description="Replace every occurrence.")] = False,
        ) -> str:
            """Replace a text in a file and return the difference.

            The text must occur once, unless replace_all is set. Differences in indentation, trailing blanks, line endings,
            quotes and escapes are tolerated as long as the place is unmistakable.
            """
            return self.logic.workspace_edit(
                path=path, old_string=old_string, new_string=new_string, replace_all=replace_all
            )

        return config.describe(workspace_edit)

    def _workspace_multi_edit(self, config: WorkspaceMultiEdit) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def workspace_multi_edit(
            edits: Annotated[list[EditItem], Field(description="The edits, in order.")],
        ) -> str:
            """Apply several edits to one or more files, all or none, and return the differences.

            Edits are applied in order; a later one sees what the earlier ones did to the same file.
            """
            return self.logic.workspace_multi_edit(edits=edits)

        return config.describe(workspace_multi_edit)

    def _workspace_patch(self, config: WorkspacePatch) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def workspace_patch(
            patch_text: Annotated[
                str,
                Field(
                    description="The diff, with --- and +++ lines and @@ hunks.", max_length=2000000
                ),
            ],
        ) -> str:
            """Apply a unified diff of one or more files, all or none: changed, new and deleted files.

            Line numbers may be off as long as the context of a hunk occurs once.
            """
            return self.logic.workspace_patch(patch_text=patch_text)

        return config.describe(workspace_patch)

    def _workspace_mkdir(self, config: WorkspaceMkdir) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="idempotent"))
        def workspace_mkdir(path: Annotated[str, Field(description="Directory to create.")]) -> str:
            """Create a directory with its parents. An existing one is left as it is."""
            return self.logic.workspace_mkdir(path=path)

        return config.describe(workspace_mkdir)

    def _workspace_exec(self, config: WorkspaceExec) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def workspace_exec(
            cmd: Annotated[str, Field(description="Command line; quotes group as in a shell.")],
            cwd: Annotated[
                str, Field(description="Directory of the tree to run in; empty for the root.")
            ] = "",
        ) -> str:
            """Run one program with its arguments in the tree and return its exit code and output. No shell: use sh -c "..." for one.

            While it runs nobody can change files. It may be any of these programs, if the sandbox has it: awk, bash, cat, cp,
            curl, echo, find, git, grep, jq, kill, ls, make, mkdir, mv, mypy, node, npm, npx, pip, pytest, python, python3, rm,
            ruff, sed, sh, touch, uv, wc, wget, xargs.
            """
            return self.logic.workspace_exec(config, cmd=cmd, cwd=cwd)

        return config.describe(workspace_exec)

    def _workspace_exec_result(self, config: WorkspaceExec) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def workspace_exec_result(
            run_id: Annotated[str, Field(description="Id that workspace_exec named.")],
        ) -> str:
            """Collect the output of a command that was still running when workspace_exec answered."""
            return self.logic.workspace_exec_result(config, run_id=run_id)

        return config.describe(workspace_exec_result)

    def _expand_media_refs(
        self, config: ExpandMediaRefs
    ) -> Callable[..., list[str | MediaContent]]:
        @internal
        def _expand_media_refs(
            prompt: Annotated[str, Field(description="Text with !!patterns.")],
        ) -> list[str | MediaContent]:
            """Replace every !!pattern of a prompt by the images it names."""
            return self.logic.expand_media_refs(prompt=prompt)

        return config.describe(_expand_media_refs)
