"""Sign-in by browser: probing, the page on loopback, the exchange, and the card's own field."""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from tests.mcp.mcp_servers import HttpServer, call, free_port, toolset_of
from tests.mcp.oauth_server import TOKEN, AuthorizationServer, Browser, running

from cardwright.mcp import (
    MCPConnectionError,
    MCPTool,
    get_mcp_token_with_oauth_if_needed,
    handle_mcp_oauth_flow,
    parse_www_authenticate_header,
    probe_mcp_with_oauth,
)
from cardwright.mcp.callback import CallbackPage

type Start = Callable[..., HttpServer]


@pytest.fixture
def authority() -> Iterator[AuthorizationServer]:
    with running() as server:
        yield server


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    found = Browser()
    monkeypatch.setattr("webbrowser.open", found)
    return found


async def sign_in(authority: AuthorizationServer, query: str = "", seconds: float = 5) -> str:
    return await handle_mcp_oauth_flow(f"{authority.url}/authorize{query}", 0, seconds)


def challenge(authority: AuthorizationServer) -> str:
    return f'Bearer realm="Model Context Protocol", auth_url="{authority.url}/authorize?scope=a"'


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", {}),
        ('Bearer realm="a", error="b"', {"realm": "a", "error": "b"}),
        ('a="1", a="2"', {"a": "2"}),
        ('a=1, b="2"', {"b": "2"}),
        (
            'a="", resource_metadata="http://x/y?z=1"',
            {"a": "", "resource_metadata": "http://x/y?z=1"},
        ),
    ],
)
def test_a_challenge_is_read(value: str, expected: dict[str, str]) -> None:
    assert parse_www_authenticate_header(value) == expected


async def test_a_server_that_lets_in_needs_no_sign_in(http_server: Start) -> None:
    url = http_server("streamable-http", open_house=True).url
    assert await probe_mcp_with_oauth(url) == (False, None)
    assert await get_mcp_token_with_oauth_if_needed(url, "given") == "given"
    assert await get_mcp_token_with_oauth_if_needed(url) is None


async def test_the_given_token_is_tried_first(
    http_server: Start, authority: AuthorizationServer
) -> None:
    server = http_server(
        "streamable-http", open_house=True, token="given", challenge=challenge(authority)
    )
    assert await probe_mcp_with_oauth(server.url, "given") == (False, None)
    assert await probe_mcp_with_oauth(server.url, "other") == (
        True,
        f"{authority.url}/authorize?scope=a",
    )


@pytest.mark.parametrize(
    "challenge",
    [
        "",
        "Bearer",
        'Bearer realm="Model Context Protocol"',
        'Bearer auth_url="http://a.example"',
        'Bearer realm="Model Context Protocol", auth_url=""',
    ],
)
async def test_any_other_refusal_is_an_error(challenge: str, http_server: Start) -> None:
    server = http_server("streamable-http", token="x", challenge=challenge)
    with pytest.raises(httpx.HTTPStatusError):
        await probe_mcp_with_oauth(server.url)


async def test_an_error_status_is_an_error(http_server: Start) -> None:
    with pytest.raises(httpx.HTTPStatusError):
        await probe_mcp_with_oauth(http_server("streamable-http").url)


async def test_the_code_is_exchanged_for_a_token(
    authority: AuthorizationServer, browser: Browser
) -> None:
    assert await sign_in(authority, "?scope=a%20b&x=%26") == TOKEN
    query = browser.query()
    assert (query["scope"], query["x"]) == ("a b", "&")
    assert query["client_id"] == "registered"
    assert query["code_challenge_method"] == "S256"
    assert len(query["state"]) >= 32
    assert urlsplit(query["redirect_uri"]).path == "/callback"
    assert browser.pages[-1][0] == 200


async def test_trap_33_the_redirect_is_encoded(
    authority: AuthorizationServer, browser: Browser
) -> None:
    await sign_in(authority)
    assert "redirect_uri=http%3A%2F%2Flocalhost%3A" in browser.opened[0]


