"""Places that are nearly the anchor: a misremembered word, a missing blank line.

Lines are compared as the last step of the cascade sees them. A place counts if as a whole it is at
least `THRESHOLD` alike, no line of it is a different line altogether, its numbers agree, and it
neither begins nor ends with text that the anchor does not have.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from rapidfuzz import fuzz, process
from rapidfuzz.distance import Levenshtein

THRESHOLD = 0.85
LINE_THRESHOLD = 0.6
SHORTEST = 20
"""Characters of an anchor below which nearly the same means nothing."""
LONGEST = 20_000
"""Characters above which an anchor must be right: comparing takes the square of them."""
PROBES = 6
MOST_CANDIDATES = 200

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a text that are not blank, and where each begins."""

    texts: list[str]
    starts: list[int]

    @classmethod
    def of(cls, lines: Sequence[str]) -> "_Lines":
        offsets = accumulate((len(line) + 1 for line in lines), initial=0)
        kept = [(line, start) for line, start in zip(lines, offsets, strict=False) if line]
        return cls([line for line, _ in kept], [start for _, start in kept])


def alike_places(lines: Sequence[str], wanted: Sequence[str]) -> list[tuple[int, int]]:
    r"""Spans of `"\n".join(lines)` that are nearly `wanted`, best first, none overlapping.

    Args:
        lines: The text.
        wanted: Lines of the anchor.
    """
    anchor = [line for line in wanted if line]
    if not SHORTEST <= sum(map(len, anchor)) <= LONGEST:
        return []
    text = _Lines.of(lines)
    scored = sorted(
        (-score, at)
        for at in _candidates(text.texts, anchor)
        if (score := _score(text.texts[at : at + len(anchor)], anchor)) >= THRESHOLD
    )
    taken: list[int] = []
    for _, at in scored:
        if all(abs(at - other) >= len(anchor) for other in taken):
            taken.append(at)
    return [_span(text, at, at + len(anchor) - 1) for at in taken]


def _span(text: _Lines, first: int, last: int) -> tuple[int, int]:
    return text.starts[first], text.starts[last] + len(text.texts[last])


def _candidates(lines: list[str], anchor: list[str]) -> list[int]:
    """First lines of the places where every one of the anchor's longest lines has a similar line.

    None if there are too many to be told apart.
    """
    first, *further = sorted(range(len(anchor)), key=lambda at: -len(anchor[at]))[:PROBES]
    numbers = _NUMBER.findall(anchor[first])
    places: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        places.setdefault(line, []).append(place)
    alike = process.extract(
        anchor[first],
        [line for line in places if _NUMBER.findall(line) == numbers],
        scorer=fuzz.ratio,
        limit=None,
        score_cutoff=100 * LINE_THRESHOLD,
    )
    starts = (place - first for line, _, _ in alike for place in places[line])
    found = [at for at in starts if 0 <= at <= len(lines) - len(anchor)]
    for probe in further:
        found = [at for at in found if _is_like(anchor[probe], lines[at + probe])]
    return sorted(found) if len(found) <= MOST_CANDIDATES else []


def _is_like(one: str, other: str) -> bool:
    """Whether two lines may be the same line, misremembered."""
    score = fuzz.ratio(one, other, score_cutoff=100 * LINE_THRESHOLD)
    return score > 0 and _NUMBER.findall(one) == _NUMBER.findall(other)


def _score(place: list[str], anchor: list[str]) -> float:
    """How much alike they are, from 0 to 1; 0 if the place does not count."""
    here, there = "\n".join(anchor), "\n".join(place)
    score = fuzz.ratio(here, there, score_cutoff=100 * THRESHOLD) / 100
    if not score:
        return 0
    if not all(_is_like(one, other) for one, other in zip(anchor, place, strict=True)):
        return 0
    return 0 if _has_more(anchor[0], place[0], -1) or _has_more(anchor[-1], place[-1], 1) else score


def _has_more(anchor: str, line: str, side: int) -> bool:
    """Whether the line goes on beyond the anchor at its beginning (-1) or its end (1)."""
    steps = Levenshtein.opcodes(anchor, line)
    return bool(steps) and steps[0 if side < 0 else -1].tag == "insert"
