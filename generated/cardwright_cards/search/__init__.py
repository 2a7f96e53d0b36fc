# Generated from specs/search.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Search, read and crawl the web."""

from .card import SearchTool, WebCrawl, WebFetch, WebSearch

__all__ = ["SearchTool", "WebCrawl", "WebFetch", "WebSearch"]
