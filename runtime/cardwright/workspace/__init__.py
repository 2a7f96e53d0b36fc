"""The workspace card: files and commands that agents share without harm.

Others touch the card, its params and types, and what a host of trees needs; the rest is internal.
"""

from cardwright_cards.workspace import (
    DocumentReader,
    EditItem,
    ExpandMediaRefs,
    Resource,
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

from .state import WorkspaceConfig, WorkspaceState
