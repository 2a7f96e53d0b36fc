"""The authorization server behind a sign-in page: discovery, registration, code exchange."""

import base64
import hashlib
import secrets
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import urljoin, urlsplit

import httpx
from pydantic import BaseModel, ValidationError

_WELL_KNOWN: Final = (
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
)
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_CLIENT_NAME: Final = "Cardwright"


class Metadata(BaseModel):
    """What an authorization server says of itself (RFC 8414)."""

    issuer: str
    token_endpoint: str
    registration_endpoint: str | None = None
    code_challenge_methods_supported: list[str] = ["S256"]


class _Registered(BaseModel):
    client_id: str


class _Token(BaseModel):
    access_token: str


class _Refusal(BaseModel):
    error: str = "no reason"


@dataclass(frozen=True, repr=False)
class Pkce:
    """Proof that whoever redeems the code is who asked for it (RFC 7636, S256)."""

    verifier: str
    challenge: str

    @classmethod
    def fresh(cls) -> Self:
        """A proof for one sign-in."""
        verifier = secrets.token_urlsafe(64)
        digest = hashlib.sha256(verifier.encode()).digest()
        return cls(verifier, base64.urlsafe_b64encode(digest).decode().rstrip("="))


@dataclass(frozen=True)
class AuthorizationServer:
    """The endpoints of one server."""

    metadata: Metadata

    @classmethod
    async def behind(cls, auth_url: str, client: httpx.AsyncClient) -> Self:
        """The server of a sign-in page: what it publishes, else the default endpoints of MCP.

        Raises:
            ValueError: It cannot be used: no HTTPS, another issuer, or no S256.
        """
        parts = urlsplit(auth_url)
        origin = f"{parts.scheme}://{parts.netloc}"
        metadata = await _published(origin, client) if _is_private(auth_url) else None
        metadata = metadata or Metadata(
            issuer=origin,
            token_endpoint=urljoin(origin, "/token"),
            registration_endpoint=urljoin(origin, "/register"),
        )
        endpoints = (auth_url, metadata.token_endpoint, metadata.registration_endpoint)
        if not all(map(_is_private, filter(None, endpoints))):
            raise ValueError(f"the authorization server {origin} is not used over https")
        if "S256" not in metadata.code_challenge_methods_supported:
            raise ValueError(f"the authorization server {origin} does not support PKCE with S256")
        return cls(metadata)

    async def register(self, redirect_uri: str, client: httpx.AsyncClient) -> str:
        """Register a public client (RFC 7591); returns its id.

        Raises:
            ValueError: The server registers nobody.
        """
        endpoint = self.metadata.registration_endpoint
        if endpoint is None:
            raise ValueError(
                "the authorization server registers no clients: name a page with a client_id"
            )
        response = await client.post(
            endpoint,
            json={
                "client_name": _CLIENT_NAME,
                "redirect_uris": [redirect_uri],
                "grant_types": ["authorization_code"],
                "response_types": ["code"],
                "token_endpoint_auth_method": "none",
            },
        )
        return _read(_Registered, response, "the registration").client_id

    def check_issuer(self, issuer: str | None) -> None:
        """Refuse a code that another server issued (RFC 9207).

        Raises:
            ValueError: It is another server's.
        """
        if issuer is not None and issuer.rstrip("/") != self.metadata.issuer.rstrip("/"):
            raise ValueError("the sign-in came back from another authorization server")

    async def exchange(
        self, client: httpx.AsyncClient, *, code: str, client_id: str, redirect_uri: str, pkce: Pkce
    ) -> str:
        """Redeem the code; returns the access token.

        Raises:
            ValueError: The server refuses it.
        """
        response = await client.post(
            self.metadata.token_endpoint,
            data={
                "grant_type": "authorization_code",
                "code": code,
                "client_id": client_id,
                "redirect_uri": redirect_uri,
                "code_verifier": pkce.verifier,
            },
        )
        return _read(_Token, response, "the code").access_token


def _is_private(url: str) -> bool:
    """Whether nobody on the way can read what is sent to `url`."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


async def _published(origin: str, client: httpx.AsyncClient) -> Metadata | None:
    for path in _WELL_KNOWN:
        response = await client.get(urljoin(origin, path))
        if response.is_success:
            metadata = _read(Metadata, response, "discovery")
            if urlsplit(metadata.issuer).netloc != urlsplit(origin).netloc:
                raise ValueError(f"the metadata at {origin} is that of another issuer")
            return metadata
    return None


def _read[M: BaseModel](model: type[M], response: httpx.Response, what: str) -> M:
    """The answer as `model`; errors name the reason the server gives and no value of ours."""
    try:
        if response.is_success:
            return model.model_validate_json(response.content)
        reason = _Refusal.model_validate_json(response.content).error
    except ValidationError:
        reason = "an answer that cannot be read"
    raise ValueError(
        f"the authorization server refuses {what} with status {response.status_code}: {reason}"
    )
