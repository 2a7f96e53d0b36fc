"""Who may connect over HTTP: which address is listened on, which names and tokens are let in."""

import hmac
import os
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Self

_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")


class DoorError(ValueError):
    """The server would be open to those it is not meant for; says what to change."""


@dataclass(frozen=True, slots=True)
class Door:
    """One address, and whom it lets in."""

    host: str
    port: int
    names: tuple[str, ...]
    """Values of the Host header that are let in, without a port."""
    token: bytes | None = None

    @classmethod
    def checked(
        cls,
        host: str,
        port: int,
        *,
        token_env: str | None = None,
        names: Sequence[str] = (),
    ) -> Self:
        """The door of a server.

        Args:
            host: Address to listen on.
            port: Its port; 0 takes a free one.
            token_env: Environment variable that holds the token of the clients.
            names: Names under which clients reach it, beside the address itself.

        Raises:
            DoorError: It is open beyond this machine without a token or a name.
        """
        token = None if token_env is None else _token(token_env)
        if not is_loopback(host) and token is None:
            raise DoorError(
                f"--host {host} is reached from other machines: name the environment variable of a "
                "token by --token-env, or listen on 127.0.0.1"
            )
        known = [*names, *_own_names(host)]
        if not known:
            raise DoorError(
                f"--host {host} has no name of its own: give the clients' by --allow-host"
            )
        return cls(host, port, tuple(dict.fromkeys(known)), token)

    def lets_in(self, authorization: str | None) -> bool:
        """Whether an Authorization header carries the token; compared in constant time."""
        if self.token is None:
            return True
        scheme, _, given = (authorization or "").partition(" ")
        same = hmac.compare_digest(given.strip().encode("utf-8", "surrogateescape"), self.token)
        return scheme.lower() == "bearer" and same

    def hosts(self, port: int) -> list[str]:
        """The Host headers that are let in while it listens on `port`."""
        return [*(f"{name}:{port}" for name in self.names), *self.names]

    def origins(self, port: int) -> list[str]:
        """The Origin headers of pages that are let in."""
        return [f"{scheme}://{host}" for scheme in ("http", "https") for host in self.hosts(port)]


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _own_names(host: str) -> tuple[str, ...]:
    if is_loopback(host):
        return _LOOPBACK
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return (host,)
    if address.is_unspecified:
        return ()
    return (f"[{address}]" if address.version == 6 else str(address),)  # noqa: PLR2004 - IP version


def _token(variable: str) -> bytes:
    found = os.environ.get(variable, "").strip()
    if not found:
        raise DoorError(f"--token-env: environment variable {variable} is not set")
    if not (found.isascii() and found.isprintable()) or " " in found:
        raise DoorError(f"--token-env: {variable} holds characters that no HTTP header can carry")
    return found.encode()
