"""The workspace card: files and commands that agents share without harm.

Others touch the card, its params and types, the actor's name and models, and `TreeBackend`, which
lends a tree to other capabilities of pydantic-ai; the rest is internal.
"""

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
from .files import PathEscapeError, content_sha, is_staging_name
from .gate import LastWrite, MutationOutcome, MutationStatus, Observation
from .journal import GitJournal, git_dir_for, gitignore_seed
from .reading import TEXT_EXTENSIONS, FileTypeReader
from .state import WorkspaceConfig, WorkspaceState

__all__ = [
    "TEXT_EXTENSIONS",
    "DocumentReader",
    "EditItem",
    "EditMatcher",
    "ExpandMediaRefs",
    "FilePatch",
    "FileTypeReader",
    "GitJournal",
    "Hunk",
    "HunkContextError",
    "LastWrite",
    "MatchResult",
    "MutationOutcome",
    "MutationStatus",
    "Observation",
    "PathEscapeError",
    "Resource",
    "ResourceType",
    "TreeBackend",
    "WorkspaceActor",
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
    "apply_file_patch",
    "content_sha",
    "deleted_paths",
    "detect_line_ending",
    "git_dir_for",
    "gitignore_seed",
    "is_pure_add",
    "is_staging_name",
    "normalise_endings",
    "parse_patch",
    "patch_label",
    "render_file_patch",
    "substitute_edit",
    "unified",
    "workspace_actor_name",
]
