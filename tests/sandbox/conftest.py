"""Sandboxes that run, one of each kind for a file of tests."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from tests.sandbox.sandbox_support import (
    ISOLATING,
    SECRET,
    Running,
    environment,
    running,
    trees,
    why_not,
)

_NUMBERS = count(10_000 + os.getpid() * 100)


@pytest.fixture(scope="module", params=["bwrap", "bwrap-of-root", "docker", "local"])
def box(request: pytest.FixtureRequest) -> Iterator[Running]:
    mode: str = request.param
    if reason := why_not(mode):
        pytest.skip(reason)
    if mode == "bwrap-of-root" and os.geteuid() != 0:
        pytest.skip("needs root")
    secret = environment(OPENAI_API_KEY=SECRET, CARDWRIGHT_TOKEN=SECRET)
    with secret, trees() as root, running(mode, root) as box:
        (root / "outside.txt").write_text(SECRET)
        yield box


@pytest.fixture
def isolated(box: Running) -> Running:
    if box.mode not in ISOLATING:
        pytest.skip("local does not isolate, and says so")
    return box


@pytest.fixture
def sampled(box: Running) -> Running:
    """Of backends that share a mechanism one is enough in the suite: this takes seconds."""
    if box.mode in {"docker", "bwrap-of-root"} and "CARDWRIGHT_ALL_ESCAPES" not in os.environ:
        pytest.skip("CARDWRIGHT_ALL_ESCAPES=1 tries it here, too")
    return box


@pytest.fixture
def nap() -> str:
    """Seconds of a sleep that no other process of the machine has, to look for."""
    return f"{next(_NUMBERS)}.25"


@pytest.fixture
def outside(isolated: Running) -> Path:
    """A file of the host beside the tree."""
    return isolated.tree.parent / "outside.txt"
