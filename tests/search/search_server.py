"""A server on loopback that speaks Tavily's API."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, override

KEY = "tvly-dev-0123456789/secret+key"


@dataclass(frozen=True)
class Request:
    """One request as the server saw it."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass
class Tavily:
    """What the server answers next, and what it was asked."""

    url: str
    status: int = 200
    body: bytes = b"{}"
    hold: threading.Event = field(default_factory=threading.Event)
    """Answers wait for it; set from the start."""
    requests: list[Request] = field(default_factory=list[Request])

    def answers(self, body: object, status: int = 200) -> None:
        """Answer from now on with `body` as JSON."""
        self.status, self.body = status, json.dumps(body).encode()

    def refuses(self, status: int, error: str) -> None:
        """Answer from now on with an error in Tavily's form."""
        self.answers({"detail": {"error": error}}, status)


def serve() -> tuple[Tavily, ThreadingHTTPServer]:
    """A bound server and its state; the caller runs and closes it."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(length))
            state.requests.append(Request(self.path, dict(self.headers), body))
            state.hold.wait(5)
            self.send_response(state.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(state.body)))
            self.end_headers()
            self.wfile.write(state.body)

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = Tavily(f"http://127.0.0.1:{server.server_port}")
    state.hold.set()
    return state, server