async def test_a_client_and_a_redirect_that_the_page_names_are_used(
    authority: AuthorizationServer, browser: Browser
) -> None:
    port = free_port()
    redirect = f"http://127.0.0.1:{port}/callback"
    url = f"{authority.url}/authorize?client_id=mine&redirect_uri={redirect}&state=theirs"
    assert await handle_mcp_oauth_flow(url, port, 5) == TOKEN
    assert "/register" not in authority.asked
    assert (browser.query()["client_id"], browser.query()["state"]) == ("mine", "theirs")


async def test_without_metadata_the_default_endpoints_are_used(
    authority: AuthorizationServer, browser: Browser
) -> None:
    authority.publishes = False
    assert await sign_in(authority) == TOKEN


async def test_trap_33_stray_and_forged_requests_do_not_end_the_sign_in(
    authority: AuthorizationServer, caplog: pytest.LogCaptureFixture
) -> None:
    browser = Browser()

    def visit_others_first(url: str) -> bool:
        query = parse_qs(urlsplit(url).query)
        page = query["redirect_uri"][0]
        base = page.removesuffix("/callback")
        strays = [f"{base}/favicon.ico", page, f"{page}?code=x", f"{page}?code=x&state=forged"]
        assert [browser.visit(stray) for stray in strays] == [404, 400, 400, 400]
        assert browser.visit(page, data=b"code=x") == 404
        port = urlsplit(page).port or 0
        with socket.create_connection(("127.0.0.1", port)) as rude:
            rude.sendall(b"\x16\x03\x01 no HTTP at all\r\n\r\n")
        socket.create_connection(("127.0.0.1", port)).close()
        return browser(url)

    with caplog.at_level(logging.WARNING):
        token = await handle_mcp_oauth_flow(
            f"{authority.url}/authorize", 0, 5, open_browser=visit_others_first
        )
    assert token == TOKEN
    assert "forged" not in caplog.text


async def test_trap_33_sign_ins_share_nothing(
    authority: AuthorizationServer, browser: Browser
) -> None:
    assert await asyncio.gather(*(sign_in(authority) for _ in range(4))) == [TOKEN] * 4
    assert len({parse_qs(urlsplit(url).query)["state"][0] for url in browser.opened}) == 4


async def test_a_denial_is_told(authority: AuthorizationServer, browser: Browser) -> None:
    authority.denies = "access_denied<script>"
    with pytest.raises(ValueError, match="access_denied"):
        await sign_in(authority)
    status, page = browser.pages[-1]
    assert status == 400
    assert "<script>" not in page


async def test_no_code_is_told(authority: AuthorizationServer, browser: Browser) -> None:
    authority.sends_code = False
    with pytest.raises(ValueError, match="no code"):
        await sign_in(authority)
    assert browser.pages[-1][0] == 400


async def test_nobody_signing_in_times_out_and_frees_the_port(
    authority: AuthorizationServer,
) -> None:
    port = free_port()
    with pytest.raises(TimeoutError):
        await handle_mcp_oauth_flow(
            f"{authority.url}/authorize", port, 0.05, open_browser=lambda _: True
        )
    with socket.create_server(("127.0.0.1", port)):
        pass


async def test_a_port_in_use_is_an_error(authority: AuthorizationServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(OSError, match="in use"):
        await handle_mcp_oauth_flow(f"{authority.url}/authorize", taken.getsockname()[1], 5)


async def test_without_a_browser_the_operator_is_told_where_to_go(
    authority: AuthorizationServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(TimeoutError):
        await handle_mcp_oauth_flow(
            f"{authority.url}/authorize", 0, 0.05, open_browser=lambda _: False
        )
    assert f"{authority.url}/authorize?" in caplog.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"methods": ["plain"]}, "S256"),
        ({"registers": False}, "client_id"),
        ({"issuer": "https://evil.example"}, "another authorization server"),
        ({"refuses_code": True}, "invalid_grant"),
        ({"token_endpoint": "http://auth.example/token"}, "https"),
    ],
)
async def test_an_authorization_server_that_cannot_be_trusted_is_refused(
    change: dict[str, object], message: str, authority: AuthorizationServer, browser: Browser
) -> None:
    for name, value in change.items():
        setattr(authority, name, value)
    with pytest.raises(ValueError, match=message) as refused:
        await sign_in(authority)
    assert "code-" not in str(refused.value)


