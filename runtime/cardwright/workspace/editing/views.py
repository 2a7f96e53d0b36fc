"""Simplified views of a text, and the way back to the exact characters they stand for."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, chain
from operator import sub

import regex

type Change = tuple[int, int, str]
"""Start and end of a piece of the text, and what the view shows instead."""

type Simplification = Callable[[str], Iterator[Change]]
"""Finds the pieces that a view shows differently, in order."""


@dataclass(frozen=True, slots=True)
class View:
    """A text after some pieces were replaced; each piece stays one unit on the way back."""

    text: str
    shown: list[int] = field(default_factory=list[int])
    lengths: list[int] = field(default_factory=list[int])
    ends: list[int] = field(default_factory=list[int])
    starts: list[int] = field(default_factory=list[int])

    @classmethod
    def of(cls, text: str, simplify: Simplification) -> "View":
        """The view of `text` that `simplify` gives."""
        changes = list(simplify(text))
        if not changes:
            return cls(text)
        # Column by column: there may be hundreds of thousands.
        starts = [change[0] for change in changes]
        ends = [change[1] for change in changes]
        replacements = [change[2] for change in changes]
        lengths = list(map(len, replacements))
        shorter = accumulate(map(sub, map(sub, ends, starts), lengths), initial=0)
        shown = list(map(sub, starts, shorter))
        kept = [text[end:start] for end, start in zip((0, *ends), starts, strict=False)]
        pieces = chain.from_iterable(zip(kept, replacements, strict=True))
        return cls("".join(pieces) + text[ends[-1] :], shown, lengths, ends, starts)

    def start_of(self, position: int) -> int | None:
        """Where the character at `position` begins in the text; `None` inside a unit."""
        unit = bisect_right(self.shown, position) - 1
        if unit < 0:
            return position
        beyond = position - self.shown[unit] - self.lengths[unit]
        if beyond >= 0:
            return self.ends[unit] + beyond
        return self.starts[unit] if position == self.shown[unit] else None

    def end_of(self, position: int) -> int | None:
        """Where the character before `position` ends in the text; `None` inside a unit."""
        unit = bisect_right(self.shown, position - 1) - 1
        if unit < 0:
            return position
        beyond = position - self.shown[unit] - self.lengths[unit]
        return self.ends[unit] + beyond if beyond >= 0 else None


@dataclass(frozen=True, slots=True)
class Chain:
    """A text seen through several simplifications, one after the other."""

    source: str
    views: tuple[View, ...]

    @classmethod
    def of(
        cls,
        text: str,
        simplifications: tuple[Simplification, ...],
        known: dict[tuple[Simplification, str], View] | None = None,
    ) -> "Chain":
        """`text` as the last of `simplifications` leaves it.

        Args:
            text: What is to be looked at.
            simplifications: In this order.
            known: Views made before, to be shared with other chains.
        """
        known = {} if known is None else known
        views: list[View] = []
        current = text
        for simplify in simplifications:
            view = known.get((simplify, current)) or View.of(current, simplify)
            known[simplify, current] = view
            current = view.text
            if view.shown:
                views.append(view)
        return cls(text, tuple(views))

    @property
    def text(self) -> str:
        """What is seen in the end."""
        return self.views[-1].text if self.views else self.source

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The characters of the source behind `[start, end)`; `None` if a unit would be cut."""
        first: int | None = start
        last: int | None = end
        for view in reversed(self.views):
            if first is None or last is None:
                return None
            first, last = view.start_of(first), view.end_of(last)
        return None if first is None or last is None else (first, last)


def simplified(text: str, simplifications: tuple[Simplification, ...]) -> str:
    """Only the text that the chain of `simplifications` shows."""
    return Chain.of(text, simplifications).text


_CRLF = re.compile(r"\r\n")
# A run is looked at from its first blank only, which keeps the search linear.
_TRAILING = re.compile(r"(?<![ \t])[ \t]++(\r\n|\r|\n|\Z)|(\r\n?)")
_LEADING = re.compile(r"(?<![^\n])[ \t]+")
_INNER = re.compile(r" [ \t]+|\t[ \t]*")
_CLUSTER = regex.compile(r"([\u1100-\u11ff]+|\P{M}\p{M}+|[^\x00-\x7f])")
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u202f\u205f\u3000", " "),
        **{chr(code): " " for code in range(0x2000, 0x200B)},
        **dict.fromkeys("\u200b\u2060\ufeff\u00ad", ""),
        **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
        "\u2026": "...",
        "\u2192": "->",
        "\u00d7": "x",
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
    }
)
_LOOKALIKE = re.compile(f"[{''.join(map(chr, _LOOKALIKES))}]")


def line_feeds(text: str) -> Iterator[Change]:
    """CRLF as LF."""
    if "\r" in text:
        for found in _CRLF.finditer(text):
            yield found.start(), found.end(), "\n"


def trailing_blanks(text: str) -> Iterator[Change]:
    """Lines without the blanks at their ends, every line break as LF."""
    for found in _TRAILING.finditer(text):
        yield found.start(), found.end(), "\n" if found[1] or found[2] else ""


def lookalikes(text: str) -> Iterator[Change]:
    """Composed characters; typographic quotes, dashes, blanks and wide letters as plain ones."""
    if text.isascii():
        return
    if unicodedata.is_normalized("NFC", text):
        for single in _LOOKALIKE.finditer(text):
            yield single.start(), single.end(), single[0].translate(_LOOKALIKES)
        return
    pieces = [piece or "" for piece in _CLUSTER.split(text)]
    ends = list(accumulate(map(len, pieces)))
    clusters = pieces[1::2]
    shown = {cluster: plain(cluster) for cluster in set(clusters)}
    for start, end, cluster in zip(ends[::2], ends[1::2], clusters, strict=False):
        if shown[cluster] != cluster:
            yield start, end, shown[cluster]


def plain(text: str) -> str:
    """`text` composed, with plain characters for those that look alike."""
    return unicodedata.normalize("NFC", text).translate(_LOOKALIKES)


def leading_blanks(text: str) -> Iterator[Change]:
    """Lines without their indentation."""
    for found in _LEADING.finditer(text):
        yield found.start(), found.end(), ""


def inner_blanks(text: str) -> Iterator[Change]:
    """Each run of blanks as one space."""
    for found in _INNER.finditer(text):
        yield found.start(), found.end(), " "
