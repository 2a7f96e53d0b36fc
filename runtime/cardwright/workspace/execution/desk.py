"""The tree's desk for commands: who may run one now, and who gets to know how it ended."""

import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final, Protocol

from cardwright.actors import ActorAddress, ActorDeadError
from cardwright.actors.proxies import tell_proxy
from cardwright.core import CallContext
from cardwright.sandbox import CommandNotAllowedError, SandboxActor
from cardwright.sandbox.commands import parse_command
from cardwright.workspace.files import RunClaim

from . import texts
from .models import ExecConfig, ExecLease, ExecOutcome, ExecPayload, ExecStart, ExecStatus
from .polling import budget_of
from .runs import Run, Runs

__all__ = ["LEASE_GRACE_S", "ExecutionDesk", "TreeGuard"]

logger = logging.getLogger(__name__)

LEASE_GRACE_S: Final = 5.0
"""Seconds beyond the budget after which a lease whose worker is gone is taken back."""

_REMEMBERED: Final = 32
# Seconds beyond a lease after which other teams no longer believe in it.
_CLAIM_GRACE_S: Final = 10.0

type Spawn = Callable[[str, ExecPayload], ActorAddress | None]


class TreeGuard(Protocol):
    """What the desk needs of the tree actor."""

    def commit_outside(self) -> None:
        """Record changes that nobody of the team made."""

    def commit_run(self, agent_id: str, command: str) -> None:
        """Record what a command changed as the work of who ran it."""

    def agent_name(self, agent_id: str) -> str:
        """Return how that agent is called."""
        ...


