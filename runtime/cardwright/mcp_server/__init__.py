"""Host that serves the tools of cards to any MCP client, over stdio or streamable HTTP.

Binds cards to a team of its own and hands each call to the registry, the one path of every call.
Needs the extra `cardwright[mcp]`; nothing is loaded before something is served.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .doors import Door, DoorError
    from .house import House
    from .stdio import serve_stdio
    from .web import serve_http

__all__ = ["Door", "DoorError", "House", "serve_http", "serve_stdio"]

_HOMES = {
    "Door": "doors",
    "DoorError": "doors",
    "House": "house",
    "serve_http": "web",
    "serve_stdio": "stdio",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
