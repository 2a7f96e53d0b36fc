"""Only what changed is done again, and a run without work loads next to nothing."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from subprocess import CompletedProcess

from cardwright_generator.build import build
from cardwright_generator.project import Project
from cardwright_generator.unchanged import unchanged_files
from cardwright_generator.writer import Report

type Make = Callable[..., Project]
type Generate = Callable[..., Report]
type Run = Callable[..., CompletedProcess[str]]

COMMON = """\
types:
  Point:
    description: A place.
    type: object
    required: [x]
    properties: {x: {type: integer, description: How far.}}
"""
CARD = """\
card: {name}Tool
summary: {name} something.
logic: acme.logic:{name}Logic
observer: none
capabilities:
  {key}:
    param: {name}
    endpoints:
      {key}: {{channels: [tool_call], doc: Do it., {arguments}returns: string}}
"""
WITH_POINT = "arguments: {point: {$ref: common.yaml#/types/Point, description: Where.}}, "
GENERATE = """
from cardwright_generator.build import build
from cardwright_generator.project import find_project
from cardwright_generator.writer import reconcile
project = find_project()
reconcile(project, build(project))
"""
HEAVY = ("pydantic", "yaml", "jinja2", "datamodel_code_generator", "typer", "rich")


def card(name: str, arguments: str = "") -> str:
    return CARD.format(name=name, key=f"do_{name.lower()}", arguments=arguments)


def three(make: Make) -> Project:
    specs = {"common": COMMON, "near": card("Near", WITH_POINT), "far": card("Far")}
    return make(specs)


def folders(paths: Iterable[str]) -> set[str]:
    """Subpackages that have a path among `paths`."""
    parts = (Path(path).parts for path in paths)
    return {found[2] for found in parts if len(found) > 3} - {"specs"}


def test_one_changed_spec_is_done_alone(make: Make, generate: Generate) -> None:
    project = three(make)
    generate(project)
    path = project.root / "specs/far.yaml"
    path.write_text(path.read_text("utf-8").replace("Do it.", "Do it well."), "utf-8")
    made = build(project)
    assert folders(made.files) == {"far"}
    assert set(generate(project).written) == {
        "generated/made_cards/far/README.md",
        "generated/made_cards/far/card.py",
        "generated/made_cards/far/contract.py",
        "generated/made_cards/specs/far.yaml",
    }


def test_changed_shared_types_redo_their_users(make: Make, generate: Generate) -> None:
    project = three(make)
    generate(project)
    (project.root / "specs/common.yaml").write_text(COMMON.replace("far.", "near."), "utf-8")
    assert folders(build(project).files) == {"common", "near"}


def test_incremental_and_full_runs_give_the_same_bytes(make: Make, generate: Generate) -> None:
    project = three(make)
    generate(project)
    (project.root / "specs/common.yaml").write_text(COMMON.replace("far.", "near."), "utf-8")
    (project.root / "specs/far.yaml").unlink()
    (project.root / "specs/new.yaml").write_text(card("New"), "utf-8")
    generate(project)
    manifest = project.manifest.read_bytes()
    project.manifest.unlink()
    report = generate(project)
    assert (report.written, report.refused) == ((), False)
    assert project.manifest.read_bytes() == manifest


def test_chosen_specs_leave_the_others_as_they_are(make: Make, generate: Generate) -> None:
    project = three(make)
    generate(project)
    for name in ("far", "near"):
        path = project.root / f"specs/{name}.yaml"
        path.write_text(path.read_text("utf-8").replace("Do it.", "Do it well."), "utf-8")
    chosen = build(project, ["specs/far.yaml"])
    assert folders(chosen.files) == {"far"}
    assert folders(build(project).files) == {"far", "near"}


def test_a_choice_takes_the_users_of_shared_types_along(make: Make, generate: Generate) -> None:
    project = three(make)
    generate(project)
    assert folders(build(project, ["specs/common.yaml"]).files) == {"common", "near"}


def test_faults_between_cards_are_found_without_reading_them_all(
    make: Make, generate: Generate
) -> None:
    project = three(make)
    generate(project)
    twice = card("New").replace("do_new:", "do_far:")
    (project.root / "specs/new.yaml").write_text(twice, "utf-8")
    made = build(project)
    assert [found.code for found in made.diagnostics] == ["CW803"]
    assert made.diagnostics[0].file == "specs/new.yaml"


def test_settings_and_generator_redo_everything(make: Make, generate: Generate) -> None:
    project = three(make)
    generate(project)
    text = json.loads(project.manifest.read_text("utf-8"))
    project.manifest.write_text(json.dumps({**text, "generator": "older"}), "utf-8")
    assert folders(build(project).files) == {"common", "near", "far"}
    moved = make(package="other_cards")
    assert unchanged_files(moved.root) is None
    generate(moved)
    assert not (moved.root / "generated/made_cards").exists()


def test_a_run_without_work_imports_nothing_heavy(make: Make, python: Run) -> None:
    # Both in children, one right after the other: this process may have read an older generator.
    project = three(make)
    python("-c", GENERATE, cwd=project.root)
    code = (
        "import sys; from cardwright_generator.unchanged import unchanged_files as f; "
        f"print(f()); print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = python("-c", code, cwd=project.root)
    assert done.stdout.splitlines() == ["20", "[]"], done.stderr
