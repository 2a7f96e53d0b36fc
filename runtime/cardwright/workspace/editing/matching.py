"""Where an anchor stands in a text: exactly, or after harmless differences are set aside.

Each step of the cascade sets a little more aside than the one before; the first step that finds the
anchor decides, and what it finds is always a span of exact characters of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from . import views
from .escapes import escape_sequences, kinds_of, unescaped
from .fuzzy import alike_places
from .views import Chain, Simplification, View

type Strategy = Literal[
    "exact",
    "trailing_trimmed",
    "unicode_normalised",
    "dedented",
    "line_trimmed",
    "whitespace_normalised",
    "trimmed_boundary",
    "escape_normalised",
    "fuzzy",
]

EXACT: tuple[Simplification, ...] = (views.line_feeds,)
TRAILING = (*EXACT, views.trailing_blanks)
UNICODE = (views.line_feeds, views.lookalikes, views.trailing_blanks)
TRIMMED = (*UNICODE, views.leading_blanks)
COLLAPSED = (*TRIMMED, views.inner_blanks)
RESOLVED = (*EXACT, escape_sequences)
STEPS: tuple[tuple[Strategy, tuple[Simplification, ...]], ...] = (
    ("exact", EXACT),
    ("trailing_trimmed", TRAILING),
    ("unicode_normalised", UNICODE),
    ("line_trimmed", TRIMMED),
    ("whitespace_normalised", COLLAPSED),
)
INDENTATION_SET_ASIDE: frozenset[Strategy] = frozenset(
    {"dedented", "line_trimmed", "whitespace_normalised", "trimmed_boundary", "fuzzy"}
)
MOST_PLACES = 1000
"""A single place is wanted: of more places than this nobody needs the number."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A place of the anchor: `[start, end)` in characters of the text, and the step that found it.

    `anchor` is what was looked for there: the anchor as given, or with its escapes resolved.
    """

    start: int
    end: int
    strategy: Strategy
    anchor: str


@dataclass(frozen=True, slots=True)
class _Needle:
    """An anchor as one step sees it, and whether it must begin or end with a line."""

    text: str
    begins_line: bool
    ends_line: bool

    @classmethod
    def of(cls, anchor: str, steps: tuple[Simplification, ...], *, bare: bool = False) -> "_Needle":
        text = views.simplified(anchor, steps)
        text = text.strip("\n") if bare else text
        return cls(
            text,
            begins_line=anchor[:1].isspace() and text[:1] != anchor[:1].replace("\r", "\n"),
            ends_line=anchor[-1:].isspace() and not text[-1:].isspace(),
        )

    def fits(self, seen: str, start: int, end: int) -> bool:
        """Whether lines begin and end around `[start, end)` where they must."""
        return (not self.begins_line or start == 0 or seen[start - 1] == "\n") and (
            not self.ends_line or end == len(seen) or seen[end] == "\n"
        )


class EditMatcher:
    """Finds anchors in one text; what a step needs of the text is made once, when it is needed."""

    def __init__(self, content: str) -> None:
        self.content = content
        self._chains: dict[tuple[Simplification, ...], Chain] = {}
        self._views: dict[tuple[Simplification, str], View] = {}

    def find(
        self, anchor: str, *, exact_only: bool = False, everywhere: bool = False
    ) -> list[MatchResult]:
        """The places of `anchor` by the first step that finds any, in order; empty for none.

        Args:
            anchor: Text to find; must not be empty.
            exact_only: Leave it at exact matches, line endings aside.
            everywhere: Places are to be replaced all: none overlap and all are given. Otherwise
                overlapping ones are found as well, and no more than `MOST_PLACES`.
        """
        found = self._at(anchor, "exact", EXACT, everywhere=everywhere)
        if found or exact_only:
            return found
        return self._tolerant(anchor, everywhere=everywhere)

    def _tolerant(self, anchor: str, *, everywhere: bool) -> list[MatchResult]:
        if not anchor.strip():
            return []
        for candidate in dict.fromkeys((anchor, unescaped(anchor))):
            for strategy, steps in STEPS:
                found = self._at(candidate, strategy, steps, everywhere=everywhere)
                if found:
                    return self._named(found, escaped=candidate != anchor)
            found = self._bare(candidate, everywhere=everywhere)
            if found:
                return self._named(found, escaped=candidate != anchor)
        found = self._resolved(anchor, everywhere=everywhere)
        return found if found or everywhere else self._fuzzy(anchor)

    def _resolved(self, anchor: str, *, everywhere: bool) -> list[MatchResult]:
        """Places where the text has escapes for what the anchor has itself."""
        chain = self._chain(RESOLVED)
        needle = _Needle(anchor.replace("\r\n", "\n"), begins_line=False, ends_line=False)
        if not chain.views:
            return []
        found = self._search(needle, anchor, "escape_normalised", RESOLVED, everywhere=everywhere)
        places = [self.content[match.start : match.end] for match in found]
        mixed = any("\n" in place and "n" in kinds_of(place) for place in places)
        return [] if mixed else found

    def _named(self, found: list[MatchResult], *, escaped: bool) -> list[MatchResult]:
        """Those that keep the shape of the anchor's indentation, if any; named by their step."""
        strategy = found[0].strategy
        if strategy == "line_trimmed":
            shaped = [match for match in found if self._same_shape(match)]
            found = shaped or found
            strategy = "dedented" if shaped else strategy
        if escaped and strategy not in INDENTATION_SET_ASIDE:
            strategy = "escape_normalised"
        return [MatchResult(each.start, each.end, strategy, each.anchor) for each in found]

    def _same_shape(self, match: MatchResult) -> bool:
        """Whether each level of the anchor's indentation stands for one level at the place."""
        wanted = indents(match.anchor)
        found = indents(self.whole_lines(match))
        forth = dict(zip(wanted, found, strict=False))
        back = dict(zip(found, wanted, strict=False))
        return all(forth[a] == b and back[b] == a for a, b in zip(wanted, found, strict=False))

    def whole_lines(self, match: MatchResult) -> str:
        """The matched text, with the indentation before it if nothing else is."""
        return self.content[self.indented_start(match) : match.end]

    def indented_start(self, match: MatchResult) -> int:
        """Where the line of the match begins if only blanks precede it, else where it starts."""
        start = match.start
        while start and self.content[start - 1] in " \t":
            start -= 1
        return start if not start or self.content[start - 1] in "\r\n" else match.start

    def _bare(self, anchor: str, *, everywhere: bool) -> list[MatchResult]:
        needle = _Needle.of(anchor, COLLAPSED, bare=True)
        bare = anchor.strip("\r\n")
        return self._search(needle, bare, "trimmed_boundary", COLLAPSED, everywhere=everywhere)

    def _at(
        self,
        anchor: str,
        strategy: Strategy,
        steps: tuple[Simplification, ...],
        *,
        everywhere: bool,
    ) -> list[MatchResult]:
        needle = _Needle.of(anchor, steps)
        return self._search(needle, anchor, strategy, steps, everywhere=everywhere)

    def _search(
        self,
        needle: _Needle,
        anchor: str,
        strategy: Strategy,
        steps: tuple[Simplification, ...],
        *,
        everywhere: bool,
    ) -> list[MatchResult]:
        chain = self._chain(steps)
        places = _occurrences(chain.text, needle.text, everywhere=everywhere)
        found = (
            MatchResult(*span, strategy, anchor)
            for start in places
            if needle.fits(chain.text, start, start + len(needle.text))
            and (span := chain.span(start, start + len(needle.text))) is not None
        )
        return list(found if everywhere else islice(found, MOST_PLACES))

    def _chain(self, steps: tuple[Simplification, ...]) -> Chain:
        if steps not in self._chains:
            self._chains[steps] = Chain.of(self.content, steps, self._views)
        return self._chains[steps]

    @cached_property
    def _lines(self) -> list[str]:
        return self._chain(COLLAPSED).text.split("\n")

    def _fuzzy(self, anchor: str) -> list[MatchResult]:
        chain = self._chain(COLLAPSED)
        wanted = views.simplified(anchor, COLLAPSED).split("\n")
        found: list[MatchResult] = []
        for start, end in alike_places(self._lines, wanted):
            span = chain.span(start, end)
            if span is not None:
                found.append(MatchResult(*span, "fuzzy", anchor.strip("\r\n")))
        return found


def _occurrences(text: str, needle: str, *, everywhere: bool) -> Iterator[int]:
    """Where `needle` begins in `text`; overlapping places count unless all are replaced."""
    if not needle:
        return
    first = text.find(needle)
    if first < 0:
        return
    yield first
    second = first + 1
    if not everywhere:
        second = text.find(needle, first + 1)
        if second < 0:
            return
        if second < first + len(needle):
            yield second
    for found in re.compile(re.escape(needle)).finditer(text, max(second, first + len(needle))):
        yield found.start()


def indents(text: str) -> list[str]:
    """The indentation of each line that is not blank."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
