"""`explain` and `schema`: what a person and an editor are told about the language."""

import json
from pathlib import Path

import pytest

from cardwright.cli.app import run
from cardwright_generator.spec.explain import all_codes


def told(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(arguments) == 0
    return capsys.readouterr().out


def test_explain_prints_the_page_of_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    shown = told(["explain", "cw302"], capsys)
    assert shown.startswith("# CW302")
    assert "## Refused" in shown
    assert "## Accepted" in shown
    page = json.loads(told(["explain", "CW302", "--json"], capsys))
    assert page["code"] == "CW302"
    assert page["text"].strip() == shown.strip()


def test_explain_lists_every_code(capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(["explain"], capsys).splitlines()
    assert [line.partition("  ")[0] for line in lines] == list(all_codes())
    assert list(json.loads(told(["explain", "--json"], capsys))) == list(all_codes())


def test_explain_knows_what_an_unknown_code_may_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "CW30"]) == 2
    error = capsys.readouterr().err
    assert "there is no code 'CW30'" in error
    assert "did you mean 'CW" in error
    assert error.count("\n") == 1


def test_schema_goes_to_stdout_or_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = told(["schema"], capsys)
    assert json.loads(shown)["title"] == "Cardwright spec"
    target = tmp_path / "card.schema.json"
    told(["schema", str(target)], capsys)
    assert target.read_text(encoding="utf-8") == shown
    assert run(["schema", str(tmp_path / "missing" / "file.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_schema_is_the_one_that_generate_writes(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = (root / "generated/card.schema.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads(told(["schema"], capsys))
