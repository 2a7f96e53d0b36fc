"""The server farm of this folder."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.mcp.mcp_servers import OWN_SERVER, Farm, HttpServer


@pytest.fixture(scope="session")
def farm() -> Iterator[Farm]:
    """One process that starts HTTP servers for all tests."""
    with subprocess.Popen(
        [sys.executable, str(OWN_SERVER), "farm"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Farm(process)


@pytest.fixture
def http_server(farm: Farm, tmp_path: Path) -> Iterator[Callable[..., HttpServer]]:
    """Start a server: `http_server("sse", token="...")`."""
    started: list[HttpServer] = []

    def start(transport: str, **options: object) -> HttpServer:
        server = HttpServer(farm, tmp_path / "journal", transport, options)
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.kill()
