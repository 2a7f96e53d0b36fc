"""A server that is killed and started again under the toolset works on the next call."""

import asyncio
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic_ai import ModelRetry
from tests.mcp.mcp_servers import (
    SCRIPTS,
    HttpServer,
    call,
    context,
    kill,
    own_stdio,
    stdio,
    toolset_of,
)

from cardwright.mcp import MCPConnectionError, MCPHTTPConnectionConfig

type Start = Callable[..., HttpServer]

HTTP = [
    pytest.param("streamable-http", {}, id="sessionless"),
    pytest.param("streamable-http", {"legacy": True}, id="session"),
    pytest.param("sse", {}, id="sse"),
]


@pytest.mark.parametrize(("transport", "options"), HTTP)
async def test_http_restarted_while_idle(
    transport: str, options: dict[str, object], http_server: Start
) -> None:
    server = http_server(transport, **options)
    async with toolset_of(server.connection()) as toolset:
        assert await call(toolset, "change", word="a") == 1
        for runs in (2, 3):
            server.kill()
            server.start()
            assert await call(toolset, "change", word="a") == runs


@pytest.mark.parametrize(("transport", "options"), HTTP)
async def test_http_away_for_a_while(
    transport: str, options: dict[str, object], http_server: Start
) -> None:
    server = http_server(transport, **options)
    async with toolset_of(server.connection()) as toolset:
        assert await call(toolset, "add", left=1, right=2) == 3
        server.kill()
        for _ in range(2):
            with pytest.raises(ModelRetry) as refused:
                await call(toolset, "change", word="a")
            assert server.url in refused.value.message
            assert "cannot be reached" in refused.value.message
        server.start()
        assert await call(toolset, "change", word="a") == 1


@pytest.mark.parametrize(("transport", "options"), HTTP)
async def test_http_lost_while_a_call_runs(
    transport: str, options: dict[str, object], http_server: Start
) -> None:
    server = http_server(transport, **options)
    async with toolset_of(server.connection()) as toolset:
        with pytest.raises(ModelRetry, match="may or may not have taken effect"):
            await call(toolset, "change_and_die")
        assert server.journal.read_text().split() == ["die"]
        server.start()
        assert await call(toolset, "change", word="a") == 1


@pytest.mark.parametrize(("transport", "options"), HTTP)
async def test_the_error_of_one_call_repeats_no_other(
    transport: str, options: dict[str, object], http_server: Start
) -> None:
    server = http_server(transport, **options)
    async with toolset_of(server.connection()) as toolset:
        slow = asyncio.create_task(call(toolset, "change_slowly"))
        while not server.journal.exists():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        server.kill()
        server.start()
        await asyncio.gather(call(toolset, "add", left=1, right=2), return_exceptions=True)
        with pytest.raises(ModelRetry, match="change_slowly was running"):
            await slow
        assert await call(toolset, "add", left=1, right=2) == 3
    assert server.journal.read_text().split() == ["slow"]


async def test_a_call_cut_off_is_repeated_only_for_tools_without_side_effect(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "journal"
    async with toolset_of(own_stdio(journal)) as toolset:
        assert await call(toolset, "read_and_die_once") == 2
        with pytest.raises(ModelRetry, match="change_and_die was running"):
            await call(toolset, "change_and_die")
        assert await call(toolset, "change", word="a") == 1
    assert journal.read_text().split() == ["read", "read", "die", "a"]


@pytest.mark.parametrize("text", ["your session has expired", "database connection closed"])
@pytest.mark.parametrize("code", [-32603, -32602, 401])
async def test_an_error_of_a_tool_is_no_loss_whatever_it_says(
    text: str, code: int, http_server: Start
) -> None:
    server = http_server("streamable-http")
    async with toolset_of(server.connection()) as toolset:
        with pytest.raises(ModelRetry, match=text):
            await call(toolset, "change_and_refuse", text=text, code=code)
    assert server.journal.read_text().split() == ["refused"]


async def test_mcp_server_time_is_respawned(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    connection = stdio([str(SCRIPTS / "mcp-server-time")], pid_file, tool_prefix="clock")
    async with toolset_of(connection) as toolset:
        tools = await toolset.get_tools(context())
        assert set(tools) == {"clock_get_current_time", "clock_convert_time"}
        first = int(pid_file.read_text())
        kill(first)
        found = await call(
            toolset,
            "clock_convert_time",
            source_timezone="UTC",
            time="12:00",
            target_timezone="Asia/Tokyo",
        )
        assert "21:00" in str(found)
        second = int(pid_file.read_text())
        assert second != first
    with pytest.raises(ProcessLookupError):
        os.kill(second, 0)


async def test_an_unreachable_server_is_named_with_the_reason(http_server: Start) -> None:
    server = http_server("streamable-http")
    server.kill()
    toolset = toolset_of(server.connection())
    with pytest.raises(MCPConnectionError, match=server.url):
        async with toolset:
            pass
    server.start()
    async with toolset:
        assert await call(toolset, "add", left=1, right=2) == 3


async def test_the_toolset_connects_by_itself_when_nobody_entered_it(http_server: Start) -> None:
    server = http_server("streamable-http")
    toolset = toolset_of(server.connection())
    assert await call(toolset, "add", left=1, right=2) == 3


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
async def test_a_server_that_never_answers_is_given_up_after_the_timeout(transport: str) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        connection = MCPHTTPConnectionConfig(
            url=f"http://127.0.0.1:{silent.getsockname()[1]}/mcp",
            transport="sse" if transport == "sse" else "streamable-http",
            timeout=0.2,
        )
        with pytest.raises(MCPConnectionError):
            async with toolset_of(connection):
                pass
