"""The toolset of a card: transport, reconnection, prefix, in this order."""

from functools import partial

from pydantic_ai.toolsets import AbstractToolset

from .connection import Connection
from .reconnecting import ReconnectingToolset
from .sign_in import SignIn
from .transports import bare_toolset, opening_seconds


def toolset(connection: Connection, sign_in: SignIn | None) -> AbstractToolset[object]:
    """A fresh toolset for the server, with its tools under the prefix.

    Raises:
        ValueError: The connection is incomplete or contradicts itself.
    """
    found = reconnecting(connection, sign_in)
    return found.prefixed(connection.tool_prefix) if connection.tool_prefix else found


def reconnecting(connection: Connection, sign_in: SignIn | None) -> ReconnectingToolset:
    """The toolset without prefix; a sign-in is kept over reconnections."""
    rebuild = partial(bare_toolset, connection, sign_in)
    return ReconnectingToolset(rebuild(), connection, rebuild, opening_seconds(connection))
