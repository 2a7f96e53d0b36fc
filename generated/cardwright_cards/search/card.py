# Generated from specs/search.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`SearchTool` and the params of its capabilities."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, cast, override

from pydantic import Field

from cardwright.core import (
    BaseToolParam,
    Channels,
    JsonObject,
    ToolCard,
    ToolPolicy,
    policy,
    served,
)

if TYPE_CHECKING:
    from .contract import SearchContract


class WebSearch(BaseToolParam):
    """Find pages by a query."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    migrations: ClassVar[Mapping[str, Mapping[object, object]]] = {"search_depth": {None: "basic"}}
    expose: set[Channels] = {Channels.TOOL_CALL}

    max_results: Annotated[
        int, Field(description="Results when the model names no number; the service takes 0 to 20.")
    ] = 5
    search_depth: Annotated[
        Literal["basic", "advanced"], Field(description="Depth when the model names none.")
    ] = "basic"


class WebCrawl(BaseToolParam):
    """Walk a site along its links."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    migrations: ClassVar[Mapping[str, Mapping[object, object]]] = {"extract_depth": {None: "basic"}}
    expose: set[Channels] = {Channels.TOOL_CALL}

    timeout: Annotated[
        float, Field(description="Seconds when the model names none; the service takes 10 to 150.")
    ] = 150.0
    max_depth: Annotated[
        int | None,
        Field(description="Links away from the start, 1 to 5; null leaves it to the service."),
    ] = None
    max_breadth: Annotated[
        int | None,
        Field(description="Links followed per page, 1 to 500; null leaves it to the service."),
    ] = None
    limit: Annotated[
        int | None, Field(description="Pages in all, 1 or more; null leaves it to the service.")
    ] = None
    extract_depth: Annotated[
        Literal["basic", "advanced"], Field(description="Depth when the model names none.")
    ] = "basic"


class WebFetch(BaseToolParam):
    """Read pages by their addresses."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    migrations: ClassVar[Mapping[str, Mapping[object, object]]] = {"extract_depth": {None: "basic"}}
    expose: set[Channels] = {Channels.TOOL_CALL}

    timeout: Annotated[
        float,
        Field(description="Seconds when the model names none; the service takes about 1 to 60."),
    ] = 30.0
    extract_depth: Annotated[
        Literal["basic", "advanced"], Field(description="Depth when the model names none.")
    ] = "basic"
    chunks_per_source: Annotated[
        int, Field(description="Passages of each page when the model names no number.")
    ] = 3


class SearchTool(ToolCard):
    """Search, read and crawl the web.

    Serves web search, page extraction and site crawling through the Tavily API. Every number and depth of the configuration is the default of the tool argument of that name: it biases the model and never binds it. Nothing here raises: whatever goes wrong is text the model can read.
    """

    logic_path: ClassVar[str] = "cardwright.search.logic:SearchLogic"
    observer_type: ClassVar[type[object] | None] = None

    web_search: Annotated[WebSearch | bool, Field(description="Find pages by a query.")] = True
    web_crawl: Annotated[WebCrawl | bool, Field(description="Walk a site along its links.")] = True
    web_fetch: Annotated[WebFetch | bool, Field(description="Read pages by their addresses.")] = (
        True
    )

    @property
    def logic(self) -> "SearchContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("SearchContract", self.bound_logic())

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if web_search := served(self.web_search, WebSearch, Channels.TOOL_CALL):
            found.append(self._web_search(web_search))
        if web_crawl := served(self.web_crawl, WebCrawl, Channels.TOOL_CALL):
            found.append(self._web_crawl(web_crawl))
        if web_fetch := served(self.web_fetch, WebFetch, Channels.TOOL_CALL):
            found.append(self._web_fetch(web_fetch))
        return found

    def _web_search(self, config: WebSearch) -> Callable[..., JsonObject | str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def web_search(
            query: Annotated[str, Field(description="What to search for.")],
            max_results: Annotated[
                int, Field(description="Results at most, from 0 to 20.")
            ] = config.max_results,
            search_depth: Annotated[
                Literal["basic", "advanced"],
                Field(
                    description="basic is fast; advanced is slower, dearer and finds more relevant passages."
                ),
            ] = config.search_depth,
        ) -> JsonObject | str:
            """Search the web. Returns titles, addresses and a snippet of each page, the best match first. Read a page that looks right with web_fetch; explore a whole site with web_crawl."""
            return self.logic.web_search(
                config, query=query, max_results=max_results, search_depth=search_depth
            )

        return config.describe(web_search)

    def _web_crawl(self, config: WebCrawl) -> Callable[..., JsonObject | str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def web_crawl(
            url: Annotated[str, Field(description="Page to start from.")],
            crawl_instructions: Annotated[
                str,
                Field(
                    description="What you are looking for, in plain words: it decides which links are followed and what comes back."
                ),
            ],
            timeout: Annotated[
                float, Field(description="Seconds to wait, from 10 to 150.")
            ] = config.timeout,
            max_depth: Annotated[
                int | None,
                Field(
                    description="Links away from the start at most, from 1 to 5; null leaves it to the service."
                ),
            ] = config.max_depth,
            max_breadth: Annotated[
                int | None,
                Field(
                    description="Links followed per page at most, from 1 to 500; null leaves it to the service."
                ),
            ] = config.max_breadth,
            limit: Annotated[
                int | None,
                Field(description="Pages at most, 1 or more; null leaves it to the service."),
            ] = config.limit,
            extract_depth: Annotated[
                Literal["basic", "advanced"],
                Field(
                    description="basic is fast; advanced also reads tables and embedded content."
                ),
            ] = config.extract_depth,
        ) -> JsonObject | str:
            """Follow the links of a site from one page and return the content of the pages that serve your purpose. To read pages whose addresses you know, use web_fetch, which is faster."""
            return self.logic.web_crawl(
                config,
                url=url,
                crawl_instructions=crawl_instructions,
                timeout=timeout,
                max_depth=max_depth,
                max_breadth=max_breadth,
                limit=limit,
                extract_depth=extract_depth,
            )

        return config.describe(web_crawl)

    def _web_fetch(self, config: WebFetch) -> Callable[..., JsonObject | str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def web_fetch(
            urls: Annotated[list[str], Field(description="Addresses of the pages.")],
            query: Annotated[
                str,
                Field(
                    description="What you want to learn from the pages; it selects the passages that come back."
                ),
            ],
            chunks_per_source: Annotated[
                int, Field(description="Passages of each page at most.")
            ] = config.chunks_per_source,
            timeout: Annotated[
                float, Field(description="Seconds to wait, from about 1 to 60.")
            ] = config.timeout,
            extract_depth: Annotated[
                Literal["basic", "advanced"],
                Field(
                    description="basic is fast; advanced also reads tables and embedded content."
                ),
            ] = config.extract_depth,
        ) -> JsonObject | str:
            """Read pages whose addresses you know and return the passages of each that answer your query. To find addresses first, use web_search."""
            return self.logic.web_fetch(
                config,
                urls=urls,
                query=query,
                chunks_per_source=chunks_per_source,
                timeout=timeout,
                extract_depth=extract_depth,
            )

        return config.describe(web_fetch)
