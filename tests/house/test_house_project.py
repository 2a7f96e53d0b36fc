"""The project file and the scripts around it: bounds, pins, hooks and CI."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any, cast

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BOUNDED = re.compile(r"[\w.-]+(\[[\w,-]+\])?(>=[\w.]+,<[\w.]+|==[\w.]+)")


def test_every_dependency_is_bounded_on_both_sides() -> None:
    extras = cast("dict[str, list[str]]", PROJECT["project"]["optional-dependencies"])
    listed = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    listed += [each for group in extras.values() for each in group]
    listed += PROJECT["dependency-groups"]["dev"]
    loose = [each for each in listed if not BOUNDED.fullmatch(each)]
    assert [each for each in loose if not each.startswith("cardwright[")] == []


def test_what_shapes_the_output_is_pinned() -> None:
    generator = PROJECT["project"]["optional-dependencies"]["generator"]
    pinned = {each.partition("==")[0] for each in generator if "==" in each}
    assert pinned == {"datamodel-code-generator", "ruff"}


def test_every_rule_that_is_off_has_its_reason() -> None:
    """A comment stands beside each entry, or the entry follows one that says `the next`."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    section = text.split("[tool.ruff.lint]\n")[1].split("[tool.ruff.lint.isort]")[0]
    entries = re.findall(r'^    "[A-Z]+\d*",.*$', section, re.MULTILINE)
    assert len(entries) > 20
    unexplained = [each.strip() for each in entries if "#" not in each]
    assert set(unexplained) <= {'"TC002",', '"TC003",', '"ARG002",'}


def test_ci_is_a_script_that_bash_understands() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    checked = subprocess.run(["bash", "-n", script], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    text = script.read_text(encoding="utf-8")
    assert "set -euo pipefail" in text
    assert "--frozen" not in text


def test_hooks_run_the_project_s_own_tools() -> None:
    hooks = cast(
        "dict[str, Any]", yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    )
    assert [repo["repo"] for repo in hooks["repos"]] == ["local"]
    entries = [hook["entry"] for repo in hooks["repos"] for hook in repo["hooks"]]
    assert all(entry.startswith("uv run ") for entry in entries)


def test_settings_of_this_project_are_the_defaults() -> None:
    settings = PROJECT["tool"]["cardwright"]
    assert settings["package"] == "cardwright_cards"
    assert {"specs", "output", "package", "tests", "logic"} <= set(settings)
