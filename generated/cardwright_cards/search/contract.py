# Generated from specs/search.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `SearchTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Never

from cardwright.core import CardLogic, ToolObserver

from .card import SearchTool

if TYPE_CHECKING:
    from typing import Literal

    from cardwright.core import JsonObject

    from .card import WebCrawl, WebFetch, WebSearch

type SearchFailure = Never
"""This card declares no failure that the model can fix."""


class SearchContract(CardLogic[SearchTool, ToolObserver, SearchFailure]):
    """Base of `SearchLogic`: one method per endpoint of the spec."""

    @abstractmethod
    def web_search(
        self,
        config: WebSearch,
        *,
        query: str,
        max_results: int,
        search_depth: Literal["basic", "advanced"],
    ) -> JsonObject | str:
        """Search the web. Returns titles, addresses and a snippet of each page, the best match first. Read a page that looks right with web_fetch; explore a whole site with web_crawl."""

    @abstractmethod
    def web_crawl(
        self,
        config: WebCrawl,
        *,
        url: str,
        crawl_instructions: str,
        timeout: float,
        max_depth: int | None,
        max_breadth: int | None,
        limit: int | None,
        extract_depth: Literal["basic", "advanced"],
    ) -> JsonObject | str:
        """Follow the links of a site from one page and return the content of the pages that serve your purpose. To read pages whose addresses you know, use web_fetch, which is faster."""

    @abstractmethod
    def web_fetch(
        self,
        config: WebFetch,
        *,
        urls: list[str],
        query: str,
        chunks_per_source: int,
        timeout: float,
        extract_depth: Literal["basic", "advanced"],
    ) -> JsonObject | str:
        """Read pages whose addresses you know and return the passages of each that answer your query. To find addresses first, use web_search."""
