"""The one owner of a tree: every change is a turn of this actor, and so is the lease of a run."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import override

from cardwright.actors import ActorAddress
from cardwright.core import CallContext
from cardwright.core.deferred import DeferredResultActor, DeferredWorker
from cardwright.sandbox.roots import tree_root

from .execution import (
    ExecConfig,
    ExecOutcome,
    ExecStart,
    ExecStatus,
    ExecutionDesk,
    ExecWorker,
)
from .files import Publisher, RunClaim, Tree, TreeLock, recover, sweep
from .files.errors import as_refusal
from .filesystem import Workspace
from .gate import Accepted, Edit, Gate, MutationOutcome, Mutations, Observation, Observations
from .hosting import HostChange, HostTurns
from .journal import GitJournal, Identity
from .refusals import Refusal
from .state import WorkspaceConfig, WorkspaceState
from .turns import Request, Turns

logger = logging.getLogger(__name__)

WORKSPACE_ACTOR_PREFIX = "#Workspace-"


def workspace_actor_name(name: str) -> str:
    """Name of the actor that owns the tree `name`."""
    return f"{WORKSPACE_ACTOR_PREFIX}{name}"


class WorkspaceActor(DeferredResultActor[WorkspaceConfig, WorkspaceState, str, ExecOutcome]):
    """Judges and publishes the changes of one tree, journals them, and leases it to commands."""

    _lock: TreeLock
    _gate: Gate
    _mutations: Mutations
    _publisher: Publisher
    _journal: GitJournal
    _desk: ExecutionDesk
    _turns: Turns
    _host: HostTurns

    @override
    def on_start(self) -> None:
        self.state = WorkspaceState()
        super().on_start()
        root = tree_root(self.config.workspace_name)
        root.mkdir(parents=True, exist_ok=True)
        tree = Tree(root)
        self._lock = TreeLock(tree.private)
        observations = Observations(self.config.max_observations_per_agent)
        self._gate = Gate(tree, observations, self.config.max_tracked_writers)
        self._journal = GitJournal(tree, self.config.git_timeout_s)
        self._desk = ExecutionDesk(self, self.request, claim=RunClaim(tree.private))
        self._turns = Turns(self._lock, self._journal, self._desk.busy_text)
        self._open(tree)

    def _open(self, tree: Tree) -> None:
        with self._lock():
            recover(tree, self._lock)
            self._publisher = Publisher(tree, self._lock)
            self._mutations = Mutations(self._gate, self._publisher)
            files = Workspace(tree, self._publisher, self._lock, self._desk.busy_text)
            self._host = HostTurns(
                files, self._lock, self._journal, self._gate, self._desk.busy_text
            )
            if removed := sweep(tree):
                logger.info("%d abandoned files were removed from %s.", removed, tree.name)
            if self.config.git_journal:
                self._journal.open(self._seed_ignore_file)

    def _seed_ignore_file(self, content: str) -> None:
        with suppress(Refusal):
            self._mutations.write(self.config.name, ".gitignore", content)

    @override
    def on_stop(self) -> None:
        self._desk.close()
        self._publisher.close()
        super().on_stop()

    def register_agent(self, agent_id: str, name: str) -> None:
        """Display name of an agent, for refusals and commits."""
        self._gate.names.put(agent_id, name)

    def record_observation(
        self, agent_id: str, path: str, observation: Observation, content: bytes | None = None
    ) -> None:
        """An agent saw the file at the canonical `path`, or a part of it, which was `content`."""
        if content is not None:
            self._gate.contents.keep(observation.sha, content)
        self._gate.observations.record(agent_id, path, observation)

    def observation_for(self, agent_id: str, path: str) -> Observation | None:
        """What an agent is known to have seen of a file."""
        return self._gate.observations.get(agent_id, path)

    def apply_write(
        self, agent_id: str, path: str, content: str, call: CallContext | None = None
    ) -> MutationOutcome:
        """Create or replace a file."""
        request = Request("write", (path, content))
        return self._change(
            request, agent_id, call, lambda: self._mutations.write(agent_id, path, content)
        )

    def apply_delete(
        self, agent_id: str, path: str, call: CallContext | None = None
    ) -> MutationOutcome:
        """Delete a file, or a link itself."""
        request = Request("delete", (path,))
        return self._change(request, agent_id, call, lambda: self._mutations.delete(agent_id, path))

    def apply_edit(
        self, agent_id: str, edit: Edit, call: CallContext | None = None
    ) -> MutationOutcome:
        """Replace a text in a file."""
        request, nothing = Request("edit", (edit,)), f"(no change) {edit.path}"
        return self._change(
            request, agent_id, call, lambda: self._mutations.edit(agent_id, [edit], nothing)
        )

    def apply_multi_edit(
        self, agent_id: str, edits: Sequence[Edit], call: CallContext | None = None
    ) -> MutationOutcome:
        """Replace several texts, all or none."""
        request, nothing = Request("multi_edit", tuple(edits)), "(no changes applied)"
        return self._change(
            request, agent_id, call, lambda: self._mutations.edit(agent_id, edits, nothing)
        )

    def apply_patch(
        self, agent_id: str, patch_text: str, call: CallContext | None = None
    ) -> MutationOutcome:
        """Apply a unified diff, all or none."""
        request = Request("patch", (patch_text,))
        return self._change(
            request, agent_id, call, lambda: self._mutations.patch(agent_id, patch_text)
        )

    def apply_for_host(self, agent_id: str, change: HostChange) -> OSError | ValueError | None:
        """Change files for code of the host, which no gate judges; returns why it could not."""
        self._make_root()
        return self._host.take(agent_id, self._identity(agent_id), change)

    def apply_mkdir(
        self, agent_id: str, path: str, call: CallContext | None = None
    ) -> MutationOutcome:
        """Make a directory and its parents."""
        request = Request("mkdir", (path,))
        return self._change(request, agent_id, call, lambda: self._mutations.mkdir(path))

    def _change(
        self,
        request: Request,
        agent_id: str,
        call: CallContext | None,
        body: Callable[[], Accepted],
    ) -> MutationOutcome:
        self._make_root()
        return self._turns.take(request, self._identity(agent_id), call or CallContext(), body)

    def _make_root(self) -> None:
        root = self._gate.tree.root
        if not root.is_dir():
            root.mkdir(parents=True, exist_ok=True)

    def _identity(self, agent_id: str) -> Identity:
        return Identity.of(agent_id, self.agent_name(agent_id))

    def agent_name(self, agent_id: str) -> str:
        """Display name of an agent; its id if it was never told."""
        return self._gate.name_of(agent_id)

    def commit_outside(self) -> None:
        """Record what nobody in this team wrote."""
        self._journaled(self._journal.commit_outside)

    def commit_run(self, agent_id: str, command: str) -> None:
        """Record what a command wrote, as its requester."""
        self._journaled(lambda: self._journal.commit_run(self._identity(agent_id), command))

    def _journaled(self, record: Callable[[], None]) -> None:
        try:
            with self._lock():
                record()
        except OSError:
            logger.warning("Nothing was journaled: another process holds the workspace.")

    @override
    def worker_class(self) -> type[DeferredWorker]:
        return ExecWorker

    def configure_exec(self, config: ExecConfig) -> None:
        """Announce how commands run here; the first card decides."""
        self._desk.configure(config)

    def request_exec(
        self,
        agent_id: str,
        cmd: str,
        cwd: str = "",
        timeout_s: float | None = None,
        call: CallContext | None = None,
    ) -> ExecStart:
        """Lease the tree to a command and start it."""
        try:
            # Nobody of another team may begin to change something meanwhile.
            with self._lock():
                return self._desk.request(agent_id, cmd, cwd, timeout_s, call)
        except OSError as error:
            return ExecStart(refusal=str(as_refusal("The workspace", error)))

    def exec_status(self, agent_id: str, run_id: str) -> ExecStatus:
        """How a run of this agent stands."""
        return self._desk.status(agent_id, run_id)

    def cancel_run(self, agent_id: str, run_id: str) -> None:
        """End a command of this agent early."""
        self._desk.cancel(agent_id, run_id)

    def run_started(self, run_id: str, sandbox: ActorAddress | None = None) -> None:
        """A worker has begun with its command, which the sandbox runs."""
        self._desk.started(run_id, sandbox)

    @override
    def deliver(self, key: str, value: ExecOutcome) -> None:
        super().deliver(key, value)
        self._desk.delivered(key, value)

    @override
    def fail(self, key: str, error: str) -> None:
        super().fail(key, error)
        self._desk.failed(key, error)
