"""A real MCP client over both transports and both eras of the protocol."""

import json
import math
import sys
import time
from base64 import b64decode
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest
from tests.mcp_server.conftest import TOKEN, environment

if TYPE_CHECKING:  # late in all tests: it takes more than a second
    from mcp import Client
    from mcp.types import CallToolResult

type Connect = Callable[[], AbstractAsyncContextManager[Client]]
WAYS = [("stdio", "legacy"), ("stdio", "auto"), ("http", "legacy"), ("http", "auto")]
SLOW = {"stdio-auto", "http-legacy"}
"""Where the waiting is done: each transport once, each era once."""


@pytest.fixture(params=WAYS, ids="-".join)
def connect(request: pytest.FixtureRequest, lab: Path, journal: Path, address: str) -> Connect:
    transport, mode = request.param

    @asynccontextmanager
    async def opened() -> "AsyncGenerator[Client]":
        from mcp import Client, StdioServerParameters
        from mcp.client.streamable_http import streamable_http_client

        if transport == "stdio":
            server = StdioServerParameters(
                command=sys.executable,
                args=["-m", "cardwright", "mcp", "serve", "LabTool"],
                cwd=lab,
                env=environment(journal),
            )
            async with Client(server, mode=mode) as client:
                yield client
            return
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(address, http_client=http), mode=mode) as client,
        ):
            yield client

    return opened


def text_of(result: "CallToolResult") -> str:
    from mcp.types import TextContent

    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def test_a_client_gets_everything(
    connect: Connect, journal: Path, request: pytest.FixtureRequest
) -> None:
    """One session for all, as a program is started for each over stdio."""
    async with connect() as client:
        await announcements(client)
        await results(client)
        await refusals(client)
        if request.node.callspec.id in SLOW:
            await progress(client, journal)
            await cancellation(client, journal)
            await cancellation_on_a_thread(client, journal)


async def announcements(client: "Client") -> None:
    assert client.server_info is not None
    assert client.server_info.name == "cardwright"
    assert client.instructions == "Measure twice."
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools)[:2] == ["greet", "measure"]
    greet = tools["greet"]
    assert greet.description == "Greet somebody."
    assert greet.input_schema["properties"]["name"] == {
        "type": "string",
        "maxLength": 20,
        "description": "Who is greeted.",
    }
    assert greet.input_schema["additionalProperties"] is False
    hints = {
        name: tool.annotations and tool.annotations.model_dump(exclude_none=True)
        for name, tool in tools.items()
    }
    assert hints["greet"] == {"read_only_hint": True}
    assert hints["measure"] == {
        "read_only_hint": False,
        "destructive_hint": True,
        "idempotent_hint": True,
    }
    assert hints["break_it"] == {
        "read_only_hint": False,
        "destructive_hint": True,
        "idempotent_hint": False,
    }
    assert hints["picture"] is None
    schema = tools["measure"].output_schema
    assert schema is not None
    assert set(schema["properties"]) == {"value", "unit"}
    assert greet.output_schema is None


async def results(client: "Client") -> None:
    from mcp.types import ImageContent

    greeted = await client.call_tool("greet", {"name": "Ada"})
    assert text_of(greeted) == "Hello Ada."
    assert not greeted.is_error
    measured = await client.call_tool("measure")
    assert measured.structured_content == {"value": 1.5, "unit": "mm"}
    assert text_of(measured) == '{"value": 1.5, "unit": "mm"}'
    assert text_of(await client.call_tool("readings")) == '[{"value": 1.0, "unit": "mm"}]'
    (picture,) = (await client.call_tool("picture")).content
    assert isinstance(picture, ImageContent)
    assert (b64decode(picture.data), picture.mime_type) == (b"PNG", "image/png")
    assert text_of(await client.call_tool("shout")) == "shouted"
    assert text_of(await client.call_tool("half")) == "half \ufffd"


async def refusals(client: "Client") -> None:
    from mcp import MCPError

    from cardwright.mcp_server.results import FAILURE, RETRIABLE

    closed = await client.call_tool("enter")
    assert closed.is_error
    assert text_of(closed) == "Come back tomorrow."
    assert closed.meta is not None
    assert (closed.meta[FAILURE], closed.meta[RETRIABLE]) == ("closed", True)
    wrong = await client.call_tool("greet", {"name": "a-secret-that-is-far-too-long", "more": 1})
    assert wrong.is_error
    assert "name" in text_of(wrong)
    assert "secret" not in text_of(wrong)
    broken = await client.call_tool("break_it")
    assert broken.is_error
    assert text_of(broken) == "`break_it` failed: the log of the server says why."
    late = await client.call_tool("wait_briefly")
    assert late.is_error
    assert late.meta is not None
    assert late.meta[RETRIABLE] is False
    assert "the operator of this server must agree" in text_of(await client.call_tool("explode"))
    with pytest.raises(MCPError, match="did you mean 'greet'"):
        await client.call_tool("gret")


async def progress(client: "Client", journal: Path) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    await anyio.Path(journal).write_text("")
    with anyio.move_on_after(1.2):
        await client.call_tool("wait_long", progress_callback=note)
    await written(journal, "begun cancelled ")
    assert len(told) >= 2
    assert told == sorted(told)
    assert told[0][1:] == (60.0, "wait_long runs")


async def cancellation(client: "Client", journal: Path) -> None:
    await anyio.Path(journal).write_text("")
    with anyio.move_on_after(0.5) as scope:
        await client.call_tool("wait_long")
    assert scope.cancelled_caught
    await written(journal, "begun cancelled ")
    assert text_of(await client.call_tool("greet", {"name": "Ada"})) == "Hello Ada."


async def cancellation_on_a_thread(client: "Client", journal: Path) -> None:
    """A body on a thread cannot be stopped; the next call does not wait for it."""
    await anyio.Path(journal).write_text("")
    with anyio.move_on_after(0.5):
        await client.call_tool("wait_blocked")
    await written(journal, "blocked ")
    begun = time.monotonic()
    assert text_of(await client.call_tool("greet", {"name": "Ada"})) == "Hello Ada."
    assert time.monotonic() - begun < 3  # it would be 4 behind the blocked one


async def written(journal: Path, expected: str) -> None:
    with anyio.fail_after(10):
        while await anyio.Path(journal).read_text() != expected:  # noqa: ASYNC110 - another process
            await anyio.sleep(0.02)


def test_what_is_no_number_in_json_is_null_for_every_client() -> None:
    from mcp.types import TextContent

    from cardwright.mcp_server.results import shown

    answer = shown({"value": math.nan, "all": [math.inf, 1.5]})
    (block,) = answer.content
    assert isinstance(block, TextContent)
    assert (
        json.loads(block.text) == answer.structured_content == {"value": None, "all": [None, 1.5]}
    )
