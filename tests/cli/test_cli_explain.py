"""`explain` and `schema`: what a person and an editor are told about the language."""

import json
import re
from pathlib import Path

import pytest

from cardwright.cli.app import run
from cardwright_generator.commands.pages import all_codes, own_codes


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


def test_every_code_of_check_has_a_page_and_the_other_way_round(root: Path) -> None:
    texts = [
        path.read_text(encoding="utf-8")
        for room in ("check", "providers")
        for path in (root / "generator/cardwright_generator" / room).rglob("*.py")
    ]
    used = set(re.findall(r'"(CW\d{3})"', "\n".join(texts)))
    assert used == set(own_codes())


@pytest.mark.parametrize("code", own_codes())
def test_a_page_says_what_why_and_how(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = told(["explain", code], capsys)
    assert page.startswith(f"# {code}: ")
    for part in ("\n**Why it is refused.** ", "\n## Refused\n", "\n## Accepted\n"):
        assert part in page


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
