"""The workspace card: files and commands that agents share without harm.

Others touch the card, its params and types, the actor's name and models, `get_workspace` for code
of the host, and the backends that lend a tree to other capabilities of pydantic-ai.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cardwright.core import MediaContent
    from cardwright_cards.workspace import (
        DocumentReader,
        EditItem,
        ExpandMediaRefs,
        Resource,
        ResourceType,
        WorkspaceDelete,
        WorkspaceEdit,
        WorkspaceExec,
        WorkspaceGlob,
        WorkspaceGrep,
        WorkspaceList,
        WorkspaceMkdir,
        WorkspaceMultiEdit,
        WorkspacePatch,
        WorkspaceRead,
        WorkspaceTool,
        WorkspaceView,
        WorkspaceWrite,
    )

    from .actor import WorkspaceActor, workspace_actor_name
    from .backend import TreeBackend
    from .editing import (
        EditMatcher,
        FilePatch,
        Hunk,
        HunkContextError,
        MatchResult,
        apply_file_patch,
        deleted_paths,
        detect_line_ending,
        is_pure_add,
        normalise_endings,
        parse_patch,
        patch_label,
        render_file_patch,
        substitute_edit,
        unified,
    )
    from .execution import (
        ExecConfig,
        ExecLease,
        ExecOutcome,
        ExecPayload,
        ExecStart,
        ExecStatus,
        ExecWorker,
        format_outcome,
        format_status,
        in_progress,
        new_run_id,
        poll_attempts_within,
        resolve_mode,
        sandbox_config,
        timed_out,
    )
    from .files import PathEscapeError, content_sha, is_staging_name
    from .filesystem import (
        FileEntry,
        Filesystem,
        Workspace,
        WorkspaceBusyError,
        WriteEntry,
        get_workspace,
        write_and_diff,
    )
    from .gate import LastWrite, MutationOutcome, MutationStatus, Observation, Precondition
    from .journal import (
        GitJournal,
        Identity,
        git_dir_for,
        gitignore_seed,
        sanitise_command,
        sanitise_email_local,
        sanitise_name,
    )
    from .reading import TEXT_EXTENSIONS, FileTypeReader
    from .state import WorkspaceConfig, WorkspaceState
    from .team_backend import TeamTreeBackend

__all__ = [
    "TEXT_EXTENSIONS",
    "DocumentReader",
    "EditItem",
    "EditMatcher",
    "ExecConfig",
    "ExecLease",
    "ExecOutcome",
    "ExecPayload",
    "ExecStart",
    "ExecStatus",
    "ExecWorker",
    "ExpandMediaRefs",
    "FileEntry",
    "FilePatch",
    "FileTypeReader",
    "Filesystem",
    "GitJournal",
    "Hunk",
    "HunkContextError",
    "Identity",
    "LastWrite",
    "MatchResult",
    "MediaContent",
    "MutationOutcome",
    "MutationStatus",
    "Observation",
    "PathEscapeError",
    "Precondition",
    "Resource",
    "ResourceType",
    "TeamTreeBackend",
    "TreeBackend",
    "Workspace",
    "WorkspaceActor",
    "WorkspaceBusyError",
    "WorkspaceConfig",
    "WorkspaceDelete",
    "WorkspaceEdit",
    "WorkspaceExec",
    "WorkspaceGlob",
    "WorkspaceGrep",
    "WorkspaceList",
    "WorkspaceMkdir",
    "WorkspaceMultiEdit",
    "WorkspacePatch",
    "WorkspaceRead",
    "WorkspaceState",
    "WorkspaceTool",
    "WorkspaceView",
    "WorkspaceWrite",
    "WriteEntry",
    "apply_file_patch",
    "content_sha",
    "deleted_paths",
    "detect_line_ending",
    "format_outcome",
    "format_status",
    "get_workspace",
    "git_dir_for",
    "gitignore_seed",
    "in_progress",
    "is_pure_add",
    "is_staging_name",
    "new_run_id",
    "normalise_endings",
    "parse_patch",
    "patch_label",
    "poll_attempts_within",
    "render_file_patch",
    "resolve_mode",
    "sandbox_config",
    "sanitise_command",
    "sanitise_email_local",
    "sanitise_name",
    "substitute_edit",
    "timed_out",
    "unified",
    "workspace_actor_name",
    "write_and_diff",
]

_NAMES: Final = {
    "cardwright_cards.workspace": (
        "DocumentReader EditItem ExpandMediaRefs Resource ResourceType WorkspaceDelete "
        "WorkspaceEdit WorkspaceExec WorkspaceGlob WorkspaceGrep WorkspaceList "
        "WorkspaceMkdir WorkspaceMultiEdit WorkspacePatch WorkspaceRead WorkspaceTool "
        "WorkspaceView WorkspaceWrite "
    ),
    "cardwright.core": "MediaContent",
    ".actor": "WorkspaceActor workspace_actor_name",
    ".backend": "TreeBackend",
    ".editing": (
        "EditMatcher FilePatch Hunk HunkContextError MatchResult apply_file_patch "
        "deleted_paths detect_line_ending is_pure_add normalise_endings parse_patch "
        "patch_label render_file_patch substitute_edit unified "
    ),
    ".execution": (
        "ExecConfig ExecLease ExecOutcome ExecPayload ExecStart ExecStatus ExecWorker "
        "format_outcome format_status in_progress new_run_id poll_attempts_within "
        "resolve_mode sandbox_config timed_out "
    ),
    ".files": "PathEscapeError content_sha is_staging_name",
    ".filesystem": (
        "FileEntry Filesystem Workspace WorkspaceBusyError WriteEntry get_workspace write_and_diff"
    ),
    ".gate": "LastWrite MutationOutcome MutationStatus Observation Precondition",
    ".journal": (
        "GitJournal Identity git_dir_for gitignore_seed sanitise_command "
        "sanitise_email_local sanitise_name "
    ),
    ".reading": "TEXT_EXTENSIONS FileTypeReader",
    ".state": "WorkspaceConfig WorkspaceState",
    ".team_backend": "TeamTreeBackend",
}
"""Module -> what comes of it, imported when it is first asked for."""
_MODULES: Final = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module, __name__), name)
    globals()[name] = value
    return value
