"""Running commands over a shared tree: one at a time, held by a lease, collected by their owner.

The tree actor owns an `ExecutionDesk`; the logic of a card calls `prepare_execution`, then
`run_command` and `collect`. Nothing slow happens on the thread of the tree actor.
"""

from cardwright.sandbox import resolve_mode, sandbox_config

from .asking import (
    ExecutingTree,
    await_run,
    collect,
    prepare_execution,
    run_command,
    wire_execution,
)
from .desk import ExecutionDesk, TreeGuard
from .models import ExecConfig, ExecLease, ExecOutcome, ExecPayload, ExecStart, ExecStatus
from .polling import MAX_BUDGET_S, Polling, budget_of, poll_attempts_within
from .runs import new_run_id
from .texts import format_outcome, format_status, in_progress, timed_out
from .worker import ExecWorker

__all__ = [
    "MAX_BUDGET_S",
    "ExecConfig",
    "ExecLease",
    "ExecOutcome",
    "ExecPayload",
    "ExecStart",
    "ExecStatus",
    "ExecWorker",
    "ExecutingTree",
    "ExecutionDesk",
    "Polling",
    "TreeGuard",
    "await_run",
    "budget_of",
    "collect",
    "format_outcome",
    "format_status",
    "in_progress",
    "new_run_id",
    "poll_attempts_within",
    "prepare_execution",
    "resolve_mode",
    "run_command",
    "sandbox_config",
    "timed_out",
    "wire_execution",
]
