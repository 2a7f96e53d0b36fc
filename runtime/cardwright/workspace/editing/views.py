"""Simplified views of a text, and the way back to the exact characters they stand for."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import sub
from typing import Self

import regex

type Change = tuple[int, int, str]
"""Start and end of a piece of the text, and what the view shows instead."""

type Simplification = Callable[[str], View]
"""Makes the view of a text in which some kind of difference is gone."""


@dataclass(frozen=True)
class View:
    """A text after some pieces were replaced; each piece stays one unit on the way back."""

    text: str
    changes: Callable[[], Iterable[Change]] = tuple
    """The pieces in order, asked for once something is found: there may be very many."""

    @classmethod
    def by(cls, text: str, pattern: re.Pattern[str], shown: Callable[[re.Match[str]], str]) -> Self:
        """The view of `text` with everything that `pattern` finds replaced."""
        return cls(
            pattern.sub(shown, text),
            lambda: ((each.start(), each.end(), shown(each)) for each in pattern.finditer(text)),
        )

    @cached_property
    def _units(self) -> "_Units":
        return _Units.of(list(self.changes()))

    def start_of(self, position: int) -> int | None:
        """Where the character at `position` begins in the text; `None` inside a unit."""
        units = self._units
        unit = bisect_right(units.shown, position) - 1
        if unit < 0:
            return position
        beyond = position - units.shown[unit] - units.lengths[unit]
        if beyond >= 0:
            return units.ends[unit] + beyond
        return units.starts[unit] if position == units.shown[unit] else None

    def end_of(self, position: int) -> int | None:
        """Where the character before `position` ends in the text; `None` inside a unit."""
        units = self._units
        unit = bisect_right(units.shown, position - 1) - 1
        if unit < 0:
            return position
        beyond = position - units.shown[unit] - units.lengths[unit]
        return units.ends[unit] + beyond if beyond >= 0 else None


@dataclass(frozen=True, slots=True)
class _Units:
    """The replaced pieces, column by column: where and how long in the view, where in the text."""

    shown: list[int]
    lengths: list[int]
    ends: list[int]
    starts: list[int]

    @classmethod
    def of(cls, changes: list[Change]) -> Self:
        starts = [change[0] for change in changes]
        ends = [change[1] for change in changes]
        lengths = [len(change[2]) for change in changes]
        shorter = accumulate(map(sub, map(sub, ends, starts), lengths), initial=0)
        return cls(list(map(sub, starts, shorter)), lengths, ends, starts)


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
            view = known.get((simplify, current)) or simplify(current)
            known[simplify, current] = view
            if view.text != current:
                views.append(view)
            current = view.text
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
_BLANKS = (" ", "\t")
_TRAILING_SIGNS = ("\r", " \n", "\t\n")
_LEADING = re.compile(r"(?<![^\n])[ \t]+")
_INNER = re.compile(r" [ \t]+|\t[ \t]*")
# Letters beyond ASCII with the one before them, to which their marks may belong.
_RUN = re.compile(r"([\x00-\x7f]?[^\x00-\x7f]+)")
_CLUSTER = regex.compile(r"[\u1100-\u11ff]+|\P{M}\p{M}+|[^\x00-\x7f]")
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


def line_feeds(text: str) -> View:
    """CRLF as LF."""
    return View.by(text, _CRLF, lambda _: "\n") if "\r" in text else View(text)


def trailing_blanks(text: str) -> View:
    """Lines without the blanks at their ends, every line break as LF."""
    if not text.endswith(_BLANKS) and not any(sign in text for sign in _TRAILING_SIGNS):
        return View(text)
    return View.by(text, _TRAILING, lambda found: "\n" if found[1] or found[2] else "")


def lookalikes(text: str) -> View:
    """Composed characters; typographic quotes, dashes, blanks and wide letters as plain ones."""
    if text.isascii():
        return View(text)
    if unicodedata.is_normalized("NFC", text):
        return View.by(text, _LOOKALIKE, lambda found: found[0].translate(_LOOKALIKES))
    pieces = _RUN.split(text)
    # A text repeats its letters: each run is taken apart once.
    known = {run: _taken_apart(run) for run in set(pieces[1::2])}
    shown = {run: _put_together(run, changes) for run, changes in known.items()}
    pieces[1::2] = map(shown.__getitem__, pieces[1::2])

    def changes() -> Iterator[Change]:
        for found in _RUN.finditer(text):
            start = found.start()
            for first, last, instead in known[found[0]]:
                yield start + first, start + last, instead

    return View("".join(pieces), changes)


def _taken_apart(run: str) -> list[Change]:
    """The pieces of a run that are shown differently."""
    found = ((each.start(), each.end(), each[0]) for each in _CLUSTER.finditer(run))
    return [(start, end, plain(text)) for start, end, text in found if plain(text) != text]


def _put_together(run: str, changes: list[Change]) -> str:
    position, parts = 0, list[str]()
    for start, end, instead in changes:
        parts += (run[position:start], instead)
        position = end
    return "".join((*parts, run[position:]))


def plain(text: str) -> str:
    """`text` composed, with plain characters for those that look alike."""
    return unicodedata.normalize("NFC", text).translate(_LOOKALIKES)


def leading_blanks(text: str) -> View:
    """Lines without their indentation."""
    return View.by(text, _LEADING, lambda _: "")


def inner_blanks(text: str) -> View:
    """Each run of blanks as one space."""
    return View.by(text, _INNER, lambda _: " ")
