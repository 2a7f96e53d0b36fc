"""Obtaining a token by hand: probe a server, sign in by browser, exchange the code.

A card does all this by itself when its connection has `oauth`; these functions are for tools
around it, and for servers whose challenge names the sign-in page itself.
"""

import re
import secrets
from contextlib import aclosing
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import httpx

from cardwright_cards.mcp import MCPHTTPConnectionConfig, MCPOAuthConfig

from .authorization_server import AuthorizationServer, Pkce
from .callback import PATH, CallbackPage, OpenBrowser, show
from .errors import MCPConnectionError, leaves
from .extra import mcp_extra

_PAIR: Final = re.compile(r'([A-Za-z0-9_-]+)="([^"]*)"')
_CHALLENGE: Final = "Model Context Protocol"


def parse_www_authenticate_header(value: str) -> dict[str, str]:
    """The `key="value"` pairs of a challenge; the last of a key wins, unquoted ones are skipped."""
    return dict(_PAIR.findall(value))


async def probe_mcp_with_oauth(
    url: str,
    bearer_token: str | None = None,
    callback_port: int = 8765,  # noqa: ARG001 - part of the contract's signature
    http_timeout: float = 10.0,
) -> tuple[bool, str | None]:
    """Whether a server asks for a sign-in, and the page it names for that.

    Args:
        url: Address of the server.
        bearer_token: Token to try.
        callback_port: Port of a later sign-in.
        http_timeout: Seconds to wait.

    Returns:
        `(False, None)` if the server lets the request in; `(True, page)` if it challenges by naming
        the page; `(True, None)` if it names protected resource metadata (RFC 9728) instead.

    Raises:
        httpx.HTTPStatusError: Any other answer.
    """
    headers = {"Authorization": f"Bearer {bearer_token}"} if bearer_token else {}
    async with httpx.AsyncClient(timeout=http_timeout) as client:
        response = await client.post(url, headers=headers)
    if response.status_code == HTTPStatus.UNAUTHORIZED:
        header = response.headers.get("WWW-Authenticate", "")
        challenge = parse_www_authenticate_header(header)
        if _CHALLENGE in header and challenge.get("auth_url"):
            return True, challenge["auth_url"]
        if challenge.get("resource_metadata"):
            return True, None
    response.raise_for_status()
    return False, None


async def handle_mcp_oauth_flow(
    auth_url: str,
    callback_port: int = 8765,
    auth_timeout: float = 300.0,
    *,
    http_timeout: float = 10.0,
    open_browser: OpenBrowser | None = None,
) -> str:
    """Sign in at a page and exchange the code that comes back for an access token.

    The client of `auth_url`, if it names one, is used; otherwise one is registered at the
    authorization server behind it.

    Args:
        auth_url: Page to sign in at.
        callback_port: Loopback port that the browser comes back to; 0 takes a free one.
        auth_timeout: Seconds the person has.
        http_timeout: Seconds to wait for each answer of the authorization server.
        open_browser: Instead of the desktop's browser.

    Returns:
        The access token.

    Raises:
        ValueError: The sign-in was refused, or the authorization server cannot be used.
        TimeoutError: Nobody signed in in time.
        OSError: The port is taken.
    """
    given = dict(parse_qsl(urlsplit(auth_url).query))
    page = CallbackPage(callback_port, given.get("state") or secrets.token_urlsafe(32))
    async with aclosing(await page.open()), httpx.AsyncClient(timeout=http_timeout) as client:
        server = await AuthorizationServer.behind(auth_url, client)
        redirect_uri = given.get("redirect_uri") or f"http://localhost:{page.port}{PATH}"
        client_id = given.get("client_id") or await server.register(redirect_uri, client)
        pkce = Pkce.fresh()
        request = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": redirect_uri,
            "state": page.state,
            "code_challenge": pkce.challenge,
            "code_challenge_method": "S256",
        }
        await show(_with_query(auth_url, {**given, **request}), open_browser)
        callback = await page.wait(auth_timeout)
        server.check_issuer(callback.issuer)
        return await server.exchange(
            client, code=callback.code, client_id=client_id, redirect_uri=redirect_uri, pkce=pkce
        )


async def get_mcp_token_with_oauth_if_needed(
    url: str,
    bearer_token: str | None = None,
    callback_port: int = 8765,
    http_timeout: float = 10.0,
    oauth_timeout: float = 300.0,
    *,
    open_browser: OpenBrowser | None = None,
) -> str | None:
    """The token to use for a server: the given one if it suffices, else that of a sign-in.

    Raises:
        ValueError: A sign-in is needed and the server does not say where, or it was refused.
        TimeoutError: Nobody signed in in time.
        httpx.HTTPStatusError: The server refuses for another reason.
    """
    needed, auth_url = await probe_mcp_with_oauth(url, bearer_token, callback_port, http_timeout)
    if not needed:
        return bearer_token
    if auth_url is not None:
        return await handle_mcp_oauth_flow(
            auth_url,
            callback_port,
            oauth_timeout,
            http_timeout=http_timeout,
            open_browser=open_browser,
        )
    return await _discovered(
        MCPHTTPConnectionConfig(
            url=url,
            timeout=http_timeout,
            oauth=MCPOAuthConfig(callback_port=callback_port, timeout=oauth_timeout),
        ),
        open_browser,
    )


async def _discovered(connection: MCPHTTPConnectionConfig, open_browser: OpenBrowser | None) -> str:
    """Sign in the way the specification describes, by connecting once."""
    with mcp_extra():
        from .opening import enter
        from .sign_in import sign_in_of
        from .transports import bare_toolset, opening_seconds
    sign_in = sign_in_of(connection, open_browser)
    toolset = bare_toolset(connection, sign_in)
    try:
        await enter(toolset, connection, opening_seconds(connection))
        await toolset.__aexit__(None, None, None)
    except MCPConnectionError as error:
        for cause in leaves(error):
            if type(cause) is TimeoutError:
                raise TimeoutError(str(cause)) from error
        raise ValueError(f"the sign-in failed or the server does not say where: {error}") from error
    tokens = None if sign_in is None else sign_in.tokens.tokens
    if tokens is None:
        raise ValueError("the server asks for a sign-in and does not say where")
    return tokens.access_token


def _with_query(url: str, query: dict[str, str]) -> str:
    return urlunsplit(urlsplit(url)._replace(query=urlencode(query)))
