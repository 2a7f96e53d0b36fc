"""From a connection to the library's objects; the token goes onto the transport alone."""

from typing import assert_never

from fastmcp.client.transports import (
    ClientTransport,
    SSETransport,
    StdioTransport,
    StreamableHttpTransport,
)
from pydantic_ai.mcp import MCPToolset

from cardwright_cards.mcp import MCPHTTPConnectionConfig, MCPStdioConnectionConfig

from .connection import Connection, check, http_headers, stdio_environment
from .sign_in import SignIn


def bare_toolset(connection: Connection, sign_in: SignIn | None = None) -> MCPToolset[object]:
    """A toolset for the server, without prefix; nothing is started before it is entered.

    Raises:
        ValueError: As `check`.
    """
    check(connection)
    return MCPToolset(
        _transport(connection, sign_in),
        init_timeout=opening_seconds(connection),
        read_timeout=connection.read_timeout,
    )


def opening_seconds(connection: Connection) -> float:
    """Seconds to connect, with the time a person needs to sign in."""
    match connection:
        case MCPHTTPConnectionConfig(oauth=oauth) if oauth is not None:
            return connection.timeout + oauth.timeout
        case _:
            return connection.timeout


def _transport(connection: Connection, sign_in: SignIn | None) -> ClientTransport:
    match connection:
        case MCPStdioConnectionConfig():
            return _stdio(connection)
        case MCPHTTPConnectionConfig():
            return _http(connection, sign_in)
        case _:
            assert_never(connection)


def _http(connection: MCPHTTPConnectionConfig, sign_in: SignIn | None) -> ClientTransport:
    headers = http_headers(connection)
    auth = None if sign_in is None else sign_in.auth()
    if connection.transport == "sse":
        return SSETransport(connection.url, headers, auth, sse_read_timeout=connection.read_timeout)
    return StreamableHttpTransport(connection.url, headers, auth)


def _stdio(connection: MCPStdioConnectionConfig) -> ClientTransport:
    return StdioTransport(
        connection.stdio_command or "",
        list(connection.stdio_args),
        stdio_environment(connection),
        connection.stdio_cwd,
        keep_alive=False,  # the process ends with the toolset that started it
    )
