# Generated from specs/exec.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `ExecTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Never

from cardwright.core import ActorToolObserver, CardLogic

from .card import ExecTool

if TYPE_CHECKING:
    from cardwright.core import ActorAddress, Akgent, BaseConfig

type ExecFailure = Never
"""This card declares no failure that the model can fix."""


class ExecContract(CardLogic[ExecTool, ActorToolObserver, ExecFailure]):
    """Base of `ExecLogic`: one method per endpoint of the spec."""

    def tree_actor(self, config: BaseConfig) -> ActorAddress:
        """Get or create `#Workspace-{workspace_id|team_id}`, named and filed under this team."""
        return self.tool_actor(
            f"#Workspace-{(self.card.workspace_id if self.card.workspace_id is not None else self.observer.team_id)}",
            "cardwright.workspace.actor:WorkspaceActor",
            config,
        )

    def sandbox_actor(self, config: BaseConfig, actor_class: type[Akgent]) -> ActorAddress:
        """Get or create `#SandboxActor-{workspace_id|team_id}`, named and filed under this team.

        Exists while `exec_command` holds: call it then only.
        """
        return self.tool_actor(
            f"#SandboxActor-{(self.card.workspace_id if self.card.workspace_id is not None else self.observer.team_id)}",
            actor_class,
            config,
        )

    @abstractmethod
    def exec_command(self, *, cmd: str, cwd: str) -> str:
        """Run one program with its arguments in the tree and return its exit code and output. No shell: use sh -c "..." for one.

        Allowed programs: awk, bash, cat, cp, curl, echo, find, git, grep, jq, kill, ls, make, mkdir, mv, mypy, node, npm,
        npx, pip, pytest, python, python3, rm, ruff, sed, sh, touch, uv, wc, wget, xargs.
        """
