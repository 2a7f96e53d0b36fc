"""How long `cardwright breaking` takes over 300 specs, as a whole process."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from tests.benchmarks.test_benchmarks_generate import PYPROJECT, SPEC, SYNTHETIC
from tests.breaking.breaking_history import History

pytestmark = pytest.mark.timeout(400)
BUDGET = 3.0
"""Seconds of processor time of a whole process and of git, whatever else the machine does."""
ROUNDS = 3
SHARED = "types:\n  Color:\n    enum: [red, green]\n    description: Colour of a row.\n"


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """A repository with 300 specs, of which one in ten names a shared type."""
    made = History(tmp_path_factory.mktemp("many"))
    (made.root / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    made.commit(
        {**{f"specs/many{n}.yaml": text(n) for n in range(SYNTHETIC)}, "specs/common.yaml": SHARED}
    )
    return made


def text(number: int) -> str:
    return SPEC.format(n=number)


def run(history: History) -> str:
    command = (sys.executable, "-m", "cardwright", "breaking", "--against", "HEAD")
    done = subprocess.run(
        (*command, "--fail-on", "never"),
        cwd=history.root,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def cpu_of_a_run(history: History) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(history)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("changed", [0, 10, SYNTHETIC])
def test_300_specs(history: History, changed: int) -> None:
    for n in range(SYNTHETIC):
        new = text(n).replace("maxLength: 200", "maxLength: 100") if n < changed else text(n)
        path: Path = history.root / f"specs/many{n}.yaml"
        path.write_text(new, encoding="utf-8")
    assert run(history).count(" stored-bound-tightened ") == changed
    assert min(cpu_of_a_run(history) for _ in range(ROUNDS)) < BUDGET
