"""Teams whose agents run commands."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, override

from cardwright.actors import ActorAddress, Akgent, BaseConfig, Orchestrator
from cardwright.actors.proxies import ask_proxy
from cardwright.bench import LocalTeam
from cardwright.sandbox import ExecResult, SandboxActor
from cardwright.workspace.actor import WorkspaceActor
from cardwright.workspace.execution import ExecConfig, run_command, wire_execution
from cardwright.workspace.state import WorkspaceConfig
from cardwright_cards.workspace import WorkspaceExec


def _out() -> ExecResult:
    return ExecResult(stdout="out", stderr="", exit_code=0)


@dataclass
class Script:
    """What a backend of the tests does."""

    starting: Callable[[], object] = bool
    work: Callable[[], ExecResult] = _out


class Slow(SandboxActor):
    """A backend that does as its script says, which a test may have hold it up."""

    script: ClassVar = Script()

    @override
    def _start_sandbox(self) -> None:
        self.script.starting()

    @override
    def _stop_sandbox(self) -> None:
        pass

    @override
    def _exec(self, argv: Sequence[str], cwd: str, timeout: float) -> ExecResult:
        return self.script.work()


class Tree:
    """A tree actor with commands, without a card."""

    def __init__(self, team: LocalTeam, mode: str, *, git_journal: bool = False) -> None:
        name = f"tree-{team.team_id}"
        orchestrator = ask_proxy(team.orchestrator, Orchestrator)

        def make(config: BaseConfig, chosen: type[Akgent]) -> ActorAddress:
            return orchestrator.getChildrenOrCreate(chosen, config)

        config = WorkspaceConfig(
            name=f"#Workspace-{name}",
            role="ToolActor",
            workspace_name=name,
            git_journal=git_journal,
        )
        self.address = orchestrator.getChildrenOrCreate(WorkspaceActor, config)
        self.actor = ask_proxy(self.address, WorkspaceActor)
        self.name = name
        wire_execution(
            make,
            self.actor,
            ExecConfig(mode=mode, team_id=str(team.team_id), workspace_id=name),
        )

    def run(self, cmd: str, agent: str = "a", cwd: str = "", **settings: float) -> str:
        """Run a command as an agent does, with these settings of its card."""
        return run_command(self.actor, agent, WorkspaceExec.model_validate(settings), cmd, cwd)


def run_id_of(text: str) -> str:
    """The id that a text about a run names."""
    found = re.search(r"Run ([0-9a-f]{8})", text)
    assert found is not None, text
    return found[1]
