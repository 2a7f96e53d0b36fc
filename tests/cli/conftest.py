"""A project made by `init`, for tests of the commands that work on one."""

import shutil
from pathlib import Path

import pytest

from cardwright.cli.app import run


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project made by `init`, generated once."""
    folder = tmp_path_factory.mktemp("cli") / "acme"
    assert run(["init", str(folder)]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["generate"]) == 0
    return folder


@pytest.fixture
def project(generated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the generated project, and the current folder."""
    folder = tmp_path / "acme"
    shutil.copytree(generated, folder)
    monkeypatch.chdir(folder)
    return folder
