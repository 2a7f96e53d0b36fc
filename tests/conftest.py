"""What every test may ask for: the checkout, its sources and a child interpreter."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
# Tests start many interpreters; each would compile every library anew.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# No test depends on the colours or the width of the terminal it was started from.
os.environ.pop("FORCE_COLOR", None)
os.environ.update(NO_COLOR="1", COLUMNS="120")
# What mypy knows of the libraries is learned once for all projects that tests make.
os.environ["MYPY_CACHE_DIR"] = str(ROOT / ".mypy_cache" / "projects")
# How long an example takes depends on what else the machine does. CARDWRIGHT_EXAMPLES=300 is
# for a change of what they try.
EXAMPLES = int(os.environ.get("CARDWRIGHT_EXAMPLES", "40"))
settings.register_profile("house", deadline=None, max_examples=EXAMPLES)
settings.load_profile("house")

# A project that tests make has no plugins of pytest; loading ours takes longer than its tests.
WITHOUT_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

type Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def root() -> Path:
    """Where pyproject.toml lies."""
    return ROOT


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests that end processes and wait leave a core idle."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(autouse=True, scope="module")
def _nothing_is_walked_twice() -> None:
    """What earlier modules left is looked at neither by collections of garbage nor by forks."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def python() -> Run:
    """Run this interpreter in a child: `python("-c", "...", cwd=folder)`."""

    def run(
        *arguments: str | Path,
        cwd: Path = ROOT,
        env: dict[str, str] | None = None,
        timeout: int = 100,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=cwd,
            env={**os.environ, **WITHOUT_PLUGINS, **(env or {})},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def cardwright(python: Run) -> Run:
    """Run the command line in a child: `cardwright("list", cwd=folder)`."""

    def run(
        *arguments: str | Path,
        cwd: Path = ROOT,
        env: dict[str, str] | None = None,
        timeout: int = 100,
    ) -> subprocess.CompletedProcess[str]:
        return python("-m", "cardwright", *arguments, cwd=cwd, env=env, timeout=timeout)

    return run
