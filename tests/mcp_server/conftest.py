"""One generated project, one HTTP server for all tests, and a program for each stdio client."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.mcp_server.lab import FILES

from cardwright_generator.build import build
from cardwright_generator.project import find_project
from cardwright_generator.writer import reconcile

TOKEN = "sesame-open-7"
type Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the laboratory, generated once."""
    folder = tmp_path_factory.mktemp("lab")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    project = find_project(folder)
    made = build(project)
    assert not made.failed, made.diagnostics
    reconcile(project, made)
    return folder


@pytest.fixture(scope="session")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What slow tools of the HTTP server write to."""
    return tmp_path_factory.mktemp("journal") / "journal"


def environment(journal: Path) -> dict[str, str]:
    return {**os.environ, "LAB_JOURNAL": str(journal), "LAB_TOKEN": TOKEN}


@pytest.fixture(scope="session")
def start(lab: Path, journal: Path) -> Iterator[Start]:
    """Start a server: `start("LabTool", "--port", "0")`; whatever still runs is killed."""
    running: list[subprocess.Popen[str]] = []

    def run(*arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "cardwright", "mcp", "serve", *arguments],
            cwd=lab,
            env=environment(journal),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()


def listening_at(process: subprocess.Popen[str]) -> str:
    """The address that a server says it listens on."""
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("serving MCP at "):
            return line.removeprefix("serving MCP at ").partition(";")[0]
    raise AssertionError("the server left without a word")


@pytest.fixture(scope="session")
def address(start: Start) -> str:
    """A server of the laboratory that wants a token."""
    options = ("--transport", "streamable-http", "--port", "0", "--token-env", "LAB_TOKEN")
    return listening_at(start("LabTool", *options))


def end(process: subprocess.Popen[str], number: int) -> int:
    """Ask a server to stop, and wait for it."""
    process.send_signal(number)
    return process.wait(20)