class ExecutionDesk:
    """Lends the tree to one command at a time; used on the thread of the tree actor only.

    There is no timer: a lease whose worker died is taken back by the next who wants to change
    something.
    """

    def __init__(
        self,
        guard: TreeGuard,
        spawn: Spawn,
        clock: Callable[[], float] = monotonic,
        claim: RunClaim | None = None,
    ) -> None:
        """Serve the tree of `guard`.

        Args:
            guard: the tree actor.
            spawn: has a worker do the run of that id; may report a failure before it returns.
            clock: seconds that only grow.
            claim: tells other teams on the same tree, where there can be any.
        """
        self._claim = claim
        self._guard = guard
        self._spawn = spawn
        self._clock = clock
        self._config: ExecConfig | None = None
        self._lease: ExecLease | None = None
        self._reclaimed: OrderedDict[str, None] = OrderedDict()
        self._runs = Runs()

    def configure(self, config: ExecConfig) -> None:
        """Learn how commands run.

        Raises:
            ValueError: commands of this tree run in another mode already.
        """
        if self._config is not None and self._config.mode != config.mode:
            raise ValueError(
                f"Commands of this workspace run in mode {self._config.mode!r}, not "
                f"{config.mode!r}: give every card on one workspace the same mode."
            )
        self._config = config

    def busy_text(self) -> str | None:
        """Return why nothing may be changed now, or None; takes back a lease that died."""
        lease = self._lease
        if lease is None:
            return self._busy_elsewhere()
        now = self._clock()
        if now <= lease.deadline:
            return texts.busy(lease, self._guard.agent_name(lease.agent_id), now)
        if lease.worker is not None and lease.worker.is_alive():
            return texts.awaited(lease, self._guard.agent_name(lease.agent_id))
        self._reclaim(lease)
        return self._busy_elsewhere()

    def _busy_elsewhere(self) -> str | None:
        """Return why nothing may be changed because of another team, or None."""
        other = None if self._claim is None else self._claim.other()
        return None if other is None else texts.busy_elsewhere(other.holder)

    def request(
        self,
        agent_id: str,
        cmd: str,
        cwd: str = "",
        timeout_s: float | None = None,
        call: CallContext | None = None,
    ) -> ExecStart:
        """Begin a run for an agent, or say why not; never waits for the command.

        Args:
            agent_id: who gets the outcome, nobody else.
            cmd: a program and its arguments.
            cwd: folder of the tree.
            timeout_s: seconds for the command; else those of the configuration.
            call: the tool call; one that is sent twice begins one run.
        """
        if (known := self._runs.of_call(agent_id, call)) is not None:
            return ExecStart(run_id=known.run_id, worker=self._worker_of(known))
        if call is not None and call.expired:
            return ExecStart(refusal="The call took too long and nothing was run: send it again.")
        if (refusal := self.busy_text()) is not None:
            return ExecStart(refusal=refusal)
        if self._config is None:
            return ExecStart(refusal=texts.unavailable())
        budget = budget_of(self._config.timeout_s if timeout_s is None else timeout_s)
        run = self._runs.add(agent_id, call)
        try:
            parse_command(cmd)
        except CommandNotAllowedError as error:
            run.reason = str(error)
            return ExecStart(run_id=run.run_id)
        self._guard.commit_outside()
        return self._begun(run, _payload(self._config, cmd, cwd, budget))

    def status(self, agent_id: str, run_id: str) -> ExecStatus:
        """Say what became of a run; of somebody else's run no more than of an unknown one."""
        run = self._runs.get(run_id)
        if run is None or run.agent_id != agent_id:
            recent = self._runs.recent(agent_id)
            return ExecStatus(state="unknown", run_id=run_id, recent_run_ids=recent)
        if run.outcome is not None:
            return ExecStatus(state="done", run_id=run_id, outcome=run.outcome)
        if run.reason:
            return ExecStatus(state="failed", run_id=run_id, reason=run.reason)
        return ExecStatus(state="running", run_id=run_id, running_for=self._running_for(run_id))

    def cancel(self, agent_id: str, run_id: str) -> None:
        """End the command of an agent early, if it works; nothing, if it is over or not begun."""
        lease = self._current(run_id)
        if lease is not None and lease.agent_id == agent_id and lease.sandbox is not None:
            with suppress(ActorDeadError):
                tell_proxy(lease.sandbox, SandboxActor).cancel()

    def started(self, run_id: str, sandbox: ActorAddress | None = None) -> None:
        """Count the time of the run from now on: its sandbox is ready."""
        lease = self._lease
        if lease is not None and lease.run_id == run_id:
            lease.sandbox = sandbox
            lease.started_at = self._clock()
            lease.deadline = lease.started_at + lease.budget + LEASE_GRACE_S
            if self._claim is not None:
                self._claim.renew(*self._claimed(lease))

    def delivered(self, run_id: str, outcome: ExecOutcome) -> None:
        """Take the outcome of a run, record what it changed, and free the tree."""
        run = self._runs.get(run_id)
        if run is not None:
            run.outcome = outcome
        self._close(run_id)

    def failed(self, run_id: str, reason: str) -> None:
        """Take the failure of a run, record what it changed, and free the tree."""
        run = self._runs.get(run_id)
        if run is not None:
            run.reason = reason or "no reason was given"
        self._close(run_id)

    def close(self) -> None:
        """Give up what runs: the tree actor stops, and with it the worker and the sandbox."""
        if self._lease is not None:
            logger.info("Run %s is given up: its workspace stops.", self._lease.run_id)
        self._free()

    def _begun(self, run: Run, payload: ExecPayload) -> ExecStart:
        now = self._clock()
        deadline = now + payload.timeout_s + LEASE_GRACE_S
        # Before the worker, whose failure to start is reported while it is being started.
        self._lease = ExecLease(
            run.run_id, run.agent_id, payload.cmd, now, payload.timeout_s, deadline
        )
        if self._claim is not None:
            self._claim.take(*self._claimed(self._lease))
        worker = self._spawn(run.run_id, payload)
        lease = self._current(run.run_id)
        if lease is not None:
            lease.worker = worker
        return ExecStart(run_id=run.run_id, worker=worker)

    def _claimed(self, lease: ExecLease) -> tuple[str, float]:
        """Who holds the tree, and for how many seconds at most."""
        holder = self._guard.agent_name(lease.agent_id)
        return holder, lease.budget + LEASE_GRACE_S + _CLAIM_GRACE_S

    def _free(self) -> None:
        """Let others have the tree, of whatever team."""
        self._lease = None
        if self._claim is not None:
            self._claim.release()

    def _current(self, run_id: str) -> ExecLease | None:
        lease = self._lease
        return lease if lease is not None and lease.run_id == run_id else None

    def _worker_of(self, run: Run) -> ActorAddress | None:
        lease = self._current(run.run_id)
        return None if lease is None else lease.worker

    def _running_for(self, run_id: str) -> float | None:
        lease = self._current(run_id)
        if lease is None or lease.started_at is None:
            return None
        return self._clock() - lease.started_at

    def _close(self, run_id: str) -> None:
        lease = self._current(run_id)
        if lease is not None:
            self._lease = None
            self._guard.commit_run(lease.agent_id, lease.cmd)
            self._free()
        elif run_id in self._reclaimed:
            del self._reclaimed[run_id]
            logger.warning("Run %s reports after its lease was taken back.", run_id)
            self._guard.commit_outside()

    def _reclaim(self, lease: ExecLease) -> None:
        logger.warning("Run %s is lost: its worker is gone. Its lease is taken back.", lease.run_id)
        self._free()
        self._reclaimed[lease.run_id] = None
        while len(self._reclaimed) > _REMEMBERED:
            self._reclaimed.popitem(last=False)
        run = self._runs.get(lease.run_id)
        if run is not None:
            run.reason = "its worker is gone; nobody knows how the command ended"


def _payload(config: ExecConfig, cmd: str, cwd: str, budget: float) -> ExecPayload:
    return ExecPayload(
        cmd=cmd,
        cwd=cwd,
        mode=config.mode,
        team_id=config.team_id,
        workspace_id=config.workspace_id,
        timeout_s=budget,
    )
