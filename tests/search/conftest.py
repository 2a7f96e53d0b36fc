"""A Tavily server on loopback, and a card that is pointed at it."""

import threading
from collections.abc import Iterator

import pytest
from tests.search.search_server import KEY, Tavily, serve


@pytest.fixture
def tavily(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tavily]:
    """A running server that the card is pointed at, with a key configured."""
    state, server = serve()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    monkeypatch.setenv("CARDWRIGHT_TAVILY_URL", state.url)
    for name in ("TAVILY_HTTP_PROXY", "TAVILY_HTTPS_PROXY", "TAVILY_PROJECT", "TAVILY_ORG_ID"):
        monkeypatch.delenv(name, raising=False)
    yield state
    state.hold.set()
    server.shutdown()
    server.server_close()
    thread.join()
