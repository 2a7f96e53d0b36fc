"""The wheel: three packages and their data; it installs and runs without the extras."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"cardwright", "cardwright_cards", "cardwright_generator"}


def uv(*arguments: str | Path) -> None:
    """Run uv, as `uv run` names it or as the path finds it, in the checkout."""
    program = os.environ.get("UV") or shutil.which("uv")
    if program is None:
        pytest.fail("uv builds the wheel: python3 -m pip install uv")
    done = subprocess.run(
        [program, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    uv("build", "--quiet", "--wheel", "--python", sys.executable, "--out-dir", folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="session")
def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that holds the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("installed")
    uv("venv", "--quiet", "--python", sys.executable, folder / "venv")
    python = folder / "venv" / "bin" / "python"
    uv("pip", "install", "--quiet", "--python", python, wheel)
    return python


def clean(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would let the checkout leak in."""
    return {k: v for k, v in environment.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}


def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program of the fresh environment, outside the checkout."""
    return subprocess.run(
        list(map(str, arguments)),
        cwd=cwd or Path(arguments[0]).parents[2],
        env=clean(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )


def test_top_level_of_the_wheel(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert tops == {*PACKAGES, "cardwright-0.1.0.dist-info"}


def test_every_source_file_is_in_the_wheel(names: set[str]) -> None:
    sources = [("runtime", "cardwright"), ("generator", "cardwright_generator")]
    sources.append(("generated", "cardwright_cards"))
    expected = {
        path.relative_to(ROOT / root).as_posix()
        for root, package in sources
        for path in (ROOT / root / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected <= names
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    assert any(name.endswith(".jinja") for name in names)


def test_the_specs_travel_with_the_cards(names: set[str]) -> None:
    specs = {path.name for path in (ROOT / "specs").glob("*.yaml")}
    assert specs <= {Path(name).name for name in names if name.startswith("cardwright_cards/")}


def test_no_test_and_no_cache_in_the_wheel(names: set[str]) -> None:
    assert [n for n in names if "__pycache__" in n or n.startswith("tests/")] == []


def test_it_imports_in_a_fresh_environment(installed: Path) -> None:
    done = run(installed, "-c", "import cardwright, cardwright_cards; print(cardwright.__file__)")
    assert done.returncode == 0, done.stderr
    assert "site-packages" in done.stdout


def test_every_card_is_importable_without_an_extra(installed: Path) -> None:
    code = """
import importlib
from cardwright_cards.catalogue import CARDS
for path in CARDS.values():
    module, _, name = path.partition(":")
    getattr(importlib.import_module(module), name)
print(len(CARDS))
"""
    done = run(installed, "-c", code)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 5


def test_the_command_line_works_without_the_extras(installed: Path) -> None:
    program = installed.parent / "cardwright"
    version = run(program, "--version")
    assert (version.returncode, version.stdout) == (0, "cardwright 0.1.0\n")
    listed = run(program, "list")
    assert listed.returncode == 0, listed.stderr
    assert "PlanningTool" in listed.stdout
    demo = run(program, "demo")
    assert (demo.returncode, demo.stderr.count("\n")) == (2, 1)
    assert "cardwright[pydantic-ai]" in demo.stderr


@pytest.mark.parametrize("command", ["generate", "check"])
def test_a_command_of_the_generator_says_what_to_install(
    command: str, installed: Path, tmp_path: Path
) -> None:
    """Also in a project where nothing is to be done, which is answered in another way."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for folder in ("specs", "generated"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    refused = run(installed.parent / "cardwright", command, cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "pip install 'cardwright[generator]'" in refused.stderr
