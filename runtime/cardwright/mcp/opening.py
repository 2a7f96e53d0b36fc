"""Connecting, with errors that say which server and why."""

from contextlib import AbstractAsyncContextManager
from typing import Final

import anyio

from cardwright_cards.mcp import MCPHTTPConnectionConfig, MCPStdioConnectionConfig

from .connection import Connection, server_name, without_token
from .errors import MCPConnectionError, leaves

_LONGEST_REASON: Final = 500


async def enter(
    toolset: AbstractAsyncContextManager[object], connection: Connection, seconds: float
) -> None:
    """Enter a toolset within `seconds`.

    Raises:
        MCPConnectionError: The server cannot be reached.
    """
    try:
        with anyio.fail_after(seconds):
            await toolset.__aenter__()
    except TimeoutError as error:
        raise MCPConnectionError(
            f"MCP server {server_name(connection)} did not answer within {seconds:g} seconds"
        ) from error
    except Exception as error:
        raise unreachable(error, connection) from error


def unreachable(error: Exception, connection: Connection) -> MCPConnectionError:
    """The error to raise for a server that cannot be reached because of `error`."""
    first = next(leaves(error))
    reason = " ".join(without_token(str(first), connection).split())[:_LONGEST_REASON].rstrip(".")
    return MCPConnectionError(
        f"MCP server {server_name(connection)} cannot be reached: "
        f"{type(first).__name__}{': ' if reason else ''}{reason}. {_hint(connection)}"
    )


def _hint(connection: Connection) -> str:
    match connection:
        case MCPHTTPConnectionConfig():
            return "Check connection.url, connection.transport and the token"
        case MCPStdioConnectionConfig():
            return "Check connection.stdio_command and what the program writes to standard error"
