"""The web through Tavily: search, read, crawl.

Everybody else uses the card and its three params.
"""

from cardwright_cards.search import SearchTool, WebCrawl, WebFetch, WebSearch

__all__ = ["SearchTool", "WebCrawl", "WebFetch", "WebSearch"]
