"""Behaviour of `SearchTool`: each call becomes one request to Tavily."""

import logging
from typing import Final, Literal, final, override

from cardwright.core import JsonObject
from cardwright_cards.search import WebCrawl, WebFetch, WebSearch
from cardwright_cards.search.contract import SearchContract

from .answer import answer
from .key import API_KEY, api_key

logger = logging.getLogger(__name__)

type Depth = Literal["basic", "advanced"]

_FORMAT: Final = "markdown"


@final
class SearchLogic(SearchContract):
    """Passes the model's arguments on and never raises: a failure is text the model can read."""

    @override
    def bind(self) -> None:
        """Warn once when the card cannot work; its tools are served all the same."""
        if api_key() is None:
            logger.warning("web search, fetch and crawl are unavailable: set %s", API_KEY)

    @override
    def web_search(
        self, config: WebSearch, *, query: str, max_results: int, search_depth: Depth
    ) -> JsonObject | str:
        return answer(
            "web_search",
            lambda client: client.search(query, max_results=max_results, search_depth=search_depth),
        )

    @override
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
        extract_depth: Depth,
    ) -> JsonObject | str:
        bounds = {"max_depth": max_depth, "max_breadth": max_breadth, "limit": limit}
        given = {name: bound for name, bound in bounds.items() if bound is not None}
        return answer(
            "web_crawl",
            lambda client: client.crawl(
                url,
                timeout=timeout,
                format=_FORMAT,
                instructions=crawl_instructions,
                extract_depth=extract_depth,
                **given,
            ),
        )

    @override
    def web_fetch(
        self,
        config: WebFetch,
        *,
        urls: list[str],
        query: str,
        chunks_per_source: int,
        timeout: float,
        extract_depth: Depth,
    ) -> JsonObject | str:
        return answer(
            "web_fetch",
            lambda client: client.extract(
                urls,
                format=_FORMAT,
                timeout=timeout,
                query=query,
                chunks_per_source=chunks_per_source,
                extract_depth=extract_depth,
            ),
        )
