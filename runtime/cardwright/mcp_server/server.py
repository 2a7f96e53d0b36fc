"""The MCP server of one house: what it announces and what it answers."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any, Final

from mcp.server.lowlevel import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams

from .calls import Calls, Context
from .house import House
from .listing import announced

NAME: Final = "cardwright"


def server_of(house: House) -> tuple[Server[Any], Calls]:
    """A server of the house's tools, and the calls in progress, to be left at the end."""
    calls = Calls(house)
    tools = announced(house.tools)

    async def list_tools(context: Context, asked: PaginatedRequestParams | None) -> ListToolsResult:
        del context, asked
        return ListToolsResult(tools=tools)

    async def call_tool(context: Context, asked: CallToolRequestParams) -> CallToolResult:
        return await calls.serve(context, asked)

    made: Server[Any] = Server(
        NAME,
        version=version("cardwright"),
        instructions=house.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    return made, calls


@asynccontextmanager
async def leaving(calls: Calls) -> AsyncGenerator[None]:
    """Cancel the calls in progress at the end of the block."""
    try:
        yield
    finally:
        await calls.leave()
