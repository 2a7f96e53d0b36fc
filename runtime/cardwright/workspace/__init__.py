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
from .files import PathEscapeError
from .gate import LastWrite, MutationOutcome, MutationStatus, Observation
from .journal import GitJournal, git_dir_for
from .state import WorkspaceConfig, WorkspaceState

__all__ = [
    "DocumentReader",
    "EditItem",
    "ExpandMediaRefs",
    "GitJournal",
    "LastWrite",
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
    "git_dir_for",
    "workspace_actor_name",
]
