"""`generate` as its user meets it: what is written, refused, forced and told to programs."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.cli_told import Output, edit, told

from cardwright.cli import main
from cardwright.cli.app import run
from cardwright_generator.commands.generate import print_report
from cardwright_generator.writer import Report

type Run = Callable[..., subprocess.CompletedProcess[str]]

CARD = "generated/acme_cards/hello/card.py"


def test_a_second_run_writes_nothing(project: Path, capsys: Output) -> None:
    before = {p: p.stat().st_mtime_ns for p in project.rglob("*")}
    assert "files unchanged" in told(["generate"], 0, capsys)
    assert {p: p.stat().st_mtime_ns for p in project.rglob("*")} == before


def test_an_unchanged_project_is_answered_without_loading_anything(
    project: Path, python: Run, capsys: Output
) -> None:
    said = told(["generate"], 0, capsys)
    code = (
        "import sys; sys.argv = ['cardwright', 'generate']\n"
        "from cardwright.cli import main\n"
        "try:\n    main()\nfinally:\n    print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = python("-c", code, cwd=project)
    assert (done.returncode, done.stdout) == (0, said)
    loaded = set(done.stderr.split())
    assert not loaded & {"typer", "rich", "pydantic", "jinja2", "yaml", "cardwright.core"}


def test_a_changed_spec_rewrites_its_files(project: Path, capsys: Output) -> None:
    edit(project / "specs/hello.yaml", "What to repeat.", "What to find out.")
    shown = told(["generate"], 0, capsys)
    assert f"written {CARD}" in shown
    assert "What to find out." in (project / CARD).read_text(encoding="utf-8")


def test_json_names_what_was_done(project: Path, capsys: Output) -> None:
    edit(project / "specs/hello.yaml", "What to repeat.", "What to find out.")
    report = json.loads(told(["generate", "--json"], 0, capsys))
    assert CARD in report["written"]
    assert report["diagnostics"] == []
    again = json.loads(told(["generate", "--json"], 0, capsys))
    assert again["written"] == []
    assert again["unchanged"] > 0


def test_a_wrong_spec_is_reported_and_nothing_is_written(project: Path, capsys: Output) -> None:
    before = (project / CARD).read_text(encoding="utf-8")
    edit(project / "specs/hello.yaml", "summary:", "sumary:")
    shown = told(["generate"], 1, capsys)
    assert "specs/hello.yaml:3:1: CW" in shown
    assert "did you mean 'summary'?" in shown
    assert "cardwright explain CODE" in shown
    found = json.loads(told(["generate", "--json"], 1, capsys))
    assert found["written"] == []
    assert {one["file"] for one in found["diagnostics"]} == {"specs/hello.yaml"}
    assert (project / CARD).read_text(encoding="utf-8") == before


def test_a_hand_edit_is_shown_and_kept(project: Path, capsys: Output) -> None:
    edit(project / CARD, "What to repeat.", "Mine.")
    edit(project / "specs/hello.yaml", "What to repeat.", "What to find out.")
    shown = told(["generate"], 1, capsys)
    assert f"edited {CARD}" in shown
    assert "Mine." in shown
    assert "nothing was written" in shown
    assert "Mine." in (project / CARD).read_text(encoding="utf-8")
    assert json.loads(told(["generate", "--json"], 1, capsys))["edited"] == [CARD]


def test_force_overwrites_a_hand_edit_and_keeps_its_text(project: Path, capsys: Output) -> None:
    edit(project / CARD, "What to repeat.", "Mine.")
    shown = told(["generate", "--force"], 0, capsys)
    assert f"kept {CARD}.orig" in shown
    assert "Mine." not in (project / CARD).read_text(encoding="utf-8")
    assert "Mine." in (project / f"{CARD}.orig").read_text(encoding="utf-8")


def test_single_specs_can_be_named(project: Path, capsys: Output) -> None:
    assert run(["new", "WeatherTool"]) == 0
    edit(project / "specs/hello.yaml", "What to repeat.", "What to find out.")
    report = json.loads(told(["generate", "specs/weather.yaml", "--json"], 0, capsys))
    assert "generated/acme_cards/weather/card.py" in report["written"]
    assert CARD not in report["written"]


def test_a_file_that_is_no_spec_is_refused(project: Path, capsys: Output) -> None:
    told(["generate", "README.md"], 2, capsys)
    assert run(["generate", "specs/none.yaml"]) == 2
    error = capsys.readouterr().err
    assert "specs/none.yaml is no spec of this project" in error
    assert "relative to where you are" in error


def test_generate_names_the_methods_that_do_not_follow_any_more(
    project: Path, capsys: Output
) -> None:
    edit(project / "specs/hello.yaml", "question: {type", "query: {type")
    shown = told(["generate"], 0, capsys)
    note = "note: src/acme/hello/logic.py:13: 'HelloLogic.ask_hello' is"
    assert f"{note} `def ask_hello(self, *, question)`; the contract says" in shown
    (told_,) = json.loads(told(["generate", "--json"], 0, capsys))["notes"]
    assert told_["code"] == "CW918"


def test_a_foreign_file_is_named_by_every_run(project: Path, capsys: Output) -> None:
    (project / "generated/acme_cards/mine.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["cardwright", "generate"])
        with pytest.raises(SystemExit) as left:
            main()
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert "note: generated/acme_cards/mine.py:1: nothing generates this file" in shown


def test_a_list_of_paths_is_not_cut_to_save_one_line(capsys: Output) -> None:
    print_report(Report(written=tuple(f"file{n}" for n in range(21))))
    assert "written file20\n" in capsys.readouterr().out
    print_report(Report(written=tuple(f"file{n}" for n in range(22))))
    assert "written and 2 more\n" in capsys.readouterr().out
    print_report(Report(edited=("one",)))
    assert "because 1 file is not what was generated" in capsys.readouterr().out


def test_a_deleted_spec_takes_its_files_along(project: Path, capsys: Output) -> None:
    (project / "specs/hello.yaml").unlink()
    shown = told(["generate"], 0, capsys)
    assert f"deleted {CARD}" in shown
    assert not (project / "generated/acme_cards/hello").exists()
    assert not (project / "generated/tests/test_hello_wiring.py").exists()


def test_it_works_from_a_subfolder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project / "src/acme")
    assert run(["generate"]) == 0


def test_a_wrong_setting_is_one_line(project: Path, capsys: Output) -> None:
    edit(project / "pyproject.toml", 'specs = "specs"', 'spec = "specs"')
    told(["generate"], 2, capsys)
    assert run(["generate"]) == 2
    assert "did you mean 'specs'?" in capsys.readouterr().err


def test_a_spec_may_depend_on_a_card_of_an_installed_package(project: Path, capsys: Output) -> None:
    """The package ships its specs, or is installed editable and has them in its project."""
    spec = project / "specs/hello.yaml"
    edit(spec, "observer: none\n", "observer: actor\ndepends_on: [{card: PlanningTool}]\n")
    told(["generate"], 0, capsys)
    assert '"PlanningTool"' in (project / CARD).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["generate", "check"])
def test_a_catalogue_that_is_not_installed_is_one_line(
    command: str, project: Path, capsys: Output
) -> None:
    edit(project / "pyproject.toml", 'specs = "specs"', 'specs = "specs"\ncatalogues = ["nobody"]')
    capsys.readouterr()
    assert run([command]) == 2
    error = capsys.readouterr().err
    assert "the catalogue 'nobody' is not installed" in error
    assert error.count("\n") == 1
