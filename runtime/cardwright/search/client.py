"""The part of the Tavily client that is used, typed; the library itself is loaded on first use."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Final, Protocol, cast

BASE_URL: Final = "CARDWRIGHT_TAVILY_URL"


class Tavily(Protocol):
    """A client of the Tavily API; each method sends one request and returns the decoded answer."""

    def search(self, query: str, *, max_results: int, search_depth: str) -> object:
        """Find pages."""
        ...

    def extract(
        self,
        urls: list[str],
        *,
        format: str,  # noqa: A002 - the name is the library's
        timeout: float,
        query: str,
        chunks_per_source: int,
        extract_depth: str,
    ) -> object:
        """Read pages."""
        ...

    def crawl(
        self,
        url: str,
        *,
        timeout: float,
        format: str,  # noqa: A002 - the name is the library's
        instructions: str,
        extract_depth: str,
        **bounds: int,
    ) -> object:
        """Walk a site."""
        ...


class _Library(Protocol):
    def TavilyClient(self, *, api_key: str, api_base_url: str | None) -> Tavily: ...  # noqa: N802 - the class of the library


@contextmanager
def tavily(key: str) -> Generator[Tavily]:
    """A client for one call, closed afterwards.

    The address is that of the service unless the environment names another one.
    """
    library = cast("_Library", import_module("tavily"))
    client = library.TavilyClient(api_key=key, api_base_url=os.environ.get(BASE_URL) or None)
    try:
        yield client
    finally:
        close: object = getattr(client, "close", None)  # the oldest supported client has none
        if callable(close):
            close()
