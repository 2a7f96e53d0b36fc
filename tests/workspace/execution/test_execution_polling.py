"""How long a caller waits, and what it is told."""

import pytest

from cardwright.workspace.execution import (
    ExecOutcome,
    ExecStatus,
    Polling,
    format_outcome,
    format_status,
    in_progress,
    poll_attempts_within,
    timed_out,
)


@pytest.mark.parametrize(
    ("attempts", "delay", "budget", "looks"),
    [
        (-1, 0.5, 15, 33),
        (-1, 0.0, 15, 1),
        (-1, 100.0, 15, 1),
        (0, 0.5, 15, 0),
        (5, 0.5, 15, 5),
        (1000, 0.5, 15, 30),
        (7, 0.0, 15, 7),
        (3, 100.0, 15, 1),
    ],
)
def test_attempts_are_cut_to_what_fits_into_the_budget(
    attempts: int, delay: float, budget: float, looks: int
) -> None:
    assert poll_attempts_within(attempts, delay, budget) == looks


def test_case_48_fewer_than_minus_one_is_refused() -> None:
    with pytest.raises(ValueError, match="poll_attempts"):
        Polling.of(15, -2, 0.5)


def test_the_window_is_that_of_the_looks() -> None:
    assert Polling.of(15, -1, 0.5).window == 16
    assert Polling.of(100, -1, 0.5).window == 21
    assert Polling.of(15, 5, 0.5).window == 2
    assert Polling.of(15, 0, 0.5).window == 0


def test_case_43_an_outcome_tells_its_exit_code_first() -> None:
    good = format_outcome(ExecOutcome(stdout="hi\n", stderr="", exit_code=0))
    assert good.startswith("exit_code: 0 (OK)\nstdout:\nhi\n")
    assert format_outcome(ExecOutcome(stdout="", stderr="no", exit_code=2)).startswith(
        "exit_code: 2 (FAILED)\n"
    )


def test_case_47_an_unknown_run_is_answered_with_the_right_ids() -> None:
    unknown = ExecStatus(state="unknown", run_id="x", recent_run_ids=["1", "2"])
    assert "1, 2" in format_status(unknown)
    assert "none" in format_status(ExecStatus(state="unknown", run_id="x"))
    assert format_status(ExecStatus(state="failed", run_id="x", reason="why")) == (
        "Run x failed: why"
    )


def test_what_goes_on_names_the_run_and_how_to_collect_it() -> None:
    assert "workspace_exec_result(run_id='ab')" in in_progress("ab")
    late = timed_out("ab", 15)
    assert "15 s" in late
    assert "ab" in late
    assert "next turn" not in late
