"""Serving one client over the standard streams."""

import asyncio
from collections.abc import Callable

import anyio
from mcp.server.stdio import stdio_server

from .house import House
from .server import leaving, server_of
from .signals import ended_by_signals
from .wire import Wire, standard_wire


def serve_stdio(make: Callable[[], House]) -> None:
    """Serve until the client closes our input, or a signal ends the process.

    Args:
        make: Makes the house; called when standard output belongs to the protocol already.

    Raises:
        ValueError: The house cannot be made.
    """
    with standard_wire() as wire, make() as house:
        asyncio.run(_serve(house, wire))


async def _serve(house: House, wire: Wire) -> None:
    server, calls = server_of(house)
    files = anyio.wrap_file(wire.source), anyio.wrap_file(wire.sink)
    with ended_by_signals(wire.hang_up):
        async with leaving(calls), stdio_server(*files) as (read, write):
            await server.run(read, write, server.create_initialization_options())
