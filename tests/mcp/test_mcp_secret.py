"""MCPTool: the token appears on the wire and nowhere else."""

import copy
import json
import logging
import pickle
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError
from pydantic_ai import ModelRetry
from rich.pretty import pretty_repr
from tests.mcp.mcp_servers import HttpServer, call, own_stdio, toolset_of

from cardwright.core import Secret
from cardwright.mcp import (
    MCPConnectionError,
    MCPHTTPConnectionConfig,
    MCPStdioConnectionConfig,
    MCPTool,
    list_mcp_tools,
)
from cardwright.mcp.connection import Connection

TOKEN = "tok-S3cr3t-0123456789"

type Start = Callable[..., HttpServer]


def connections() -> list[Connection]:
    secret = Secret(TOKEN)
    return [
        MCPHTTPConnectionConfig(url="http://127.0.0.1:9/mcp", bearer_token=secret),
        MCPStdioConnectionConfig(
            stdio_command="server", bearer_token=secret, stdio_token_env_var="T"
        ),
    ]


@pytest.mark.parametrize("connection", connections())
def test_trap_29_no_dump_shows_it(connection: Connection) -> None:
    card = MCPTool(connection=connection)
    for model in (connection, card, copy.deepcopy(card), card.model_copy()):
        texts = [
            repr(model),
            str(model),
            f"{model}",
            repr(model.model_dump()),
            repr(model.model_dump(mode="json")),
            repr(model.model_dump(exclude_unset=True, round_trip=True)),
            repr(model.model_dump(exclude_defaults=True, exclude_none=True)),
            model.model_dump_json(indent=2),
            json.dumps(type(model).model_json_schema()),
            pretty_repr(model),
            repr(dict(model)),
        ]
        assert [text for text in texts if TOKEN in text] == []
    assert TOKEN.encode() not in pickle.dumps(connection)


@pytest.mark.parametrize("connection", connections())
def test_trap_29_no_toolset_shows_it(connection: Connection) -> None:
    prefixed = connection.model_copy(update={"tool_prefix": "p"})
    for found in (connection, prefixed):
        toolset = toolset_of(found)
        assert TOKEN not in f"{toolset!r} {toolset} {toolset.label} {toolset.id}"


def test_no_validation_error_echoes_it() -> None:
    for field in ({"timeout": 0}, {"url": 7}, {"no_such_field": 1}):
        with pytest.raises(ValidationError) as refused:
            MCPTool.model_validate(
                {"connection": {"url": "http://a", "bearer_token": TOKEN, **field}}
            )
        assert TOKEN not in f"{refused.value} {refused.value!r}"


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
async def test_it_reaches_the_server_and_no_log(
    transport: str, http_server: Start, caplog: pytest.LogCaptureFixture
) -> None:
    server = http_server(transport, token=TOKEN)
    connection = server.connection(bearer_token=TOKEN)
    with caplog.at_level(logging.DEBUG):
        async with toolset_of(connection) as toolset:
            assert await call(toolset, "add", left=1, right=2) == 3
            server.kill()
            server.start()
            assert await call(toolset, "add", left=1, right=2) == 3
    assert len(caplog.records) > 0
    assert TOKEN not in caplog.text
    assert all(TOKEN not in repr(record.__dict__) for record in caplog.records)


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
async def test_a_refused_token_is_in_no_error_traceback_or_log(
    transport: str, http_server: Start, caplog: pytest.LogCaptureFixture
) -> None:
    server = http_server(transport, token="another")
    with caplog.at_level(logging.DEBUG), pytest.raises(MCPConnectionError) as refused:
        await list_mcp_tools(server.connection(bearer_token=TOKEN))
    assert "the token" in str(refused.value)
    shown = "".join(traceback.format_exception(refused.value))
    assert TOKEN not in shown + caplog.text + repr(refused.value)


async def test_an_unreachable_server_keeps_it_out_of_the_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for connection in connections():
        with caplog.at_level(logging.DEBUG), pytest.raises(MCPConnectionError) as refused:
            await list_mcp_tools(connection)
        assert TOKEN not in "".join(traceback.format_exception(refused.value)) + caplog.text


async def test_a_program_receives_it_and_a_tool_that_repeats_it_is_masked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    connection = own_stdio(
        tmp_path / "journal", bearer_token=TOKEN, stdio_token_env_var="OWN_TOKEN"
    )
    with caplog.at_level(logging.DEBUG):
        async with toolset_of(connection) as toolset:
            assert await call(toolset, "environment", name="OWN_TOKEN") == TOKEN
            caplog.clear()
            with pytest.raises(ModelRetry) as refused:
                await call(toolset, "leak", text=f"bad {TOKEN}")
    assert TOKEN not in refused.value.message


async def test_credentials_in_an_address_are_in_no_message() -> None:
    connection = MCPHTTPConnectionConfig(url="http://user:hunter2@127.0.0.1:9/mcp?key=hunter2")
    toolset = toolset_of(connection)
    with pytest.raises(MCPConnectionError) as refused:
        async with toolset:
            pass
    assert "http://127.0.0.1:9/mcp" in str(refused.value)
    assert "hunter2" not in f"{refused.value} {toolset!r}"
