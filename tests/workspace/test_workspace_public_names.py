"""What contract section 1 promises to import from, and that it costs only who uses it."""

import subprocess
import sys

import pytest

import cardwright.sandbox
import cardwright.workspace

WORKSPACE = [
    "WorkspaceTool",
    "WorkspaceRead",
    "WorkspaceList",
    "WorkspaceGlob",
    "WorkspaceGrep",
    "WorkspaceView",
    "ExpandMediaRefs",
    "WorkspaceWrite",
    "WorkspaceDelete",
    "WorkspaceEdit",
    "WorkspaceMultiEdit",
    "WorkspacePatch",
    "WorkspaceMkdir",
    "WorkspaceExec",
    "Resource",
    "ResourceType",
    "DocumentReader",
    "FileTypeReader",
    "MediaContent",
    "TEXT_EXTENSIONS",
    "EditItem",
    "EditMatcher",
    "MatchResult",
    "Hunk",
    "FilePatch",
    "HunkContextError",
    "parse_patch",
    "render_file_patch",
    "apply_file_patch",
    "deleted_paths",
    "is_pure_add",
    "patch_label",
    "substitute_edit",
    "unified",
    "write_and_diff",
    "Filesystem",
    "Workspace",
    "FileEntry",
    "WriteEntry",
    "get_workspace",
    "Precondition",
    "detect_line_ending",
    "normalise_endings",
    "PathEscapeError",
    "is_staging_name",
    "WorkspaceActor",
    "workspace_actor_name",
    "WorkspaceConfig",
    "WorkspaceState",
    "Observation",
    "MutationOutcome",
    "MutationStatus",
    "LastWrite",
    "content_sha",
    "GitJournal",
    "Identity",
    "git_dir_for",
    "gitignore_seed",
    "sanitise_name",
    "sanitise_command",
    "sanitise_email_local",
    "ExecConfig",
    "ExecStart",
    "ExecStatus",
    "ExecOutcome",
    "ExecLease",
    "ExecPayload",
    "ExecWorker",
    "new_run_id",
    "poll_attempts_within",
    "resolve_mode",
    "sandbox_config",
    "format_outcome",
    "format_status",
    "in_progress",
    "timed_out",
]
SANDBOX = [
    "SandboxActor",
    "LocalSandboxActor",
    "BwrapSandboxActor",
    "SeatbeltSandboxActor",
    "DockerSandboxActor",
    "SandboxConfig",
    "SandboxState",
    "ExecResult",
    "CommandNotAllowedError",
    "ALLOWED_COMMANDS",
    "SANDBOX_ACTOR_NAME",
    "sandbox_actor_name",
    "SANDBOX_ACTOR_CLASSES",
    "ExecTool",
    "ExecCommand",
]


@pytest.mark.parametrize("name", WORKSPACE)
def test_a_public_name_of_the_workspace(name: str) -> None:
    assert name in cardwright.workspace.__all__
    assert getattr(cardwright.workspace, name) is not None


@pytest.mark.parametrize("name", SANDBOX)
def test_a_public_name_of_the_sandbox(name: str) -> None:
    assert name in cardwright.sandbox.__all__
    assert getattr(cardwright.sandbox, name) is not None


def test_every_listed_name_is_there_and_no_other() -> None:
    for module in (cardwright.workspace, cardwright.sandbox):
        for name in module.__all__:
            assert getattr(module, name) is not None
        with pytest.raises(AttributeError, match="no attribute 'nothing'"):
            module.nothing  # noqa: B018 - looking raises


def test_importing_the_package_imports_none_of_it() -> None:
    look = (
        "import sys, cardwright.workspace;"
        "print([n for n in sys.modules if n.startswith('cardwright.workspace.') or n in"
        " ('pydantic_ai', 'rapidfuzz', 'markitdown', 'PIL')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", look], check=True, capture_output=True, text=True, timeout=30
    )
    assert done.stdout.strip() == "[]"
