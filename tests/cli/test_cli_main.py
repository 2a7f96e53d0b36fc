"""The command line as a whole: version, help, wrong use, plain text."""

import contextlib
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from cardwright.cli import generator
from cardwright.cli.app import run

type Run = Callable[..., subprocess.CompletedProcess[str]]
COMMANDS = ["generate", "check", "new", "init", "list", "show", "explain", "schema", "demo"]


@pytest.mark.parametrize(
    ("command", "usage"),
    [("generate", "[SPEC]..."), ("new", "CARD"), ("show", "CARD"), ("init", "[DIR]")],
)
def test_help_is_plain_text_with_names_in_capitals(
    command: str, usage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"Usage: cardwright {command} [OPTIONS] {usage}\n" in re.sub("[{}]", "", shown)
    assert "<bool>" not in shown
    assert shown.isascii()


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
    for arguments in (["--help"], ["show", "PlanningTool"], ["nonsense"]):
        done = cardwright(*arguments, env={"NO_COLOR": "", "TERM": "xterm-256color"})
        assert "\x1b" not in done.stdout + done.stderr


def on_a_terminal(arguments: list[str], env: dict[str, str]) -> str:
    """What the command writes to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "cardwright", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env,
    ) as child:
        os.close(theirs)
        written = b""
        with contextlib.suppress(OSError):  # Linux tells the end by an error
            while chunk := os.read(ours, 65536):
                written += chunk
        assert child.wait(timeout=60) == 0
    os.close(ours)
    return written.decode()


def test_a_terminal_gets_colours_unless_the_user_minds() -> None:
    env = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "FORCE_COLOR"}}
    env["TERM"] = "xterm-256color"
    assert "\x1b[" in on_a_terminal(["show", "SkillTool"], env)
    assert "\x1b" not in on_a_terminal(["show", "SkillTool"], {**env, "NO_COLOR": "1"})


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
