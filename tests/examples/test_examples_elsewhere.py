"""The README's ways to take cards elsewhere, done as it says."""

import json
import shlex
from pathlib import Path

import pytest
from tests.examples.test_examples_readme import Run, blocks

from cardwright.cli.app import run

STEPS = blocks("Take cards elsewhere")


def test_the_client_of_the_page(tmp_path: Path, python: Run) -> None:
    (code,) = (one.text for one in STEPS if one.kind == "python")
    done = python("-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "update_planning" in done.stdout
    assert "No task has the id 1." in done.stdout


def test_the_configuration_of_the_page_names_options_that_exist(cardwright: Run) -> None:
    (text,) = (one.text for one in STEPS if one.kind == "json")
    arguments = json.loads(text)["mcpServers"]["board"]["args"]
    told = cardwright(*arguments[:2], "--help").stdout
    assert all(one in told for one in arguments if one.startswith("--"))


def test_the_commands_of_the_page(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    lines = [line for one in STEPS if one.kind == "console" for line in one.text.splitlines()]
    assert len(lines) == 3
    for line in lines:
        words = shlex.split(line.removeprefix("$ uv run cardwright "))
        built_elsewhere = ["--help"] if words == ["docs"] else []  # by tests/site
        assert run([*words, *built_elsewhere]) == 0
