"""The command line as a whole: version, help, wrong use, plain text."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from cardwright.cli import generator
from cardwright.cli.app import run

type Run = Callable[..., subprocess.CompletedProcess[str]]
COMMANDS = ["generate", "check", "new", "init", "list", "show", "explain", "schema", "demo"]


def test_version(cardwright: Run) -> None:
    done = cardwright("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, "cardwright 0.1.0\n", "")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    shown = capsys.readouterr()
    assert [name for name in COMMANDS if f" {name} " not in shown.out] == []
    assert shown.err == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    assert f"cardwright {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["generat"], "generat"),
        (["show"], "Missing argument"),
        (["list", "--jsn"], "--jsn"),
        (["show", "PlaningTool"], "did you mean PlanningTool?"),
        (["new", "weather tool"], "give a class name such as WeatherTool"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("error: ")
    assert shown.err.count("\n") == 1
    assert said in shown.err


def test_output_is_plain_when_piped(cardwright: Run) -> None:
    for arguments in (["--help"], ["list"], ["show", "PlanningTool"], ["nonsense"]):
        done = cardwright(*arguments, env={"NO_COLOR": "", "TERM": "xterm-256color"})
        assert "\x1b" not in done.stdout + done.stderr


def test_outside_any_project_the_generator_says_how_to_start(
    cardwright: Run, tmp_path: Path
) -> None:
    done = cardwright("generate", cwd=tmp_path)
    assert done.returncode == 2
    assert "cardwright init" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", sorted(generator.COMMANDS))
def test_without_its_extra_a_command_says_what_to_install(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "NEEDED", ("a_module_that_is_not_installed",))
    app = typer.Typer()
    generator.mount_generator(app)
    with pytest.raises(typer.TyperException, match=r"pip install 'cardwright\[generator\]'"):
        app([command, "--force", "anything"], standalone_mode=False)
