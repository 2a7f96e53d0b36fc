"""What a sandbox is told, what it shows of itself, and what a command comes to."""

from pathlib import Path
from typing import Final

from pydantic import Field

from cardwright.actors import BaseConfig, BaseState, SerializableBaseModel

from .roots import tree_root

__all__ = [
    "SANDBOX_ACTOR_NAME",
    "TIMED_OUT",
    "ExecResult",
    "SandboxConfig",
    "SandboxState",
    "sandbox_actor_name",
]

SANDBOX_ACTOR_NAME: Final = "#SandboxActor"
"""Prefix of the names; a whole one says which tree it serves."""

TIMED_OUT: Final = 124
"""Exit code of a command that was ended because its time was over."""


def sandbox_actor_name(tree: str) -> str:
    """Return the name of the actor that runs commands in the tree of that name."""
    return f"{SANDBOX_ACTOR_NAME}-{tree}"


class SandboxConfig(BaseConfig):
    """Says whose tree a sandbox serves; the class of the actor says how it isolates."""

    team_id: str = Field(description="Team that the sandbox belongs to.")
    workspace_id: str | None = Field(
        default=None, description="Name of the tree; without one it is the team's own."
    )
    mode: str = Field(default="local", description="Name under which the class is registered.")

    @property
    def tree(self) -> str:
        """Name of the tree."""
        return self.workspace_id or self.team_id

    @property
    def root(self) -> Path:
        """Folder of the tree."""
        return tree_root(self.tree)


class SandboxState(BaseState):
    """Shows where commands run."""

    workspace_path: Path | None = None
    container_name: str | None = None


class ExecResult(SerializableBaseModel):
    """What a command printed (head and tail of it, if it was a lot) and how it ended."""

    stdout: str = Field(description="Standard output.")
    stderr: str = Field(description="Standard error.")
    exit_code: int = Field(description="0 for success; 128 + n for the signal n; 124 for too late.")
    timed_out: bool = Field(default=False, description="Whether its time was over.")
