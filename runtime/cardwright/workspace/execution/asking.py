"""What the logic of a card does to run a command: on the thread of its agent, which may wait."""

import logging
from collections.abc import Callable
from time import monotonic, sleep
from typing import Final, Protocol, cast

from cardwright.actors import ActorAddress, ActorDeadError, Akgent, BaseConfig, Timeout
from cardwright.actors.proxies import ask_proxy
from cardwright.core import CallContext
from cardwright.core.deferred import WORKER_TIMEOUT_S
from cardwright.sandbox import resolve_mode, sandbox_class, sandbox_config
from cardwright.workspace.refusals import Refusal
from cardwright_cards.workspace.card import WorkspaceExec
from cardwright_cards.workspace.contract import WorkspaceContract

from . import texts
from .models import ExecConfig, ExecStart, ExecStatus
from .polling import MAX_BUDGET_S, REPORT_MARGIN_S, Polling, budget_of
from .worker import REPLY_GRACE_S, ExecWorker

__all__ = [
    "ExecutingTree",
    "await_run",
    "collect",
    "prepare_execution",
    "run_command",
    "wire_execution",
]

logger = logging.getLogger(__name__)

_LONGEST_S: Final = WORKER_TIMEOUT_S + REPLY_GRACE_S + REPORT_MARGIN_S
_BUSY: Final = "workspace busy"

type MakeSandbox = Callable[[BaseConfig, type[Akgent]], ActorAddress]


class ExecutingTree(Protocol):
    """The tree actor, as one who runs commands knows it."""

    def configure_exec(self, config: ExecConfig) -> None:
        """Learn how commands run; refuse another mode than before with a `ValueError`."""

    def request_exec(
        self,
        agent_id: str,
        cmd: str,
        cwd: str = "",
        timeout_s: float | None = None,
        call: CallContext | None = None,
    ) -> ExecStart:
        """Begin a run or refuse it, at once."""
        ...

    def exec_status(self, agent_id: str, run_id: str) -> ExecStatus:
        """Say what became of a run, at once."""
        ...


def prepare_execution(contract: WorkspaceContract, tree: ExecutingTree) -> None:
    """Prepare what `workspace_exec` of the contract's card needs; call it only if that is on.

    Raises:
        ValueError: the mode is unknown, or commands of this tree run in another.
    """
    card, param = contract.card, contract.card.workspace_exec
    config = param if isinstance(param, WorkspaceExec) else WorkspaceExec()
    if config.timeout_s > MAX_BUDGET_S:
        logger.warning(
            "WorkspaceExec(timeout_s=%g) is more than a command can get: it is ended after %g s.",
            config.timeout_s,
            MAX_BUDGET_S,
        )
    team, tree_id = str(contract.observer.team_id), card.workspace_id
    wanted = ExecConfig(
        mode=resolve_mode(config.mode),
        team_id=team,
        workspace_id=tree_id,
        timeout_s=budget_of(config.timeout_s),
    )
    wire_execution(contract.sandbox_actor, tree, wanted)


def wire_execution(make: MakeSandbox, tree: ExecutingTree, config: ExecConfig) -> None:
    """Get or create the sandbox of a tree and tell the tree actor that commands may run.

    Args:
        make: `sandbox_actor` of the contract.
        tree: an asking proxy of the tree actor.
        config: what the card wants; its mode is resolved already.

    Raises:
        ValueError: the mode is unknown, or commands of this tree run in another.
    """
    wanted = sandbox_config(config.mode, config.team_id, config.workspace_id)
    # The contract asks for any actor; classes of actors are invariant in their configuration.
    make(wanted, cast("type[Akgent]", sandbox_class(config.mode)))
    tree.configure_exec(config)


def run_command(
    tree: ExecutingTree,
    agent_id: str,
    config: WorkspaceExec,
    cmd: str,
    cwd: str = "",
    call: CallContext | None = None,
) -> str:
    """Run a command and return its outcome, or where to get it.

    Raises:
        Refusal: `busy` while another command runs, `unavailable` where commands cannot run.
    """
    polling = Polling.of(config.timeout_s, config.poll_attempts, config.poll_delay_seconds)
    start = tree.request_exec(agent_id, cmd, cwd, polling.budget, call)
    if start.refusal:
        raise Refusal("busy" if start.refusal.startswith(_BUSY) else "unavailable", start.refusal)
    if not polling.attempts:
        return texts.in_progress(start.run_id)
    return _told(await_run(tree, agent_id, polling, start), polling)


def collect(tree: ExecutingTree, agent_id: str, _config: WorkspaceExec, run_id: str) -> str:
    """Return the outcome of a run, that it goes on, or which ids would be right."""
    return texts.format_status(tree.exec_status(agent_id, run_id))


def _told(status: ExecStatus, polling: Polling) -> str:
    if status.state != "running":
        return texts.format_status(status)
    if not polling.until_done:
        return texts.in_progress(status.run_id)
    if status.running_for is None:
        return texts.not_begun(status.run_id)
    return texts.timed_out(status.run_id, polling.budget)


def await_run(tree: ExecutingTree, agent_id: str, polling: Polling, start: ExecStart) -> ExecStatus:
    """Look until the run is settled or the time to wait is over; the first time at once."""
    began = monotonic()
    while True:
        status = tree.exec_status(agent_id, start.run_id)
        left = began + polling.window - monotonic()
        if polling.until_done:
            left = _left_until_done(status, polling, began)
        if status.state != "running" or left <= 0:
            return status
        _wait(start.worker, left, polling.delay)


def _left_until_done(status: ExecStatus, polling: Polling, began: float) -> float:
    """Seconds to wait on: what the sandbox takes to start is not taken from the command."""
    longest = began + _LONGEST_S - monotonic()
    if status.running_for is None:
        return longest
    return min(polling.window - status.running_for, longest)


def _wait(worker: ActorAddress | None, seconds: float, delay: float) -> None:
    """Return when the worker is done, however soon that is, or after `seconds`."""
    try:
        if worker is None or not worker.is_alive():
            sleep(min(seconds, max(delay, 0.01)))
        else:
            ask_proxy(worker, ExecWorker, timeout=seconds).settled()
    except (ActorDeadError, Timeout):
        return
