"""Reads the pages of a built site as a browser without scripts would."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import override
from urllib.parse import unquote, urlsplit

LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


@dataclass
class Page(HTMLParser):
    """One page: its text, anchors, links, headings, and what it loads."""

    path: Path
    text: list[str] = field(default_factory=list[str])
    anchors: set[str] = field(default_factory=set[str])
    links: list[str] = field(default_factory=list[str])
    headings: list[int] = field(default_factory=list[int])
    loaded: list[str] = field(default_factory=list[str])
    _silent: int = 0

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if "id" in given:
            self.anchors.add(given["id"])
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADING and LOADING[tag] in given:
            self.loaded.append(given[LOADING[tag]])
        if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit():
            self.headings.append(int(tag[1]))
        self._silent += tag in {"script", "style"}

    @override
    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in {"script", "style"}

    @override
    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text.append(data)

    @property
    def words(self) -> str:
        """What a reader sees."""
        return " ".join("".join(self.text).split())


def pages_of(site: Path) -> dict[Path, Page]:
    return {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}


def faults_of(site: Path) -> list[str]:
    """Links that lead nowhere, headings out of order, and everything from outside."""
    pages = pages_of(site)
    found = [fault for page in pages.values() for fault in _faults(page, pages)]
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        if "url(http" in text or "url(//" in text or "@import" in text:
            found.append(f"{style.name}: loads from outside")
    return found


def _faults(page: Page, pages: dict[Path, Page]) -> Iterator[str]:
    for link in page.links:
        target, parts = _target(page.path, link), urlsplit(link)
        if target is None:
            continue  # outside: followed by people only
        if not target.exists():
            yield f"{page.path.name}: {link} leads nowhere"
        elif parts.fragment and parts.fragment not in pages[target].anchors:
            yield f"{page.path.name}: {link} has no such place"
    for one in page.loaded:
        target = _target(page.path, one)
        if target is None or not target.exists():
            yield f"{page.path.name}: loads {one}"
    steps = zip(page.headings, page.headings[1:], strict=False)
    if page.path.name == "search.html":
        return  # the one page that is a script
    if page.headings.count(1) != 1 or any(after > before + 1 for before, after in steps):
        yield f"{page.path.name}: headings {page.headings}"


def _target(page: Path, link: str) -> Path | None:
    """The file that a link leads to; `None` for one that leads out of the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    return (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
