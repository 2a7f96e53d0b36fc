"""A team's tree as a workspace of pydantic-ai: its changes and commands are those of the team."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, override

from cardwright.actors import ActorAddress, ActorConflictError, Orchestrator
from cardwright.actors.proxies import ask_proxy
from cardwright.sandbox import resolve_mode, sandbox_class
from cardwright.sandbox.bwrap import BwrapSandboxActor
from cardwright.sandbox.container import DockerSandboxActor
from cardwright.sandbox.folders import INSIDE

from .actor import WorkspaceActor, workspace_actor_name
from .backend import TreeBackend, threaded
from .command_lines import command_line, command_result
from .execution import (
    MAX_BUDGET_S,
    ExecConfig,
    ExecOutcome,
    ExecStart,
    ExecStatus,
    Polling,
    await_run,
    wire_execution,
)
from .files import Tree
from .filesystem import Workspace, WorkspaceBusyError
from .hosting import HostChange
from .state import WorkspaceConfig

if TYPE_CHECKING:
    from pydantic_ai.workspaces import CommandResult, WorkspaceCommand, WorkspaceRef

_ASK_S: Final = 60.0
_POLL_S: Final = 0.05
_PAUSE_S: Final = 0.01
_ENDING_S: Final = 5.0


class TeamTreeBackend(TreeBackend):
    """A tree of a team: changes are turns of its actor, and commands take its lease.

    So changes are ordered with those of the agents and journaled under a name of their own, and
    commands run in the team's sandbox, one at a time, for 20 seconds at most, without detached
    processes. `SupportsCommands` besides what `TreeBackend` serves.
    """

    def __init__(
        self,
        team: ActorAddress,
        name: str | None = None,
        *,
        ref: "WorkspaceRef | None" = None,
        agent: str = "workspace",
        mode: str = "auto",
    ) -> None:
        """Nothing is touched, and no actor made, before the first operation.

        Args:
            team: The orchestrator, such as `LocalTeam.orchestrator`.
            name: The tree, made if it does not exist; the `workspace_id` of a card.
            ref: An existing tree instead, as `ref` of another backend told.
            agent: Under whose name changes and commands are told and journaled.
            mode: How commands are shut in; all who run commands in a tree have to say the same.

        Raises:
            ValueError: As for `TreeBackend`.
        """
        super().__init__(name, ref=ref)
        self._team = team
        self._agent = agent
        self._mode = mode
        self._actor: tuple[ActorAddress, WorkspaceActor] | None = None
        self._inside: PurePosixPath | None = None

    async def run(
        self,
        command: "WorkspaceCommand",
        *,
        shell: bool = False,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the protocol's
    ) -> "CommandResult":
        """Run a command in the sandbox of the tree and wait for its end.

        Args:
            command: Arguments, or a text for the shell.
            shell: Whether it is such a text.
            env: Further variables.
            timeout: Seconds; 20 at most and when left out.

        Raises:
            WorkspaceBusyError: Another command holds the tree.
            WorkspaceTimeoutError: Its time was over; it was ended.
            WorkspaceOutputLimitError: It printed more than is kept.
            WorkspaceUnavailableError: Commands cannot run here, or the tree is gone.
            TypeError: The form of the command does not fit `shell`.
            ValueError: The command, `env` or `timeout` is none.
        """
        from anyio import CancelScope, get_cancelled_exc_class, to_thread
        from pydantic_ai.workspaces.protocol import validate_timeout

        line = command_line(command, env, shell=shell)
        validate_timeout(timeout)
        budget = min(timeout or MAX_BUDGET_S, MAX_BUDGET_S)
        start = await threaded(lambda: self._begun(line, budget))
        try:
            status = await to_thread.run_sync(
                lambda: self._awaited(start, budget), abandon_on_cancel=True
            )
        except get_cancelled_exc_class():
            with CancelScope(shield=True):
                await threaded(lambda: self._cancelled(start.run_id))
            raise
        return command_result(await threaded(lambda: self._outcome(status)), budget)

    def _begun(self, line: str, budget: float) -> ExecStart:
        from pydantic_ai.workspaces import WorkspaceUnavailableError

        start = self._owner().request_exec(self._agent, line, "", budget)
        if start.refusal.startswith("workspace busy"):
            raise WorkspaceBusyError(start.refusal)
        if start.refusal:
            raise WorkspaceUnavailableError(start.refusal)
        return start

    def _awaited(self, start: ExecStart, budget: float) -> ExecStatus:
        return await_run(self._owner(), self._agent, Polling.of(budget, -1, _POLL_S), start)

    def _cancelled(self, run_id: str) -> None:
        """End a run and wait for its end: until it has begun, there is nothing to end."""
        owner, deadline = self._owner(), monotonic() + _ENDING_S
        while owner.exec_status(self._agent, run_id).state == "running":
            owner.cancel_run(self._agent, run_id)
            if monotonic() > deadline:
                return
            sleep(_PAUSE_S)

    def _outcome(self, status: ExecStatus) -> ExecOutcome:
        from pydantic_ai.workspaces import WorkspaceTimeoutError, WorkspaceUnavailableError

        self._opened()
        if status.outcome is not None:
            return status.outcome
        if status.state == "running":
            raise WorkspaceTimeoutError("the command does not end although its time is over")
        raise WorkspaceUnavailableError(status.reason)

    @override
    def _write(self, files: Workspace, path: str, data: bytes) -> None:
        self._asked(HostChange("write", path, data))

    @override
    def _mkdir(self, files: Workspace, path: str) -> None:
        self._asked(HostChange("mkdir", path))

    @override
    def _remove(self, files: Workspace, path: str) -> None:
        self._asked(HostChange("remove", path))

    def _asked(self, change: HostChange) -> None:
        files = self._opened()
        # Links that commands made may lead through a path that only commands and this tree know.
        with files.tree.place(change.path, follow=change.action != "remove") as place:
            found = HostChange(change.action, place.path, change.data)
        error = self._owner().apply_for_host(self._agent, found)
        if error is not None:
            raise error

    @override
    def _tree(self) -> Tree:
        """The tree, which commands may see under a path of its own."""
        shown = issubclass(
            sandbox_class(resolve_mode(self._mode)), (BwrapSandboxActor, DockerSandboxActor)
        )
        self._inside = INSIDE if shown else None
        tree = super()._tree()
        return Tree(tree.root, (str(INSIDE),)) if shown else tree

    @override
    def _shown(self, path: str) -> str:
        files = self._files
        if self._inside is None or files is None:
            return path
        return str(self._inside / PurePosixPath(path).relative_to(files.root))

    def _owner(self) -> WorkspaceActor:
        """The actor of the tree, made if the team has none, and told how commands run."""
        self._opened()
        with self._lock:
            if self._actor is None or not self._actor[0].is_alive():
                self._actor = self._found()
            return self._actor[1]

    def _found(self) -> tuple[ActorAddress, WorkspaceActor]:
        orchestrator = ask_proxy(self._team, Orchestrator, timeout=_ASK_S)
        address = _tree_actor(orchestrator, self._name)
        actor = ask_proxy(address, WorkspaceActor, timeout=_ASK_S)
        actor.register_agent(self._agent, self._agent)
        wanted = ExecConfig(
            mode=resolve_mode(self._mode),
            team_id=str(self._team.team_id),
            workspace_id=self._name,
            timeout_s=MAX_BUDGET_S,
        )
        wire_execution(
            lambda config, kind: orchestrator.getChildrenOrCreate(kind, config=config),
            actor,
            wanted,
        )
        return address, actor


def _tree_actor(orchestrator: Orchestrator, name: str) -> ActorAddress:
    """The living actor of the tree, whoever made it; a new one keeps no journal."""
    config = WorkspaceConfig(name=workspace_actor_name(name), role="ToolActor", workspace_name=name)
    try:
        return orchestrator.getChildrenOrCreate(WorkspaceActor, config=config)
    except ActorConflictError:
        journaled = config.model_copy(update={"git_journal": True})
        return orchestrator.getChildrenOrCreate(WorkspaceActor, config=journaled)
