"""What a sandbox costs: a trivial command beside the same command without us."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from time import perf_counter, sleep

import pytest
from tests.sandbox.sandbox_support import Running, running, trees, why_not
from tests.workspace.execution.execution_support import Tree

from cardwright.bench import LocalTeam
from cardwright.sandbox import Limits
from cardwright.sandbox.box import forbids_nesting
from cardwright.sandbox.bubblewrap import View, arguments

type Note = Callable[..., None]
type Measure = Callable[..., float]

ROUNDS = 60
PAUSE_S = 0.15
TRIVIAL = "echo hi"
BARE = [
    *("bwrap", "--unshare-all", "--die-with-parent", "--new-session"),
    *("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin"),
    *("--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"),
    *("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"),
]


@pytest.fixture
def root() -> Iterator[Path]:
    with trees() as root:
        yield root


def box(mode: str, root: Path) -> AbstractContextManager[Running]:
    if reason := why_not(mode):
        pytest.skip(reason)
    return running(mode, root, small=False)


def spawned(*words: str) -> Callable[[], object]:
    """The command as anybody would start it."""
    return lambda: subprocess.run([*words, "echo", "hi"], capture_output=True, check=True)


def best_of_turns(*functions: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """The shortest time of each, measured in turns: the machine is as busy for one as another."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for number, function in enumerate(functions):
            began = perf_counter()
            function()
            best[number] = min(best[number], perf_counter() - began)
    return best


def test_a_local_command_costs_at_most_25_ms_more_than_spawning_it(
    root: Path, measure: Measure, note: Note
) -> None:
    with box("local", root) as local:
        plain, ours = best_of_turns(spawned(), lambda: local.actor.exec(TRIVIAL))
        measure(lambda: local.actor.exec(TRIVIAL), rounds=10)
    note(plain_ms=plain * 1e3, ours_ms=ours * 1e3, added_ms=(ours - plain) * 1e3)
    assert ours - plain < 0.025


def bare(root: Path) -> Callable[[], object]:
    """The command in the plainest bubblewrap that shows the same."""
    return spawned(*BARE, "--bind", str(root), "/workspace", "--chdir", "/workspace", "--")


def as_isolated(root: Path) -> Callable[[], object]:
    """The command in bubblewrap with the arguments of ours, but the filter of system calls."""
    view = View(tree=str(root), nested=not forbids_nesting())
    return spawned("bwrap", *arguments(view, Limits()), "--chdir", "/workspace", "--")


def after_a_pause(function: Callable[[], object]) -> Callable[[], float]:
    """Nothing of the kernel is warm any more; the pause itself is not of interest."""

    def timed() -> float:
        sleep(PAUSE_S)
        began = perf_counter()
        function()
        return perf_counter() - began

    return timed


def ten_times(function: Callable[[], object]) -> Callable[[], object]:
    def burst() -> None:
        for _ in range(10):
            function()

    return burst


def test_a_command_in_bubblewrap_costs_at_most_half_more_than_bubblewrap(
    root: Path, measure: Measure, note: Note
) -> None:
    with box("bwrap", root) as bwrap:
        turns = (bare(root), as_isolated(root), lambda: bwrap.actor.exec(TRIVIAL))
        plain, isolated, took = best_of_turns(*turns)
        measure(lambda: bwrap.actor.exec(TRIVIAL), rounds=10)
    note(plain_ms=plain * 1e3, isolated_ms=isolated * 1e3, ours_ms=took * 1e3, ratio=took / plain)
    assert took < 1.5 * plain


def test_ten_commands_in_a_row_cost_at_most_half_more_than_bubblewrap(
    root: Path, measure: Measure, note: Note
) -> None:
    with box("bwrap", root) as bwrap:
        burst = ten_times(lambda: bwrap.actor.exec(TRIVIAL))
        plain, ours = best_of_turns(ten_times(bare(root)), burst, rounds=12)
        measure(burst, rounds=3)
    note(plain_ms=plain * 1e3, ours_ms=ours * 1e3, ratio=ours / plain)
    assert ours < 1.5 * plain


def test_a_command_after_a_pause_costs_at_most_half_more_than_bubblewrap(
    root: Path, measure: Measure, note: Note
) -> None:
    with box("bwrap", root) as bwrap:
        ours = after_a_pause(lambda: bwrap.actor.exec(TRIVIAL))
        plain = after_a_pause(bare(root))
        times = [(plain(), ours()) for _ in range(30)]
        measure(lambda: bwrap.actor.exec(TRIVIAL), rounds=3)
    alone, took = (min(each) for each in zip(*times, strict=True))
    note(plain_ms=alone * 1e3, ours_ms=took * 1e3, ratio=took / alone)
    assert took < 1.5 * alone


def test_a_quick_command_of_an_agent_comes_back_at_once(
    root: Path, measure: Measure, note: Note
) -> None:
    with LocalTeam() as team:
        tree = Tree(team, "local")
        plain, ours = best_of_turns(spawned(), lambda: tree.run(TRIVIAL))
        measure(lambda: tree.run(TRIVIAL), rounds=10)
    note(plain_ms=plain * 1e3, ours_ms=ours * 1e3)
    assert ours < plain + 0.05


def test_the_longest_output_is_read_in_bounded_time(
    root: Path, measure: Measure, note: Note
) -> None:
    with box("local", root) as local:
        seconds = measure(lambda: local.sh("head -c 200000000 /dev/zero"), rounds=3)
    note(megabytes_per_second=200 / seconds)
    assert seconds < 5
