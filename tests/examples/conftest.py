"""Code of the README, run as the script that it is."""

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

type Printed = Callable[[str], str]


@pytest.fixture
def printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Printed:
    """Run code of the page as a script, here, where the libraries are loaded already."""

    def run_script(code: str) -> str:
        script = tmp_path / "page.py"
        script.write_text(code, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        runpy.run_path(str(script), run_name="__main__")
        return capsys.readouterr().out

    return run_script
