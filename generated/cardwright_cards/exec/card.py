# Generated from specs/exec.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`ExecTool` and the params of its capabilities."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, ClassVar, cast, override

from pydantic import Field

from cardwright.core import (
    ActorToolObserver,
    BaseToolParam,
    Channels,
    ToolCard,
    ToolPolicy,
    policy,
    served,
)

if TYPE_CHECKING:
    from .contract import ExecContract


class ExecCommand(BaseToolParam):
    """Run programs."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class ExecTool(ToolCard):
    """Runs one program in the team's tree.

    Kept for what was stored with it: WorkspaceTool runs commands, too. It shares the tree, its lease and its sandbox with every other card on that tree.
    """

    logic_path: ClassVar[str] = "cardwright.workspace.exec_logic:ExecLogic"
    observer_type: ClassVar[type[object] | None] = ActorToolObserver
    deprecated_use: ClassVar[str | None] = "WorkspaceTool(workspace_exec=True)"

    mode: Annotated[
        str,
        Field(
            description="Isolation of commands: local, bwrap, seatbelt, docker, auto, or a registered one."
        ),
    ] = "auto"
    workspace_id: Annotated[
        str | None,
        Field(
            description="Directory below the workspaces root; the team's own when left out.",
            pattern="^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$",
        ),
    ] = None

    exec_command: Annotated[ExecCommand | bool, Field(description="Run programs.")] = True

    @property
    def logic(self) -> "ExecContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("ExecContract", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if exec_command := served(self.exec_command, ExecCommand, Channels.TOOL_CALL):
            found.append(self._exec_command(exec_command))
        return found

    def _exec_command(self, config: ExecCommand) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def exec_command(
            cmd: Annotated[str, Field(description="Command line; quotes group as in a shell.")],
            cwd: Annotated[
                str, Field(description="Directory of the tree to run in; empty for the root.")
            ] = "",
        ) -> str:
            """Run one program with its arguments in the tree and return its exit code and output. No shell: use sh -c "..." for one.

            Allowed programs: awk, bash, cat, cp, curl, echo, find, git, grep, jq, kill, ls, make, mkdir, mv, mypy, node, npm,
            npx, pip, pytest, python, python3, rm, ruff, sed, sh, touch, uv, wc, wget, xargs.
            """
            return self.logic.exec_command(cmd=cmd, cwd=cwd)

        return config.describe(exec_command)
