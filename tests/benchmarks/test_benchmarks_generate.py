"""How long `cardwright generate` takes, as a whole process, on two cores."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

type Measure = Callable[..., float]

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(400)
SYNTHETIC = 300
PYPROJECT = """\
[tool.cardwright]
package = "many_cards"
logic = ["src"]
"""
SPEC = """\
card: Many{n}Tool
summary: Card number {n} of many.
logic: many.logic{n}:Many{n}Logic
observer: tool
fields:
  limit{n}: {{type: integer, default: {n}, minimum: 0, description: Rows at most.}}
types:
  Row{n}:
    type: object
    description: One row.
    required: [id, text]
    properties:
      id: {{type: integer, description: Number of the row., minimum: 0}}
      text: {{type: string, description: What it says., maxLength: 200}}
      tags: {{type: array, items: {{type: string}}, default: [], description: Labels.}}
failures:
  unknown: {{surfaces: retry, when: the row does not exist}}
capabilities:
  find_rows{n}:
    param: FindRows{n}
    config:
      top_k: {{type: integer, default: 5, minimum: 1, description: Rows per answer.}}
    failures: [unknown]
    endpoints:
      find_rows{n}:
        channels: [tool_call, command]
        doc: Find rows by their text.
        arguments:
          query: {{type: string, description: What to look for.}}
          count: {{type: integer, default_from: top_k, description: Rows at most.}}
        returns: string
  put_row{n}:
    param: PutRow{n}
    endpoints:
      put_row{n}:
        channels: [tool_call]
        doc: Store one row.
        arguments:
          row: {{$ref: "#/types/Row{n}", description: The row.}}
        returns: string
        idempotency: effectful
"""
LOGIC = """\
from typing import final, override
from many_cards.many{n}.card import FindRows{n}
from many_cards.many{n}.contract import Many{n}Contract
from many_cards.many{n}.types import Row{n}


@final
class Many{n}Logic(Many{n}Contract):
    @override
    def find_rows{n}(self, config: FindRows{n}, *, query: str, count: int) -> str:
        if config.top_k < 1:
            raise self.retry("unknown", query)
        return query[: self.card.limit{n} + count]

    @override
    def put_row{n}(self, *, row: Row{n}) -> str:
        return row.text
"""


def generate(folder: Path) -> float:
    """Seconds of one whole `cardwright generate` process; it must succeed."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "cardwright", "generate"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    spent = time.perf_counter() - started
    assert done.returncode == 0, done.stdout + done.stderr
    return spent


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    """A copy of this project's specs and logic, with nothing generated."""
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "runtime", tmp_path / "runtime", ignore=ignored)
    return tmp_path


def project(folder: Path, specs: int) -> Path:
    """A project of so many synthetic specs, nothing generated yet."""
    for made in ("specs", "src/many"):
        (folder / made).mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (folder / "src/many/__init__.py").touch()
    for n in range(specs):
        (folder / f"specs/many{n}.yaml").write_text(SPEC.format(n=n), encoding="utf-8")
        (folder / f"src/many/logic{n}.py").write_text(LOGIC.format(n=n), encoding="utf-8")
    return folder


def test_the_whole_catalogue_cold(measure: Measure, catalogue: Path) -> None:
    assert measure(lambda: generate(catalogue), rounds=1) < 5


def test_the_whole_catalogue_unchanged(measure: Measure, catalogue: Path) -> None:
    generate(catalogue)
    assert measure(lambda: generate(catalogue)) < 0.4


def test_three_hundred_specs_cold_then_one_changed(
    measure: Measure, note: Callable[..., None], tmp_path: Path
) -> None:
    many = project(tmp_path / "many", SYNTHETIC)
    cold = measure(lambda: generate(many), rounds=1)
    assert cold < 30
    alone = min(generate(project(tmp_path / f"alone{n}", 1)) for n in range(3))
    changed = min(generate_changed(many, n) for n in range(3))
    note(cold=cold, one_changed=changed, one_alone=alone)
    assert changed < 2 * alone


def generate_changed(folder: Path, number: int) -> float:
    """Seconds of a run after one spec was changed."""
    spec = folder / f"specs/many{number}.yaml"
    text = spec.read_text(encoding="utf-8")
    assert "Store one row." in text
    spec.write_text(text.replace("Store one row.", "Store a row for good."), encoding="utf-8")
    return generate(folder)
