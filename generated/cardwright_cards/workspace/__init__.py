# Generated from specs/workspace.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Files and commands over one shared tree."""

from .card import (
    ExpandMediaRefs,
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
from .types import DocumentReader, EditItem, Resource, ResourceType

__all__ = [
    "DocumentReader",
    "EditItem",
    "ExpandMediaRefs",
    "Resource",
    "ResourceType",
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
    "WorkspaceTool",
    "WorkspaceView",
    "WorkspaceWrite",
]
