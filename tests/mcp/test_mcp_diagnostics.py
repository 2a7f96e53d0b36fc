"""Diagnostics, real servers from PyPI, and what a missing extra says."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel
from tests.mcp.mcp_servers import SCRIPTS, HttpServer, call, free_port, kill, stdio, toolset_of

from cardwright.mcp import (
    MCPConnectionError,
    MCPHTTPConnectionConfig,
    list_mcp_tools,
    probe_mcp_connection,
)

type Start = Callable[..., HttpServer]
type Run = Callable[..., "subprocess.CompletedProcess[str]"]


async def test_m9_names_come_without_the_prefix(
    http_server: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    server = http_server("streamable-http")
    names = await list_mcp_tools(server.connection())
    assert {"add", "change"} <= set(names)
    assert await list_mcp_tools(server.connection(tool_prefix="p")) == names
    assert capsys.readouterr().out == ""


async def test_m10_a_probe_counts_all_and_names_some(http_server: Start) -> None:
    connection = http_server("sse").connection()
    full = await probe_mcp_connection(connection)
    assert full["feasible"] is True
    assert full["tool_count"] == len(full["tools"])
    one = await probe_mcp_connection(connection, max_tools_to_print=1)
    assert one == {**full, "tools": full["tools"][:1]}


async def test_m10_a_server_without_tools_is_not_feasible(http_server: Start) -> None:
    server = http_server("streamable-http", empty=True)
    assert await probe_mcp_connection(server.connection()) == {
        "tool_count": 0,
        "tools": [],
        "feasible": False,
    }


async def test_connection_errors_propagate() -> None:
    connection = MCPHTTPConnectionConfig(url=f"http://127.0.0.1:{free_port()}/mcp")
    with pytest.raises(MCPConnectionError):
        await probe_mcp_connection(connection)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one file that is not committed."""
    found = tmp_path / "repository"
    found.mkdir()
    git(found, "init", "-q")
    git(found, "config", "user.name", "Nobody")
    git(found, "config", "user.email", "nobody@example.org")
    (found / "a.txt").write_text("a\n")
    return found


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "-C", str(repository), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


async def test_mcp_server_git_survives_a_kill(repository: Path, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    connection = stdio([str(SCRIPTS / "mcp-server-git"), "--repository", str(repository)], pid_file)
    toolset = toolset_of(connection)
    async with toolset:
        await call(toolset, "git_add", repo_path=str(repository), files=["a.txt"])
        kill(int(pid_file.read_text()))
        await call(toolset, "git_commit", repo_path=str(repository), message="first")
    assert git(repository, "log", "--format=%s") == "first\n"


async def test_an_agent_uses_the_toolset(http_server: Start) -> None:
    server = http_server("streamable-http")
    toolset = toolset_of(server.connection(tool_prefix="own"))
    agent = Agent(TestModel(call_tools=["own_add", "own_change"]), toolsets=[toolset])
    result = await agent.run("go")
    assert '"own_add":0' in result.output
    assert '"own_change":1' in result.output


def test_importing_loads_no_mcp_library(python: Run) -> None:
    code = "import sys, cardwright.mcp; print({'mcp','fastmcp','pydantic_ai'} & set(sys.modules))"
    assert python("-c", code).stdout == "set()\n"


@pytest.mark.parametrize("absent", ["pydantic_ai", "fastmcp"])
def test_a_missing_extra_names_the_install_command(absent: str, python: Run) -> None:
    code = f"""
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name == {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
from cardwright.mcp import MCPTool
card = MCPTool(connection={{"url": "http://127.0.0.1:9/mcp"}})
try:
    card.get_toolsets()
except ImportError as error:
    print(error)
"""
    assert "pip install 'cardwright[mcp]'" in python("-c", code).stdout
