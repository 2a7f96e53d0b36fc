"""Stores on both databases."""

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from tests.store.store_server import NO_SERVER, Server, can_be_had, roomy_memory, running_server

from cardwright.store import EventStore, open_store


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The server of this test process."""
    if not can_be_had():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_SERVER)
    with running_server(roomy_memory()) as running:
        yield running


@pytest.fixture(scope="session")
def database(server: Server) -> str:
    """One database for all tests of this process: they use names of their own in it."""
    return server.create_database()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'team.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """A store on each kind of database: what asks for it runs on both."""
    wanted = "sqlite_url" if request.param == "sqlite" else "database"
    found: str = request.getfixturevalue(wanted)
    return found


@pytest.fixture
def open_again(url: str) -> Iterator[Callable[[], EventStore]]:
    """Open the same store once more; all are closed at the end."""
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(open_store(url, timeout=30))


@pytest.fixture
def store(open_again: Callable[[], EventStore]) -> EventStore:
    return open_again()


@pytest.fixture
def stream() -> str:
    """A name that nobody has used."""
    return f"team-{uuid4()}"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk; the file size limit is tested instead")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