async def test_a_page_without_https_is_refused() -> None:
    with pytest.raises(ValueError, match="https"):
        await handle_mcp_oauth_flow("http://auth.example/authorize", 0, 5)


async def test_a_challenge_that_names_the_page_leads_to_a_token(
    authority: AuthorizationServer, browser: Browser, http_server: Start
) -> None:
    server = http_server("streamable-http", token=TOKEN, challenge=challenge(authority))
    assert await get_mcp_token_with_oauth_if_needed(server.url, None, 0) == TOKEN


async def test_a_challenge_by_the_specification_leads_to_a_token(
    authority: AuthorizationServer, browser: Browser, http_server: Start
) -> None:
    server = protected(authority, http_server)
    assert await probe_mcp_with_oauth(server.url) == (True, None)
    assert await get_mcp_token_with_oauth_if_needed(server.url, "stale", 0) == TOKEN


async def test_nobody_signing_in_by_the_specification_times_out(
    authority: AuthorizationServer, http_server: Start
) -> None:
    url = protected(authority, http_server).url
    with pytest.raises(TimeoutError, match="nobody signed in"):
        await get_mcp_token_with_oauth_if_needed(
            url, None, 0, oauth_timeout=0.05, open_browser=lambda _: True
        )


async def test_a_server_that_does_not_say_where_is_an_error(
    authority: AuthorizationServer, browser: Browser, http_server: Start
) -> None:
    server = protected(authority, http_server)
    authority.publishes = authority.registers = False
    with pytest.raises(ValueError, match="does not say where"):
        await get_mcp_token_with_oauth_if_needed(server.url, None, 0)


@pytest.mark.parametrize("transport", ["streamable-http", "sse"])
async def test_a_card_with_oauth_signs_in_once_and_keeps_it_over_reconnections(
    transport: str,
    authority: AuthorizationServer,
    browser: Browser,
    http_server: Start,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = protected(authority, http_server, transport)
    card = MCPTool(connection=server.connection(oauth={"callback_port": 0, "timeout": 5}))
    with caplog.at_level(logging.DEBUG):
        for _ in range(2):
            toolset = toolset_of(card)
            async with toolset:
                assert await call(toolset, "add", left=1, right=2) == 3
                server.start()
                assert await call(toolset, "add", left=1, right=2) == 3
    assert len(browser.opened) == 1
    assert TOKEN not in caplog.text + card.model_dump_json() + repr(card)


async def test_a_card_uses_a_client_registered_beforehand(
    authority: AuthorizationServer, browser: Browser, http_server: Start
) -> None:
    server = protected(authority, http_server)
    connection = server.connection(oauth={"callback_port": 0, "client_id": "mine"})
    toolset = toolset_of(connection)
    async with toolset:
        assert await call(toolset, "add", left=1, right=2) == 3
    assert browser.query()["client_id"] == "mine"
    assert "/register" not in authority.asked


async def test_a_card_whose_sign_in_is_denied_says_so(
    authority: AuthorizationServer, browser: Browser, http_server: Start
) -> None:
    authority.denies = "access_denied"
    server = protected(authority, http_server)
    connection = server.connection(oauth={"callback_port": 0})
    toolset = toolset_of(connection)
    with pytest.raises(MCPConnectionError, match="access_denied"):
        await toolset.__aenter__()


async def test_a_request_that_cannot_be_read_disturbs_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    page = await CallbackPage(0, "state").open()
    reader, writer = await asyncio.open_connection("127.0.0.1", page.port)
    writer.write(b"GET //[ HTTP/1.1\r\n\r\n")
    assert await reader.read() == b""
    writer.close()
    await page.aclose()
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


async def test_a_page_that_is_closed_waits_no_longer() -> None:
    page = await CallbackPage(0, "state").open()
    await page.aclose()
    with pytest.raises(asyncio.CancelledError):
        await page.wait(5)


def protected(
    authority: AuthorizationServer, http_server: Start, transport: str = "streamable-http"
) -> HttpServer:
    """A server whose challenge follows the specification."""
    metadata = f'Bearer resource_metadata="{authority.url}/resource"'
    server = http_server(transport, token=TOKEN, challenge=metadata)
    authority.resource = server.url
    return server
