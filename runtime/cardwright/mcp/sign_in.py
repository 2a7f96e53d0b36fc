"""Sign-in by browser for a connection with `oauth`.

Discovery, registration, PKCE, token exchange and refresh are the SDK's; the page on loopback
is ours.
"""

import socket
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import mcp.shared.auth
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from cardwright_cards.mcp import MCPHTTPConnectionConfig, MCPOAuthConfig

from .callback import PATH, Callback, CallbackPage, OpenBrowser, show
from .connection import Connection


@dataclass(repr=False)
class Tokens(TokenStorage):
    """What one sign-in obtained; in memory only, so a new process signs in anew."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        """The tokens."""
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep tokens."""
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """The registered client."""
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep the registered client."""
        self.client = client_info


@dataclass(repr=False)
class SignIn:
    """Signs in at one server when the server asks for it, and remembers it over reconnections."""

    url: str
    config: MCPOAuthConfig
    open_browser: OpenBrowser | None = None
    """Instead of the desktop's browser."""
    tokens: Tokens = field(default_factory=Tokens)
    _provider: OAuthClientProvider | None = field(default=None, init=False)
    _page: CallbackPage | None = field(default=None, init=False)
    _port: int = field(default=0, init=False)

    def auth(self) -> OAuthClientProvider:
        """What the transport authenticates with."""
        if self._provider is None:
            self._provider = self._made()
        return self._provider

    def _made(self) -> OAuthClientProvider:
        self._port = self.config.callback_port or _free_port()
        metadata = OAuthClientMetadata(
            client_name=self.config.client_name,
            redirect_uris=[AnyUrl(f"http://localhost:{self._port}{PATH}")],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            token_endpoint_auth_method="none",  # noqa: S106 - a public client has no password
        )
        if self.config.client_id is not None:
            self.tokens.client = OAuthClientInformationFull(
                client_id=self.config.client_id, **metadata.model_dump(exclude_none=True)
            )
        return OAuthClientProvider(
            self.url, metadata, self.tokens, self._redirected, self._called_back
        )

    async def _redirected(self, authorization_url: str) -> None:
        state = parse_qs(urlsplit(authorization_url).query)["state"][0]
        self._page = await CallbackPage(self._port, state).open()
        try:
            await show(authorization_url, self.open_browser)
        except BaseException:
            await self._page.aclose()
            raise

    async def _called_back(self) -> Any:  # noqa: ANN401 - the type differs between SDK generations
        if self._page is None:
            raise RuntimeError("the sign-in page was not served")
        async with aclosing(self._page) as page:
            return _as_the_sdk_takes_it(await page.wait(self.config.timeout))


def sign_in_of(connection: Connection, open_browser: OpenBrowser | None = None) -> SignIn | None:
    """The sign-in that a connection asks for."""
    if isinstance(connection, MCPHTTPConnectionConfig) and connection.oauth is not None:
        return SignIn(connection.url, connection.oauth, open_browser)
    return None


def _as_the_sdk_takes_it(found: Callback) -> object:
    """A result object for the second generation of the SDK, a pair for the first."""
    result: Any = getattr(mcp.shared.auth, "AuthorizationCodeResult", None)
    if result is None:
        return (found.code, found.state)
    return result(code=found.code, state=found.state, iss=found.issuer)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
