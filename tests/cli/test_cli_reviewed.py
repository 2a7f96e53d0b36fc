"""What a line-by-line reading found of the commands: names, encodings, narrow terminals, pipes."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
import tomllib
from pathlib import Path

import pytest

from cardwright.cli.app import run

type Cli = list[str]
PROGRAM: Cli = [sys.executable, "-c", "from cardwright.cli import main; main()"]


def on_terminal(columns: int, *arguments: str) -> str:
    """What a command prints on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    environment |= {"TERM": "xterm", "NO_COLOR": "1"}
    with subprocess.Popen([*PROGRAM, *arguments], stdout=theirs, env=environment):
        os.close(theirs)
        told = b""
        while chunk := _read(ours):
            told += chunk
    os.close(ours)
    return told.decode()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # how a terminal says that nobody writes any more
        return b""


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("columns", [20, 40])
def test_a_narrow_terminal_breaks_no_name(columns: int) -> None:
    told = on_terminal(columns, "list")
    for name in ("KnowledgeGraphTool", "VectorStoreTool", "cardwright_cards"):
        assert name in told


def test_a_summary_is_no_markup(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = project / "specs/hello.yaml"
    lines = spec.read_text("utf-8").split("\n")
    lines[2] = 'summary: "Closes [/x], [red]paints[/red], counts[0]."'
    spec.write_text("\n".join(lines), "utf-8")
    assert run(["generate"]) == 0
    told = subprocess.run([*PROGRAM, "list"], capture_output=True, text=True, check=True).stdout
    assert "Closes [/x], [red]paints[/red], counts[0]." in told
    capsys.readouterr()


@pytest.mark.usefixtures("project")
def test_a_pipe_that_nobody_reads_is_no_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, "generate"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(("command", "code"), [("generate", 0), ("list", 0), ("nothing", 2)])
def test_streams_that_are_closed_take_nothing(command: str, code: int) -> None:
    line = ["sh", "-c", '"$@" >&- 2>&-', "sh", *PROGRAM, command]
    assert subprocess.run(line, check=False).returncode == code


@pytest.mark.parametrize(
    ("before", "code"),
    [
        (b"\xef\xbb\xbf", 0),
        (b"# -*- coding: latin-1 -*-\n# \xe4\n", 0),
        (b"# \xe4\n", 1),
    ],
)
def test_check_reads_a_module_as_python_does(
    before: bytes, code: int, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logic = project / "src/acme/hello/logic.py"
    logic.write_bytes(before + logic.read_bytes())
    assert run(["check"]) == code
    assert ("CW911 the module cannot be read" in capsys.readouterr().out) is bool(code)


def test_settings_that_are_no_utf_8_are_one_line(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = project / "pyproject.toml"
    settings.write_bytes(settings.read_bytes() + b"# \xe4\n")
    assert run(["check"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_hidden_files_are_no_specs(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "specs/.#hello.yaml").symlink_to("ada@host.1:2")
    (project / "specs/._hello.yaml").write_bytes(b"\0\5\x16\7")
    (project / "specs/.cache").mkdir()
    (project / "specs/.cache/old.yaml").write_text("card: OldTool\n", "utf-8")
    assert run(["generate"]) == 0
    assert run(["check"]) == 0
    assert "unchanged" in capsys.readouterr().out


@pytest.mark.parametrize("folder", ["a\nimport os", "--> <b>", 'q"uote', "tab\t"])
def test_a_path_that_could_be_code_is_refused(
    folder: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "specs" / folder).mkdir()
    (project / "specs/hello.yaml").rename(project / "specs" / folder / "hello.yaml")
    assert run(["generate"]) == 2
    assert "rename it" in capsys.readouterr().err


def test_a_link_out_of_the_project_is_refused(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.yaml").write_text("token: x\n", "utf-8")
    link = project / "specs/secret.yaml"
    link.symlink_to(tmp_path / "secret.yaml")
    for command in (["generate"], ["check"], ["breaking", "--against", "."], ["docs", "--check"]):
        assert run(command) == 2
    assert "specs/secret.yaml is a link out of the project" in capsys.readouterr().err
    link.unlink()
    link.symlink_to("hello.yaml")
    assert run(["check"]) == 1  # the same card twice, and no refusal


@pytest.mark.parametrize("name", ["Weather", "Tool", "CatalogueTool", "AuxTool", "HelloTool"])
def test_new_writes_no_spec_that_generate_refuses(
    name: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(project.rglob("*"))
    assert run(["new", name]) == 2
    assert sorted(project.rglob("*")) == before
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.parametrize("package", ["..", "a b", "/tmp/x", "a..b"])
def test_new_takes_no_path_for_a_package(package: str, project: Path) -> None:
    before = sorted(project.rglob("*"))
    assert run(["new", "FogTool", "--package", package]) == 2
    assert sorted(project.rglob("*")) == before


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("name", ["ClassTool", "SpecsTool"])
def test_new_writes_a_card_of_any_legal_name(name: str) -> None:
    assert run(["new", name]) == 0
    assert run(["generate"]) == 0
    assert run(["check"]) == 0


@pytest.mark.parametrize("title", ['q"uo\\te', "new\nline", 'three """ quotes', "\U0001f600"])
def test_init_quotes_the_name_of_a_project(title: str, tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "made"), "--name", title]) == 0
    text = (tmp_path / "made/pyproject.toml").read_text("utf-8")
    assert tomllib.loads(text)["project"]["description"].startswith("Tool cards of ")
    (room,) = (tmp_path / "made/src").glob("*/__init__.py")
    compile(room.read_text("utf-8"), room.name, "exec")


def test_init_writes_all_or_nothing(tmp_path: Path) -> None:
    assert run(["init", str(tmp_path / "made"), "--card", "Weather"]) == 2
    assert not (tmp_path / "made").exists()


@pytest.mark.usefixtures("project")
def test_a_watch_is_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "--watch", "--json"]) == 2
    assert "leave out --json" in capsys.readouterr().err
