"""Many texts are scored one by one, but only those that can be among the best: without numpy."""

from collections.abc import Collection, Iterable
from heapq import nlargest
from itertools import islice
from typing import Final

from .dense import Bounds, numbers_of, without
from .formula import STEPS
from .postings import Postings, Term
from .singly import add, best_of, chosen

MOST_WORDS: Final = 100
"""Of a query; the bounds of more would not fit into a byte."""

# Scores that differ by less may be of equal rank.
_NOISE: Final = 2 / STEPS
# Fewer allowed texts than such a part of all are looked at one by one.
_FEW_PART: Final = 16
# So many texts are scored one by one; more are taken in groups of equal ones first.
_BAND: Final = 1500
_GROUPS: Final = 16
# How many times the wanted number of texts say what the best few reach at least.
_SAMPLE: Final = 8


def ranked(
    postings: Postings, terms: list[Term], top_k: int, allowed: Collection[int] | None
) -> list[tuple[int, float]]:
    """Numbers and scores of the `top_k` best texts with a word of `terms`, best first.

    The texts of rare words are scored one by one. For words that many texts have, bounds of all
    texts are added as bytes, and only texts whose bound reaches the best few are scored.
    """
    only = None if allowed is None else frozenset(allowed)
    return best_of(_Search(postings, terms, only).best(top_k), top_k)


class _Search:
    """One query, and the scores by number that are found."""

    def __init__(
        self, postings: Postings, terms: list[Term], allowed: frozenset[int] | None
    ) -> None:
        self._postings, self._terms, self._allowed = postings, terms, allowed
        self._scores: dict[int, float] = {}

    def best(self, top_k: int) -> dict[int, float]:
        """Of the best `top_k` texts and some others."""
        allowed = self._allowed
        few = allowed is not None and len(allowed) * _FEW_PART < len(self._postings)
        common = [] if few else [term for term in self._terms if term.codes is not None]
        rare = self._terms if few else [term for term in self._terms if term.codes is None]
        rest = sum(term.weight for term in common)
        self._add_rare(rare, top_k, rest)
        for term in common:
            self._add(self._scores, term, self._scores)
        if common and _kth(self._scores, top_k) <= rest + _NOISE:
            self._add_common(common, top_k)
        return self._scores

    def _add_rare(self, terms: list[Term], top_k: int, more: float) -> None:
        """Score the texts that can be among the best; `more` is what other words can add."""
        rest = more + sum(term.weight for term in terms)
        for term in terms:
            closed = _kth(self._scores, top_k) > rest + _NOISE
            only = self._scores if closed else self._allowed
            self._add(self._scores, term, only)
            rest -= term.weight

    def _add_common(self, common: list[Term], top_k: int) -> None:
        """Score the texts that can be among the best by their common words alone."""
        size = self._postings.size
        mask = None if self._allowed is None else _mask(self._allowed, size)
        words = [(term.weight, term.codes) for term in common if term.codes is not None]
        bounds = Bounds(words, self._postings.norm().part, size, mask)
        sample = bounds.from_on(bounds.reached_by(_SAMPLE * top_k))
        self._score(common, list(islice(numbers_of(sample), 2 * _SAMPLE * top_k)))
        # One unit less, for sums of floats that end in other digits.
        least = int(_kth(self._scores, top_k) / bounds.unit) - 1
        band = bounds.from_on(least)
        for _ in range(_GROUPS):
            if len(band) - band.count(0) <= _BAND:
                break
            alike = bounds.alike(band.index(0xFF))
            if alike is None:
                break
            inside = (number for number in numbers_of(alike) if band[number])
            self._score(common, list(islice(inside, top_k)))
            band = without(band, alike)
        self._score(common, list(numbers_of(band)))

    def _score(self, terms: list[Term], numbers: list[int]) -> None:
        """Score texts that have none of the rarer words; those with scores keep theirs."""
        fresh = {number: None for number in numbers if number not in self._scores}
        made: dict[int, float] = {}
        for term in terms:
            self._add(made, term, fresh.keys())
        self._scores.update(made)

    def _add(self, scores: dict[int, float], term: Term, only: Collection[int] | None) -> None:
        add(self._postings, scores, term, chosen(term.counts, only))


def _mask(numbers: Iterable[int], size: int) -> int:
    """All bits for each of these texts."""
    mask = bytearray(size)
    for number in numbers:
        mask[number] = 0xFF
    return int.from_bytes(mask, "little")


def _kth(scores: dict[int, float], top_k: int) -> float:
    """A score that `top_k` texts reach already: no new text can pass them with less."""
    if len(scores) < top_k:
        return 0.0
    return nlargest(top_k, scores.values())[-1]
