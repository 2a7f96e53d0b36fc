"""`check` as its user and CI meet it: exit codes, places, diffs, JSON and annotations."""

import json
from pathlib import Path

from tests.cli.cli_told import Output, edit, told

from cardwright.cli.app import run

CARD = "generated/acme_cards/hello/card.py"
LOGIC = "src/acme/hello/logic.py"


def test_a_generated_project_is_clean(project: Path, capsys: Output) -> None:
    assert told(["check"], 0, capsys) == "done: everything is what the specs say\n"
    assert json.loads(told(["check", "--json"], 0, capsys)) == {
        "clean": True,
        "diagnostics": [],
        "diffs": {},
    }
    assert told(["check", "--github"], 0, capsys) == ""


def test_check_writes_nothing(project: Path, capsys: Output) -> None:
    edit(project / "specs/hello.yaml", "What to repeat.", "What to find out.")
    before = {p: p.stat().st_mtime_ns for p in project.rglob("*")}
    told(["check"], 1, capsys)
    assert {p: p.stat().st_mtime_ns for p in project.rglob("*")} == before


def test_an_invalid_spec(project: Path, capsys: Output) -> None:
    edit(project / "specs/hello.yaml", "summary:", "sumary:")
    shown = told(["check"], 1, capsys)
    assert "specs/hello.yaml:3:1: CW" in shown
    assert "did you mean 'summary'?" in shown


def test_drift_names_the_file_and_shows_the_difference(project: Path, capsys: Output) -> None:
    edit(project / "specs/hello.yaml", "What to repeat.", "What to find out.")
    shown = told(["check"], 1, capsys)
    assert f"{CARD}:1:1: CW901" in shown
    assert "What to find out." in shown
    assert CARD in json.loads(told(["check", "--json"], 1, capsys))["diffs"]


def test_a_hand_edit(project: Path, capsys: Output) -> None:
    edit(project / CARD, "What to repeat.", "Mine.")
    shown = told(["check"], 1, capsys)
    assert f"{CARD}:1:1: CW902" in shown
    assert "Mine." in shown


def test_stale_foreign_and_missing_files(project: Path, capsys: Output) -> None:
    (project / "generated/acme_cards/mine.py").write_text("mine = True\n", encoding="utf-8")
    (project / CARD).unlink()
    found = json.loads(told(["check", "--json"], 1, capsys))["diagnostics"]
    codes = {one["file"]: one["code"] for one in found}
    assert codes["generated/acme_cards/mine.py"] == "CW904"
    assert codes[CARD] == "CW905"
    (project / "specs/hello.yaml").unlink()
    found = json.loads(told(["check", "--json"], 1, capsys))["diagnostics"]
    assert "CW903" in {one["code"] for one in found}


def test_logic_that_does_not_follow_its_spec_is_shown_at_its_line(
    project: Path, capsys: Output
) -> None:
    spec = project / "specs/hello.yaml"
    edit(spec, "      ask_hello:\n", "      answer_hello:\n")
    assert run(["generate"]) == 0
    shown = told(["check"], 1, capsys)
    assert f"{LOGIC}:9:1: CW914 'HelloLogic' lacks the method 'answer_hello'" in shown
    assert "class HelloLogic(HelloContract):" in shown
    assert "ask_hello" in shown


def test_annotations_for_github(project: Path, capsys: Output) -> None:
    edit(project / LOGIC, "@final\n", "")
    shown = told(["check", "--github"], 1, capsys)
    assert shown.startswith(f"::error file={LOGIC},line=8,")
    assert "CW912" in shown
