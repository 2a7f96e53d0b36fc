"""`breaking`, `report`, `rules` and `explain RULE` as their user and CI meet them."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from tests.cli.cli_told import Output, edit, told

from cardwright.cli.app import run

SPEC = "specs/hello.yaml"


@pytest.fixture
def changed(project: Path, tmp_path: Path) -> Path:
    """A project whose spec lost an argument; what it was lies in the folder `base`."""
    shutil.copytree(project / "specs", tmp_path / "base")
    edit(project / SPEC, "What to repeat.", "What to say again.")
    edit(project / SPEC, "ask_hello", "greet_hello")
    return tmp_path / "base"


def test_text_exit_codes_and_thresholds(changed: Path, capsys: Output) -> None:
    shown = told(["breaking", "--against", str(changed)], 1, capsys)
    assert f"{SPEC}:" in shown
    assert "ERR LLM tool-removed 'ask_hello' is gone from tool_call" in shown
    assert "fingerprint " in shown
    assert "version step: major" in shown
    told(["breaking", "--against", str(changed), "--fail-on", "never"], 0, capsys)
    shutil.copytree("specs", "same")
    same = told(["breaking", "--against", "same", "--fail-on", "info"], 0, capsys)
    assert same == "nothing changed for anybody since same\n"


def test_json_github_and_junit(project: Path, changed: Path, capsys: Output) -> None:
    command = ["breaking", "--against", str(changed), "--format"]
    found = json.loads(told([*command, "json"], 1, capsys))
    assert found["step"] == "major"
    one = next(each for each in found["findings"] if each["rule"] == "tool-removed")
    assert one["level"] == "ERR"
    assert one["before"]["file"] == one["after"]["file"] == SPEC
    assert one["before"]["line"] > 1
    annotations = told([*command, "github"], 1, capsys).splitlines()
    assert any(line.startswith(f"::error file={SPEC},line=") for line in annotations)
    (project.parent / ".git").mkdir()  # as if the project were a folder of a repository
    annotations = told([*command, "github"], 1, capsys).splitlines()
    assert any(line.startswith(f"::error file=acme/{SPEC},line=") for line in annotations)
    suite = ET.fromstring(told([*command, "junit"], 1, capsys))
    assert suite.get("failures") == str(sum(f["level"] == "ERR" for f in found["findings"]))
    assert len(suite.findall("testcase")) == len(found["findings"])


def test_waivers_need_a_reason_and_stale_ones_are_told(
    project: Path, changed: Path, capsys: Output
) -> None:
    command = ["breaking", "--against", str(changed), "--format", "json"]
    found = json.loads(told(command, 1, capsys))["findings"]
    errors = [each["fingerprint"] for each in found if each["level"] == "ERR"]
    entries = [f'{{fingerprint = "{name}", reason = "meant"}}' for name in errors]
    settings = project / "pyproject.toml"
    text = settings.read_text(encoding="utf-8")
    put = "[tool.cardwright]\nwaivers = [{}]\n"
    settings.write_text(text.replace("[tool.cardwright]\n", put.format(", ".join(entries))))
    assert len(json.loads(told(command, 0, capsys))["waived"]) == len(errors)
    shutil.copytree("specs", "same")
    stale = '{fingerprint = "0123456789ab", reason = "long ago"}'
    settings.write_text(text.replace("[tool.cardwright]\n", put.format(stale)))
    shown = told(["breaking", "--against", "same", "--fail-on", "warn"], 1, capsys)
    assert "stale waiver 0123456789ab (long ago)" in shown
    for wrong, said in (
        ('{fingerprint = "0123456789ab"}', "say why"),
        ('{fingerprint = "0123456789ab", reason = " "}', "say why"),
        ('{fingerprint = "x", reason = "y"}', "give the 12 digits"),
        ('{fingerprint = "0123456789ab", reason = "y", until = 3}', "no key 'until'"),
        (f"{stale}, {stale}", "waived twice"),
        ('"0123456789ab"', "each entry is a table"),
    ):
        settings.write_text(text.replace("[tool.cardwright]\n", put.format(wrong)))
        assert run(["breaking", "--against", "same"]) == 2
        error = capsys.readouterr().err
        assert "[tool.cardwright] waivers" in error
        assert said in error
        assert error.count("\n") == 1


def test_a_wrong_reference_is_one_line(project: Path, capsys: Output) -> None:
    assert run(["breaking", "--against", "nowhere"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_report_shows_before_and_after_with_sizes(changed: Path, capsys: Output) -> None:
    shown = told(["report", "--against", str(changed)], 0, capsys)
    assert shown.startswith(f"# Contract report against `{changed}`\n")
    assert "**Version step: major.**" in shown
    assert "## LLM: What the model reads" in shown
    assert "| tool_call | " in shown
    assert "```diff\n--- before\n+++ after\n" in shown
    assert '+  "name": "greet_hello",' in shown
    written = told(["report", "--against", str(changed), "-o", "report.md"], 0, capsys)
    assert written == "written report.md\n"
    assert Path("report.md").read_text(encoding="utf-8") == shown


def test_rules_and_their_pages(capsys: Output) -> None:
    lines = told(["rules"], 0, capsys).splitlines()
    found = json.loads(told(["rules", "--format", "json"], 0, capsys))
    assert len(lines) == len(found)
    assert {"id", "category", "level", "step", "purpose", "mirrors"} == found[0].keys()
    page = told(["explain", "tool-renamed"], 0, capsys)
    assert page.startswith("# tool-renamed: ")
    assert "## Before" in page
    assert (
        json.loads(told(["explain", "tool-renamed", "--json"], 0, capsys))["code"] == "tool-renamed"
    )
    assert run(["explain", "tool-renamd"]) == 2
    assert "did you mean 'tool-renamed'" in capsys.readouterr().err
