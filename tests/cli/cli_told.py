"""What a command tells, and edits of a project, for the tests of this folder."""

from pathlib import Path

import pytest

from cardwright.cli.app import run

type Output = pytest.CaptureFixture[str]


def told(arguments: list[str], code: int, capsys: Output) -> str:
    capsys.readouterr()
    assert run(arguments) == code
    return capsys.readouterr().out


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
