"""Looking at a server without an agent."""

from typing import TypedDict

from .connection import Connection
from .extra import mcp_extra


class MCPProbe(TypedDict):
    """What a probe found."""

    tool_count: int
    """All tools of the server."""
    tools: list[str]
    """Names of the first of them."""
    feasible: bool
    """Whether the server offers any tool."""


async def list_mcp_tools(connection: Connection) -> list[str]:
    """Names of the server's tools, without the prefix.

    Raises:
        MCPConnectionError: The server cannot be reached.
        ValueError: The connection is incomplete or contradicts itself.
        ImportError: The extra `mcp` is not installed.
    """
    with mcp_extra():
        from .opening import enter
        from .sign_in import sign_in_of
        from .transports import bare_toolset, opening_seconds
    toolset = bare_toolset(connection, sign_in_of(connection))
    await enter(toolset, connection, opening_seconds(connection))
    try:
        return [tool.name for tool in await toolset.list_tools()]
    finally:
        await toolset.__aexit__(None, None, None)


async def probe_mcp_connection(connection: Connection, *, max_tools_to_print: int = 20) -> MCPProbe:
    """Whether the server answers and offers tools; errors as `list_mcp_tools`."""
    names = await list_mcp_tools(connection)
    return MCPProbe(
        tool_count=len(names), tools=names[:max_tools_to_print], feasible=len(names) > 0
    )
