"""Serving many clients over streamable HTTP, on loopback unless a token keeps the door."""

import asyncio
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final, override

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from .doors import Door, DoorError
from .house import House
from .server import leaving, server_of
from .signals import ended_by_signals

PATH: Final = "/mcp"
_GRACE: Final = 3
"""Seconds that open streams have to end when the server stops."""


def serve_http(make: Callable[[], House], door: Door, listening: Callable[[str], None]) -> None:
    """Serve until a signal ends the process.

    Args:
        make: Makes the house, after the port was taken.
        door: Where to listen and whom to let in.
        listening: Called with the address once clients can connect.

    Raises:
        DoorError: The port is taken, or the address is not of this machine.
        ValueError: The house cannot be made.
    """
    with _bound(door) as taken, make() as house:
        asyncio.run(_serve(house, door, taken, listening))


async def _serve(
    house: House, door: Door, taken: socket.socket, listening: Callable[[str], None]
) -> None:
    server, calls = server_of(house)
    port = int(taken.getsockname()[1])
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            allowed_hosts=door.hosts(port), allowed_origins=door.origins(port)
        ),
    )
    config = uvicorn.Config(
        _Guarded(app, door),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    running = _Server(config)
    name = f"[{door.host}]" if ":" in door.host else door.host

    def end() -> None:
        running.should_exit = True

    with ended_by_signals(end):
        async with leaving(calls):
            listening(f"http://{name}:{port}{PATH}")
            await running.serve([taken])


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs it, so that the team stops behind it."""

    @override
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


class _Guarded:
    """Lets nobody in without the token, whatever is asked."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = Headers(scope=scope).get("authorization")
            if not self._door.lets_in(given):
                challenge = {"WWW-Authenticate": "Bearer"}
                refusal = PlainTextResponse("a token is needed", 401, headers=challenge)
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


@contextmanager
def _bound(door: Door) -> Generator[socket.socket]:
    """A socket on the address; taken before anything is started."""
    family = socket.AF_INET6 if ":" in door.host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind((door.host.strip("[]"), door.port))
        except OSError as error:
            where = f"{door.host} port {door.port}"
            raise DoorError(
                f"cannot listen on {where}: {error.strerror}; choose another"
            ) from error
        taken.listen(128)
        yield taken
    finally:
        taken.close()
