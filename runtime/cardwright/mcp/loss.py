"""Telling a lost connection from an error of the tool.

A server that is gone shows in two shapes: a `ModelRetry` made from a protocol error such as
"Connection closed" or "Session terminated", and a raw error of the transport. Neither goes away
by itself: a client that lost its server fails for ever.
"""

import re
from typing import Final

import anyio
from fastmcp.exceptions import McpError  # pyright: ignore[reportPrivateImportUsage] - as upstream
from pydantic_ai import ModelRetry
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import AbstractToolset

from .errors import leaves

_CLOSED: Final = re.compile(r"connection closed|stream ended", re.IGNORECASE)
# A server that was restarted knows no session of ours; each words that in its own way.
_NO_SESSION: Final = re.compile(
    r"session.*\b(not found|terminated|expired|invalid|unknown)"
    r"|\b(unknown|invalid|no|no valid) session|not initialized",
    re.IGNORECASE,
)
# Codes under which servers and clients report that; a tool that says so itself has others.
_PROTOCOL: Final = frozenset({-32600, -32000, -32001})
_STREAMS: Final = (
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    anyio.EndOfStream,
    EOFError,
)
# The two generations of the HTTP library share names and no classes.
_HTTP: Final = frozenset({"httpx", "httpx2", "httpcore", "httpcore2"})
_UNSENT: Final = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError"})
_REFUSED: Final = range(400, 500)


def is_lost(error: Exception, toolset: AbstractToolset[object]) -> bool:
    """Whether `error` means that `toolset` has lost its server."""
    if isinstance(error, ModelRetry):
        return any(_is_closed_error(leaf) for leaf in leaves(error.__cause__))
    return is_closed(toolset) or any(
        _is_closed_error(leaf) or _is_transport_error(leaf) for leaf in leaves(error)
    )


def is_closed(toolset: AbstractToolset[object]) -> bool:
    """Whether an open toolset is known to have no connection any more."""
    if not isinstance(toolset, MCPToolset):
        return False
    if not toolset.client.is_connected():
        return True
    # The library has no public word for this; where the attribute is absent the answer is "open".
    dispatcher: object = getattr(toolset.client.session, "_dispatcher", None)
    return getattr(dispatcher, "_closed", False) is True


def is_undelivered(error: Exception, reason: BaseException | None, *, is_alone: bool) -> bool:
    """Whether the errors prove that the request never reached a tool.

    Args:
        error: What the call ended with.
        reason: What the connection ended with.
        is_alone: Whether no other call used the connection. A broken connection tells every call
            of the error of one, which proves nothing about the others.
    """
    if any(_is_without_session(leaf) for leaf in leaves(error)):
        return True
    found = (*leaves(error), *leaves(reason))
    return is_alone and any(_is_unsent(leaf) for leaf in found)


def _is_without_session(error: BaseException) -> bool:
    return _is_of_protocol(error) and _NO_SESSION.search(str(error)) is not None


def _is_of_protocol(error: BaseException) -> bool:
    return isinstance(error, McpError) and error.error.code in _PROTOCOL


def _is_unsent(error: BaseException) -> bool:
    if isinstance(error, anyio.ClosedResourceError | anyio.BrokenResourceError):
        return True  # the stream to the transport was closed before the request was put on it
    if not _is_http(error):
        return isinstance(error, ConnectionRefusedError | FileNotFoundError)
    status: object = getattr(getattr(error, "response", None), "status_code", None)
    return status in _REFUSED or any(kind.__name__ in _UNSENT for kind in type(error).__mro__)


def _is_closed_error(error: BaseException) -> bool:
    return _is_of_protocol(error) and (
        _CLOSED.search(str(error)) is not None or _is_without_session(error)
    )


def _is_transport_error(error: BaseException) -> bool:
    return isinstance(error, (ConnectionError, *_STREAMS)) or _is_http(error)


def _is_http(error: BaseException) -> bool:
    return any(kind.__module__.partition(".")[0] in _HTTP for kind in type(error).__mro__)
