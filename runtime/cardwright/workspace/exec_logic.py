"""ExecTool's behaviour: what `workspace_exec` does, for a card that is on its way out."""

from typing import final, override

from cardwright.actors import ActorAddress, ActorConflictError
from cardwright.core import TOOL_CALL
from cardwright.sandbox import resolve_mode
from cardwright_cards.exec.contract import ExecContract
from cardwright_cards.workspace.card import WorkspaceExec

from .actor import WorkspaceActor
from .execution import ExecConfig, run_command, wire_execution
from .refusals import Refusal
from .state import WorkspaceConfig

_SETTINGS = WorkspaceExec()
_ASK_SECONDS = 60.0


@final
class ExecLogic(ExecContract):
    """Runs commands on behalf of one agent; whatever goes wrong is text."""

    _tree: WorkspaceActor
    _agent: str

    @override
    def bind(self) -> None:
        observer = self.observer
        if observer.orchestrator is None:
            raise ValueError("ExecTool needs a team: its agent has no orchestrator")
        if not self._serves():
            return
        team, tree_id = str(observer.team_id), self.card.workspace_id
        config = ExecConfig(mode=resolve_mode(self.card.mode), team_id=team, workspace_id=tree_id)
        address = self._tree_actor(tree_id or team)
        self._tree = observer.proxy_ask(address, WorkspaceActor, timeout=_ASK_SECONDS)
        self._agent = str(observer.myAddress.agent_id)
        self._tree.register_agent(self._agent, observer.myAddress.name)
        wire_execution(self.sandbox_actor, self._tree, config)

    def _serves(self) -> bool:
        param = self.card.exec_command
        return param is True or (param is not False and TOOL_CALL in param.expose)

    def _tree_actor(self, name: str) -> ActorAddress:
        """The living actor of the tree, whatever its journal setting, or a new one without."""
        try:
            return self.tree_actor(WorkspaceConfig(workspace_name=name))
        except ActorConflictError:
            return self.tree_actor(WorkspaceConfig(workspace_name=name, git_journal=True))

    @override
    def exec_command(self, *, cmd: str, cwd: str) -> str:
        try:
            return run_command(self._tree, self._agent, _SETTINGS, cmd, cwd, self.call)
        except Refusal as refused:
            return str(refused)
        except Exception as error:  # noqa: BLE001 - its contract: a tool that never raises
            return f"SandboxError: {type(error).__name__}: {error}"
