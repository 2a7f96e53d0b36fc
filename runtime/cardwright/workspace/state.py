"""What the actor of a tree is told, and what is stored of it: nothing, the files are on disk."""

from pydantic import Field

from cardwright.actors import BaseConfig, BaseState


class WorkspaceConfig(BaseConfig):
    """Which tree an actor owns, and its bounds."""

    workspace_name: str = Field(description="Directory below the workspaces root.")
    max_observations_per_agent: int = Field(
        default=256, ge=1, description="Files that are remembered as seen, for each agent."
    )
    max_tracked_writers: int = Field(
        default=512, ge=1, description="Files whose last writer is remembered."
    )
    git_journal: bool = Field(default=False, description="Whether changes are committed.")
    git_timeout_s: float = Field(default=15.0, gt=0, description="Seconds for one git command.")


class WorkspaceState(BaseState):
    """Empty: what agents have seen is not stored, so after a resume they read again."""
