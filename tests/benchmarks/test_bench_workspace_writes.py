"""What the gate costs: a write through the tree's actor beside a plain atomic write with a hash."""

import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from cardwright.actors import ActorSystem
from cardwright.workspace.actor import WorkspaceActor
from cardwright.workspace.gate import MutationStatus
from tests.workspace.workspace_support import Team

type Note = Callable[..., None]
type Measure = Callable[..., float]

SIZES = [1_000, 100_000, 5_000_000]


def atomic_write_with_hash(target: Path, data: bytes) -> str:
    """The least that is safe: staged, durable, renamed, durable again."""
    staged = target.with_name(f".{target.name}.staged")
    with staged.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    staged.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkspaceActor]:
    monkeypatch.setenv("CARDWRIGHT_WORKSPACES_ROOT", str(tmp_path))
    with ActorSystem() as system:
        yield Team(system).tree(journal=False)


@pytest.mark.parametrize("size", SIZES)
def test_a_gated_write_costs_at_most_three_atomic_writes(
    tree: WorkspaceActor, tmp_path: Path, size: int, measure: Measure, note: Note
) -> None:
    numbers = count()

    def content() -> str:
        return f"{next(numbers):08d}\n" + "x" * (size - 9)

    def gated() -> None:
        outcome = tree.apply_write("agent", "file.txt", content())
        assert outcome.status is MutationStatus.ACCEPTED

    def plain() -> None:
        atomic_write_with_hash(tmp_path / "plain.txt", content().encode())

    bare = best_of(plain)
    seconds = measure(gated, rounds=30)
    note(plain_ms=bare * 1e3, ratio=seconds / bare)
    assert seconds < 3 * bare


def best_of(function: Callable[[], None], rounds: int = 30) -> float:
    from time import perf_counter

    best = float("inf")
    for _ in range(rounds):
        started = perf_counter()
        function()
        best = min(best, perf_counter() - started)
    return best
