"""An OAuth authorization server on loopback, and a browser that agrees to everything."""

import base64
import hashlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import override
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import uuid4

TOKEN = "at-0123456789"


@dataclass
class AuthorizationServer:
    """What the server does, and what was asked of it."""

    url: str = ""
    publishes: bool = True
    registers: bool = True
    methods: list[str] = field(default_factory=lambda: ["S256"])
    issuer: str = ""
    token_endpoint: str = ""
    denies: str = ""
    sends_code: bool = True
    refuses_code: bool = False
    resource: str = ""
    asked: list[str] = field(default_factory=list[str])
    """Paths that were asked for."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def metadata(self) -> dict[str, object]:
        """Its description of itself."""
        found: dict[str, object] = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": self.token_endpoint or f"{self.url}/token",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": self.methods,
        }
        return found | ({"registration_endpoint": f"{self.url}/register"} if self.registers else {})

    def get(self, path: str, query: dict[str, str]) -> tuple[int, object]:
        """Answer a GET; a string is where to go instead."""
        match path:
            case "/.well-known/oauth-authorization-server" if self.publishes:
                return 200, self.metadata()
            case "/resource":
                return 200, {"resource": self.resource, "authorization_servers": [self.url]}
            case "/authorize":
                return 302, self.authorized(query)
            case _:
                return 404, {}

    def authorized(self, query: dict[str, str]) -> str:
        """Where the browser goes after the person agreed."""
        back = {"state": query["state"], "iss": self.issuer or self.url}
        if self.denies:
            back |= {"error": self.denies}
        elif self.sends_code:
            code = f"code-{uuid4().hex}"
            self.codes[code] = query
            back |= {"code": code}
        return f"{query['redirect_uri']}?{urlencode(back)}"

    def post(self, path: str, body: bytes) -> tuple[int, object]:
        """Answer a POST."""
        match path:
            case "/register" if self.registers:
                wish = json.loads(body)
                return 201, {"client_id": "registered", **wish}
            case "/token":
                form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
                return self.redeemed(form)
            case _:
                return 404, {}

    def redeemed(self, form: dict[str, str]) -> tuple[int, object]:
        """Check a code as RFC 6749 and RFC 7636 ask."""
        asked = self.codes.pop(form["code"], None)
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            self.refuses_code
            or asked is None
            or asked["code_challenge"] != challenge
            or asked["code_challenge_method"] != "S256"
            or asked["client_id"] != form["client_id"]
            or asked["redirect_uri"] != form["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant", "error_description": form["code"]}
        return 200, {"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}


@contextmanager
def running() -> Generator[AuthorizationServer]:
    """A server in a thread."""
    state = AuthorizationServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            state.asked.append(parts.path)
            self.reply(*state.get(parts.path, query))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            state.asked.append(self.path)
            self.reply(*state.post(self.path, body))

        def reply(self, status: int, answer: object) -> None:
            body = b"" if isinstance(answer, str) else json.dumps(answer).encode()
            self.send_response(status)
            if isinstance(answer, str):
                self.send_header("Location", answer)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        @override
        def log_message(self, format: str, *args: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Browser:
    """Opens addresses, follows redirections and keeps the pages."""

    opened: list[str] = field(default_factory=list[str])
    pages: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def __call__(self, url: str) -> bool:
        """Open an address."""
        self.opened.append(url)
        self.visit(url)
        return True

    def visit(self, url: str, data: bytes | None = None) -> int:
        """Load a page; its status."""
        try:
            with urllib.request.urlopen(url, data=data, timeout=5) as response:
                self.pages.append((response.status, response.read().decode()))
        except urllib.error.HTTPError as error:
            self.pages.append((error.code, error.read().decode()))
        return self.pages[-1][0]

    def query(self) -> dict[str, str]:
        """What the last address asked for."""
        return {k: v[0] for k, v in parse_qs(urlsplit(self.opened[-1]).query).items()}
