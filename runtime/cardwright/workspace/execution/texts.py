"""What agents are told of their commands and of those of others."""

from .models import ExecLease, ExecOutcome, ExecStatus

__all__ = [
    "awaited",
    "busy",
    "busy_elsewhere",
    "format_outcome",
    "format_status",
    "in_progress",
    "not_begun",
    "timed_out",
    "unavailable",
]


def format_outcome(outcome: ExecOutcome) -> str:
    """Return how a command ended, then what it printed."""
    verdict = "OK" if outcome.exit_code == 0 else "FAILED"
    return (
        f"exit_code: {outcome.exit_code} ({verdict})\n"
        f"stdout:\n{outcome.stdout}\n"
        f"stderr (progress output here is normal):\n{outcome.stderr}"
    )


def format_status(status: ExecStatus) -> str:
    """Return what an agent is told when it collects a run."""
    if status.outcome is not None:
        return format_outcome(status.outcome)
    if status.state == "failed":
        return f"Run {status.run_id} failed: {status.reason}"
    if status.state == "running":
        return in_progress(status.run_id)
    known = ", ".join(status.recent_run_ids) or "none"
    return f"You have no run with that id. Your recent runs: {known}."


def in_progress(run_id: str) -> str:
    """Return the text for a command that goes on while the agent does something else."""
    return (
        f"Run {run_id} is in progress and holds the workspace: files can be read, not changed. "
        f"Collect its output next turn with workspace_exec_result(run_id={run_id!r})."
    )


def timed_out(run_id: str, budget: float) -> str:
    """Return the text for a command that did not end although its budget is over."""
    return (
        f"Run {run_id} passed its budget of {budget:g} s, is being ended, and still holds the "
        f"workspace. Its output stays collectable: workspace_exec_result(run_id={run_id!r})."
    )


def not_begun(run_id: str) -> str:
    """Return the text for a command that waits for its sandbox."""
    return (
        f"Run {run_id} has not begun: its sandbox is still starting. It holds the workspace. "
        f"Its output can be collected later with workspace_exec_result(run_id={run_id!r})."
    )


def busy(lease: ExecLease, holder: str, now: float) -> str:
    """Return the refusal of a change while a command runs."""
    return (
        f"workspace busy: run {lease.run_id} of {holder} has been working for "
        f"{now - lease.requested_at:.0f} s of at most {lease.budget:g} s. Reading still works; "
        "send this call again when the run is over."
    )


def busy_elsewhere(holder: str) -> str:
    """Return the refusal while a command of another team works in the same tree."""
    return (
        f"workspace busy: a command of {holder}, who is in another team, works in it. Reading "
        "still works; send this call again in a few seconds."
    )


def awaited(lease: ExecLease, holder: str) -> str:
    """Return the refusal while a command that is late is being ended."""
    return (
        f"workspace busy: run {lease.run_id} of {holder} passed its budget of {lease.budget:g} s "
        "and its end is still awaited. Reading still works; send this call again in a few seconds."
    )


def unavailable() -> str:
    """Return the refusal where no card announced how commands run."""
    return "Commands are not available in this workspace."
