"""A run killed between any two of its steps, and two runs at once."""

import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cardwright_generator.build import Build, build
from cardwright_generator.lock import exclusive
from cardwright_generator.project import Project, find_project
from cardwright_generator.writer import Report, reconcile

type Make = Callable[..., Project]
type Generate = Callable[..., Report]

SPEC = """\
card: {name}Tool
summary: {summary}
logic: acme.logic:{name}Logic
observer: none
capabilities:
  {key}:
    param: {name}
    endpoints:
      {key}: {{channels: [tool_call], doc: {summary}, returns: string}}
"""
STEPS = frozenset({"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"})


def spec(name: str, summary: str) -> str:
    return SPEC.format(name=name, key=f"{name.lower()}_it", summary=summary)


def snapshot(root: Path) -> dict[str, bytes]:
    files = (path for path in (root / "generated").rglob("*") if path.is_file())
    hidden = (".cardwright-staging", ".cardwright.pending.json", "json.new")
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in files
        if not any(name in str(path) for name in hidden)
    }


def reconcile_until(step: int, project: Project, made: Build) -> bool:
    """Write in a child that is killed at its `step`-th change; false when it came to its end."""
    child = os.fork()
    if child == 0:  # pragma: no cover - the child has no coverage of its own
        _die_at(step, project.root)
        reconcile(project, made)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def _die_at(step: int, root: Path) -> None:  # pragma: no cover - runs in the child
    left = step

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event not in STEPS or not str(arguments[0]).startswith(str(root)):
            return
        if event == "open" and "w" not in str(arguments[1]):
            return
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    sys.addaudithook(hook)


@pytest.fixture
def changing(make: Make, generate: Generate) -> tuple[Project, dict[str, bytes], Build]:
    """A generated project whose specs have moved on: its old tree, and the build to come."""
    project = make({"stay": spec("Stay", "Old."), "leave": spec("Leave", "Gone soon.")})
    generate(project)
    old = snapshot(project.root)
    (project.root / "specs/leave.yaml").unlink()
    (project.root / "specs/stay.yaml").write_text(spec("Stay", "New."), "utf-8")
    (project.root / "specs/come.yaml").write_text(spec("Come", "Arrives."), "utf-8")
    return project, old, build(project)


def expected(made: Build, old: dict[str, bytes]) -> dict[str, bytes]:
    new = {path: text.encode() for path, text in made.files.items()}
    kept = {path: old[path] for path in made.manifest.files if path not in new}
    return {**kept, **new, "generated/.cardwright.json": made.manifest.dump().encode()}


def test_killed_anywhere_the_next_run_finishes(
    changing: tuple[Project, dict[str, bytes], Build], generate: Generate, tmp_path: Path
) -> None:
    project, old, made = changing
    new = expected(made, old)
    clean = tmp_path / "clean"
    shutil.copytree(project.root / "generated", clean)
    steps = [0, 1, 2, *sorted(Random(1).sample(range(3, 60), 7))]
    died = 0
    for step in steps:
        shutil.rmtree(project.root / "generated")
        shutil.copytree(clean, project.root / "generated")
        died += reconcile_until(step, project, made)
        found = snapshot(project.root)
        for path, content in found.items():
            assert content in (old.get(path), new.get(path)), f"{path} is torn at step {step}"
        report = generate(project)
        assert not report.refused, f"step {step}: {report}"
        assert snapshot(project.root) == new, f"step {step}"
    assert died > len(steps) / 2


def test_until_everything_is_staged_the_old_tree_is_whole(
    changing: tuple[Project, dict[str, bytes], Build],
) -> None:
    project, old, made = changing
    step = 0
    while reconcile_until(step, project, made) and not project.pending.exists():
        assert snapshot(project.root) == old, f"step {step}"
        step += 1
    assert step > len(made.files)


def test_killed_again_and_again_while_specs_move_on_nothing_counts_as_an_edit(
    changing: tuple[Project, dict[str, bytes], Build], generate: Generate
) -> None:
    project, _, made = changing
    for step in (40, 30, 34, 28, 38):
        reconcile_until(step, project, made)
        (project.root / "specs/stay.yaml").write_text(spec("Stay", f"Of step {step}."), "utf-8")
        made = build(project)
    report = generate(project)
    assert not report.refused, report
    assert b"Of step 38." in snapshot(project.root)["generated/made_cards/stay/card.py"]
    assert not project.pending.exists()


def test_a_second_run_waits_for_the_first(make: Make) -> None:
    project = make({"stay": spec("Stay", "Here.")})
    entered, order = threading.Event(), list[str]()

    def second() -> None:
        entered.set()
        with exclusive(project.root):
            order.append("second")

    with exclusive(project.root):
        waiting = threading.Thread(target=second)
        waiting.start()
        entered.wait()
        waiting.join(timeout=0.05)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


def test_the_lock_dies_with_its_process(make: Make) -> None:
    project = make({"stay": spec("Stay", "Here.")})
    child = os.fork()
    if child == 0:  # pragma: no cover - runs in the child
        with exclusive(project.root):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    with exclusive(find_project(project.root).root):
        pass
