"""Hooks of pre-commit: those of a new project and those for others, run as pre-commit runs them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
import yaml
from tests.cli.cli_told import edit

from cardwright.cli.app import run

type Hook = dict[str, Any]


def hooks_of_project(project: Path) -> dict[str, Hook]:
    content = yaml.safe_load((project / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    return {hook["id"]: hook for repo in content["repos"] for hook in repo["hooks"]}


def hooks_for_others(root: Path) -> dict[str, Hook]:
    content = yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return {hook["id"]: hook for hook in cast("list[Hook]", content)}


def arguments(hook: Hook) -> list[str]:
    words = shlex.split(hook["entry"])
    return words[words.index("cardwright") + 1 :]


def run_on(hook: Hook, staged: list[str]) -> int | None:
    """The exit code of a hook, or `None` if no staged file is one it looks at."""
    looks = any(re.search(hook["files"], path) for path in staged)
    return run(arguments(hook)) if looks else None


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=test", "-c", "user.email=test@example.invalid")
    command = ("git", *who, "-C", str(folder), *words)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("whose", ["own", "others"])
def test_hooks_pass_before_the_first_commit_and_stop_a_breaking_change(
    project: Path, root: Path, whose: str
) -> None:
    hooks = hooks_of_project(project) if whose == "own" else hooks_for_others(root)
    assert hooks.keys() == {"cardwright-generate", "cardwright-check", "cardwright-breaking"}
    git(project, "init", "--quiet")
    git(project, "add", "--all")
    staged = git(project, "diff", "--cached", "--name-only").splitlines()
    assert [run_on(hook, staged) for hook in hooks.values()] == [0, 0, 0]
    git(project, "commit", "--quiet", "--message", "first")
    edit(project / "specs/hello.yaml", "ask_hello", "greet_hello")
    staged = ["specs/hello.yaml"]
    assert run_on(hooks["cardwright-breaking"], staged) == 1
    assert run_on(hooks["cardwright-check"], staged) == 1
    assert run_on(hooks["cardwright-breaking"], ["README.rst"]) is None


def test_hooks_name_commands_that_exist(root: Path) -> None:
    for hook in hooks_for_others(root).values():
        command = (sys.executable, "-m", "cardwright", *arguments(hook)[:1], "--help")
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0
        assert hook["language"] == "python"
        assert hook["pass_filenames"] is False
