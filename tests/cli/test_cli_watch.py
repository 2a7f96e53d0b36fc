"""`generate --watch` in a child process, ended as a user ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from cardwright.cli.app import run

SPEC = Path("specs/hello.yaml")


class Watch:
    """A running `generate --watch` and what it has said."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cardwright", "generate", "--watch"],
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = ""
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line

    def says(self, text: str, times: int = 1) -> bool:
        return _within(lambda: self.said.count(text) >= times)

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(60)
        self._reader.join(5)
        return code


def _within(holds: Callable[[], bool], seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()


@contextmanager
def watching(folder: Path) -> Generator[Watch]:
    watch = Watch(folder)
    try:
        yield watch
    finally:
        watch.process.kill()
        watch.process.wait(10)


def test_a_saved_spec_is_generated_and_a_wrong_one_is_said(project: Path) -> None:
    text = SPEC.read_text(encoding="utf-8")
    card = project / "generated/acme_cards/hello/card.py"
    with watching(project) as watch:
        assert watch.says("unchanged")
        time.sleep(0.5)  # the watch is set after this line
        SPEC.write_text(text.replace("summary: ", "summary: Changed; "), encoding="utf-8")
        assert _within(lambda: "Changed; " in card.read_text(encoding="utf-8")), watch.said
        assert watch.says("changed specs/hello.yaml")
        SPEC.write_text(text.replace("summary:", "sumary:"), encoding="utf-8")
        assert watch.says("did you mean 'summary'"), watch.said
        assert watch.says("changed specs/hello.yaml", times=2)
        SPEC.write_text(text, encoding="utf-8")
        assert _within(lambda: "Changed; " not in card.read_text(encoding="utf-8")), watch.said
        assert watch.interrupt() == 0
    assert "Traceback" not in watch.said


def test_there_must_be_something_to_watch(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    SPEC.unlink()
    (project / "specs").rmdir()
    capsys.readouterr()
    assert run(["generate", "--watch"]) == 2
    assert "no folder specs/ to watch" in capsys.readouterr().err
