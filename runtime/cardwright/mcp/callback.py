"""Where the browser comes back to after a sign-in: a page on loopback, for one sign-in only."""

import asyncio
import logging
import secrets
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from http import HTTPStatus
from typing import Final, Self
from urllib.parse import parse_qs, urlsplit

logger = logging.getLogger(__name__)

type OpenBrowser = Callable[[str], object]

PATH: Final = "/callback"

_HOST: Final = "127.0.0.1"
_SECONDS_PER_REQUEST: Final = 10
_PAGE: Final = "<!doctype html><meta charset=utf-8><title>{title}</title><p>{text}</p>"


@dataclass(frozen=True, repr=False)
class Callback:
    """What the authorization server sent back with the browser."""

    code: str
    state: str
    issuer: str | None


@dataclass(repr=False)
class CallbackPage:
    """Serves the page and keeps the one callback that belongs to this sign-in.

    Whatever does not carry `state` (a favicon, a scan, a forged link) is answered and ignored.
    """

    port: int
    """Loopback port; 0 takes a free one, readable once the page is served."""
    state: str
    path: str = PATH
    _server: asyncio.Server | None = field(default=None, init=False)
    _found: asyncio.Future[Callback] = field(init=False)

    async def open(self) -> Self:
        """Serve the page.

        Raises:
            OSError: The port is taken.
        """
        self._found = asyncio.get_running_loop().create_future()
        self._server = await asyncio.start_server(self._serve, _HOST, self.port, limit=16_384)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def aclose(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.close()
        self._found.cancel()

    async def wait(self, seconds: float) -> Callback:
        """The callback.

        Raises:
            ValueError: The sign-in was refused, or came back without a code.
            TimeoutError: Nobody signed in within `seconds`.
        """
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.shield(self._found)
        except TimeoutError as error:
            raise TimeoutError(f"nobody signed in within {seconds:g} seconds") from error

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_SECONDS_PER_REQUEST):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._answer(head.split(b"\r\n", 1)[0].decode("latin-1")))
                await writer.drain()
        except (OSError, TimeoutError, EOFError, ValueError, asyncio.LimitOverrunError):
            logger.debug("an unreadable request to the sign-in page was ignored")
        finally:
            writer.close()

    def _answer(self, request_line: str) -> bytes:
        match request_line.split(" "):
            case ["GET", target, _] if urlsplit(target).path == self.path:
                return self._back(parse_qs(urlsplit(target).query))
            case _:
                return _page(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def _back(self, query: dict[str, list[str]]) -> bytes:
        state, code = _last(query, "state"), _last(query, "code")
        if not secrets.compare_digest(state.encode(), self.state.encode()) or self._found.done():
            logger.warning("a request to the sign-in page that belongs to no sign-in was ignored")
            return _page(HTTPStatus.BAD_REQUEST, "This link belongs to no sign-in.")
        if not code:
            reason = _last(query, "error") or "no code"
            self._found.set_exception(ValueError(f"the sign-in came back with: {reason}"))
            return _page(HTTPStatus.BAD_REQUEST, f"The sign-in failed: {reason}")
        self._found.set_result(Callback(code, state, _last(query, "iss") or None))
        return _page(HTTPStatus.OK, "You are signed in and may close this page.")


async def show(url: str, open_browser: OpenBrowser | None) -> None:
    """Open `url` in a browser, or ask the operator to, where there is none."""
    opened = await asyncio.to_thread(open_browser or webbrowser.open, url)
    if opened is False:
        logger.warning("no browser could be opened; sign in at %s", url)


def _last(query: dict[str, list[str]], name: str) -> str:
    return query.get(name, [""])[-1]


def _page(status: HTTPStatus, text: str) -> bytes:
    body = _PAGE.format(title=status.phrase, text=escape(text)).encode()
    return (
        f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\n"
        "Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    ).encode() + body
