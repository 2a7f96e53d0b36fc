"""An MCP server of the tests' own; run as a program it starts such servers on demand.

`own_server.py stdio JOURNAL` serves over stdio. `own_server.py farm` reads one JSON object per
line, starts the server it describes in a child process and prints its process id: the imports are
paid once, and a test can kill and restart servers in milliseconds. The socket listens before the
id is printed.
"""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import ToolAnnotations
from starlette.types import ASGIApp, Message, Receive, Scope, Send

READ_ONLY = ToolAnnotations(read_only_hint=True)


def server(journal: Path) -> MCPServer:
    """Tools that count their runs in `journal` and die on demand."""
    app: MCPServer = MCPServer("own", log_level="CRITICAL")

    def note(word: str) -> int:
        with journal.open("a") as file:
            file.write(f"{word}\n")
        return journal.read_text().splitlines().count(word)

    @app.tool(annotations=READ_ONLY)
    def add(left: int, right: int) -> int:
        """Add two numbers."""
        return left + right

    @app.tool()
    def change(word: str) -> int:
        """Have a side effect; returns how often it was had."""
        return note(word)

    @app.tool()
    def change_and_die() -> int:
        """Have a side effect, and die before answering."""
        note("die")
        os._exit(9)

    @app.tool()
    async def change_slowly() -> int:
        """Have a side effect and take a minute to say so."""
        runs = note("slow")
        await asyncio.sleep(60)
        return runs

    @app.tool(annotations=READ_ONLY)
    def read_and_die_once() -> int:
        """Die on the first run and answer from the second on."""
        runs = note("read")
        if runs == 1:
            os._exit(9)
        return runs

    @app.tool()
    def environment(name: str) -> str:
        """A variable of the server's environment."""
        return os.environ.get(name, "")

    @app.tool()
    def leak(text: str) -> str:
        """Fail with a text."""
        raise ToolFailureError(text)

    refusing(app, note)
    return app


def refusing(app: MCPServer, note: Callable[[str], int]) -> None:
    """Add a tool that answers with an error of its own making."""

    @app.tool()
    def change_and_refuse(text: str, code: int) -> int:
        """Have a side effect, and answer with an error of the tool's own."""
        note("refused")
        raise MCPError(code, text)


class ToolFailureError(Exception):
    """Raised by a tool."""


def guarded(app: ASGIApp, options: dict[str, Any]) -> ASGIApp:
    """`app` behind what `options` ask for: a token, silence about discovery, or an empty house."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        headers = {key.decode(): value.decode() for key, value in scope["headers"]}
        if options.get("token") and headers.get("authorization") != f"Bearer {options['token']}":
            await refuse(send, 401, options.get("challenge", "Bearer"))
            return
        if options.get("open_house"):
            await refuse(send, 204, "")
            return
        if options.get("legacy") and scope["method"] == "POST":
            receive, body = await peeked(receive)
            if b'"server/discover"' in body:
                await refuse(send, 404, "")
                return
        await app(scope, receive, send)

    return serve


async def peeked(receive: Receive) -> tuple[Receive, bytes]:
    """The body of a request, and a `receive` that yields it again."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again, body


async def refuse(send: Send, status: int, challenge: str) -> None:
    """Answer with `status` alone."""
    headers = [(b"www-authenticate", challenge.encode())] if challenge else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def serve_http(listening: socket.socket, options: dict[str, Any]) -> None:
    """Serve over HTTP until killed."""
    app = MCPServer("empty") if options.get("empty") else server(Path(options["journal"]))
    inner = app.sse_app() if options["transport"] == "sse" else app.streamable_http_app()
    config = uvicorn.Config(guarded(inner, options), log_level="critical", lifespan="on")
    asyncio.run(uvicorn.Server(config).serve([listening]))


def farm() -> None:
    """Start servers until standard input ends, then kill them."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    children: list[int] = []
    for line in sys.stdin:
        options = json.loads(line)
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", options["port"]))
        listening.listen()
        child = os.fork()
        if child == 0:
            serve_http(listening, options)
            os._exit(0)
        listening.close()
        children.append(child)
        print(child, flush=True)  # noqa: T201 - the protocol of the farm
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server(Path(sys.argv[2])).run()
    else:
        farm()
