"""What the gate costs: a write through the tree's actor beside a plain atomic write with a hash."""

import hashlib
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from time import perf_counter

import pytest
from tests.workspace.workspace_support import Team, quick_folder

from cardwright.actors import ActorSystem
from cardwright.workspace.actor import WorkspaceActor
from cardwright.workspace.gate import MutationStatus

type Note = Callable[..., None]
type Measure = Callable[..., float]

_OWN = 250e-6
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


@pytest.fixture(params=["disk", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Where the trees are; in memory nothing has to wait for a disk."""
    if request.param == "disk":
        yield tmp_path
        return
    with quick_folder() as folder:
        yield folder


@pytest.fixture
def tree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkspaceActor]:
    monkeypatch.setenv("CARDWRIGHT_WORKSPACES_ROOT", str(folder))
    with ActorSystem() as system:
        yield Team(system).tree(journal=False)


@pytest.mark.parametrize("size", SIZES)
def test_a_gated_write_costs_at_most_three_atomic_writes(
    tree: WorkspaceActor, folder: Path, size: int, measure: Measure, note: Note
) -> None:
    numbers = count()

    def content() -> str:
        return f"{next(numbers):08d}\n" + "x" * (size - 9)

    def gated() -> None:
        outcome = tree.apply_write("agent", "file.txt", content())
        assert outcome.status is MutationStatus.ACCEPTED

    def plain() -> None:
        atomic_write_with_hash(folder / "plain.txt", content().encode())

    bare, seconds = best_of(plain, gated)
    note(plain_ms=bare * 1e3, gated_ms=seconds * 1e3, ratio=seconds / bare)
    measure(gated)
    # A small write in memory is nothing but a few system calls: there the gate may take its own.
    assert seconds < 3 * bare or seconds - bare < _OWN


def best_of(one: Callable[[], None], other: Callable[[], None], rounds: int = 40) -> list[float]:
    """The shortest time of each in seconds; they take turns: the disk is as busy for both."""
    best = [float("inf")] * 2
    for _ in range(rounds):
        for number, function in enumerate((one, other)):
            started = perf_counter()
            function()
            best[number] = min(best[number], perf_counter() - started)
    return best
