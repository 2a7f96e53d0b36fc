"""What a connection says beyond its schema: checked once, before anything is started."""

import os
from pathlib import PurePath
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from cardwright.core import SecretMissingError
from cardwright_cards.mcp import MCPHTTPConnectionConfig, MCPStdioConnectionConfig

type Connection = MCPHTTPConnectionConfig | MCPStdioConnectionConfig

_MASK: Final = "***"


def check(connection: Connection) -> None:
    """Refuse a connection that no server could be reached by.

    Raises:
        ValueError: The field to change, never its value.
        SecretMissingError: The token is configured and nowhere to be found.
    """
    match connection:
        case MCPHTTPConnectionConfig():
            _check_http(connection)
        case MCPStdioConnectionConfig():
            if not connection.stdio_command:
                raise ValueError("connection.stdio_command is missing: name the program to start")
    token(connection)


def _check_http(connection: MCPHTTPConnectionConfig) -> None:
    if urlsplit(connection.url).scheme not in {"http", "https"}:
        raise ValueError("connection.url must start with http:// or https://")
    if connection.oauth is not None and (connection.bearer_token or connection.bearer_token_env):
        raise ValueError(
            "connection.oauth excludes connection.bearer_token and connection.bearer_token_env: "
            "keep one of them"
        )


def token(connection: Connection) -> str | None:
    """The bearer token in clear; `None` when none is configured or it is empty.

    Raises:
        SecretMissingError: It was not stored, or its environment variable is not set.
        ValueError: It holds characters that no HTTP header can carry.
    """
    found = _configured(connection).strip()
    if not (found.isascii() and found.isprintable()) or " " in found:
        raise ValueError(
            "connection.bearer_token holds blanks or characters that no HTTP header can carry"
        )
    return found or None


def _configured(connection: Connection) -> str:
    secret, variable = connection.bearer_token, connection.bearer_token_env
    if secret is not None and not (secret.is_missing and variable):
        try:
            found = secret.reveal()
        except SecretMissingError as error:
            raise SecretMissingError(f"connection.bearer_token: {error}") from None
        if found or not variable:
            return found
    if not variable:
        return ""
    found = os.environ.get(variable, "")
    if not found.strip():
        raise SecretMissingError(
            f"connection.bearer_token_env: environment variable {variable} is not set"
        )
    return found


def http_headers(connection: MCPHTTPConnectionConfig) -> dict[str, str]:
    """Headers of the transport."""
    found = token(connection)
    return {} if found is None else {"Authorization": f"Bearer {found}"}


def stdio_environment(connection: MCPStdioConnectionConfig) -> dict[str, str] | None:
    """Variables added to the server's environment; `None` for none."""
    variables = dict(connection.stdio_env or {})
    found = token(connection)
    if found is not None and connection.stdio_token_env_var:
        variables[connection.stdio_token_env_var] = found
    return variables or None


def server_name(connection: Connection) -> str:
    """How messages name the server: no credentials, no query, no arguments."""
    match connection:
        case MCPHTTPConnectionConfig():
            parts = urlsplit(connection.url)
            host = parts.netloc.rpartition("@")[2]
            return urlunsplit((parts.scheme, host, parts.path, "", ""))
        case MCPStdioConnectionConfig():
            return PurePath(connection.stdio_command or "").name


def without_token(text: str, connection: Connection) -> str:
    """`text` with the token masked, whoever put it there."""
    try:
        found = token(connection)
    except ValueError:  # unset or changed since the connection was opened
        return text
    return text if found is None else text.replace(found, _MASK)
