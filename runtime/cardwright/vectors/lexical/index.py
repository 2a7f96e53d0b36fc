"""The inverted index."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from math import log
from typing import Final

from .dense import Bounds, DenseWord, numbers_of, without
from .words import words

_K1: Final = 1.2
_B: Final = 0.75
# Scores that differ by less are of equal rank: sums of the same parts differ in their last bits.
_DIGITS: Final = 9
_NOISE: Final = 10**-_DIGITS
# A word is common from so many texts on, and from such a part of all texts on.
_COMMON: Final = 256
_COMMON_PART: Final = 64
# Fewer allowed texts than such a part of all are looked at one by one.
_FEW_PART: Final = 16
# So many texts are scored one by one; more are taken in groups of equal ones first.
_BAND: Final = 1500
_GROUPS: Final = 16
# How many times the wanted number of texts say what the best few reach at least.
_SAMPLE: Final = 8

type _Term = tuple[float, str, Mapping[int, int]]
"""Weight, word and postings: count by number of the text."""


@dataclass(slots=True)
class _Text:
    number: int
    counts: Counter[str]
    length: int


class LexicalIndex:
    """Ranks texts by the words of a query (BM25); a change costs the words of the changed text.

        score = sum over query words of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len / avg))
        idf = ln(1 + (n - df + 0.5) / (df + 0.5)), k1 = 1.2, b = 0.75

    Equal scores stand in the order in which their texts were first put. Not for several threads.

    A search for the best few scores the texts of rare words one by one. For words that many texts
    have, bounds of all texts are added as bytes, and only texts whose bound reaches the best few
    are scored: the answer is that of scoring all.
    """

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """Start with the given pairs of id and text."""
        self._texts: dict[str, _Text] = {}
        self._ids: dict[int, str] = {}
        self._lengths: dict[int, int] = {}
        self._postings: dict[str, dict[int, int]] = {}
        self._dense: dict[str, DenseWord] = {}
        self._total = 0
        self._next = 0
        for ref_id, text in texts:
            self.put(ref_id, text)

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._texts)

    def __contains__(self, ref_id: object) -> bool:
        """Whether a text of that id is there."""
        return ref_id in self._texts

    def put(self, ref_id: str, text: str) -> None:
        """Add a text, or replace that of the same id, which keeps its place among equals."""
        old = self._texts.get(ref_id)
        if old is not None:
            self._forget(old)
        number = self._next if old is None else old.number
        self._next = max(self._next, number + 1)
        counts = Counter(words(text))
        entry = self._texts[ref_id] = _Text(number, counts, counts.total())
        self._ids[number] = ref_id
        self._lengths[number] = entry.length
        self._total += entry.length
        for word, count in counts.items():
            self._enter(word, number, count)

    def discard(self, ref_id: str) -> None:
        """Remove the text of that id, if it is there."""
        entry = self._texts.pop(ref_id, None)
        if entry is not None:
            self._forget(entry)
            del self._ids[entry.number]
            if self._next > 2 * len(self._texts) + _COMMON:
                self._renumber()

    def search(
        self, query: str, top_k: int | None = None, allowed: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """Ids and scores of the texts that share a word with `query`, best first.

        Args:
            query: any text; one without words finds nothing.
            top_k: how many at most; None finds all.
            allowed: only these ids are looked at, if given.

        Raises:
            ValueError: `top_k` is below 1.
        """
        if top_k is not None and top_k < 1:
            raise ValueError(f"top_k must be 1 or more, not {top_k}")
        terms = self._known(query)
        numbers = self._numbers(allowed)
        if top_k is None:
            scores = self._scores(terms, numbers, None)
        else:
            scores = self._best(terms, numbers, top_k)
        ranked = [(round(score, _DIGITS), -number) for number, score in scores.items()]
        best = sorted(ranked, reverse=True) if top_k is None else nlargest(top_k, ranked)
        return [(self._ids[-place], score) for score, place in best]

    def relative(
        self, query: str, top_k: int | None = None, allowed: Collection[str] | None = None
    ) -> dict[str, float]:
        """As `search`, with scores as a part of the best one: above 0, at most 1."""
        hits = self.search(query, top_k, allowed)
        return {ref_id: score / hits[0][1] for ref_id, score in hits}

    def _enter(self, word: str, number: int, count: int) -> None:
        postings = self._postings.setdefault(word, {})
        postings[number] = count
        dense = self._dense.get(word)
        if dense is not None:
            dense.put(number, count, self._lengths[number])
        elif len(postings) >= max(_COMMON, len(self._texts) // _COMMON_PART):
            self._dense[word] = DenseWord(postings.items(), self._lengths)

    def _forget(self, entry: _Text) -> None:
        self._total -= entry.length
        del self._lengths[entry.number]
        for word in entry.counts:
            postings = self._postings[word]
            del postings[entry.number]
            if word in self._dense:
                self._dense[word].drop(entry.number)
            if not postings:
                del self._postings[word]
                self._dense.pop(word, None)

    def _renumber(self) -> None:
        """Close the gaps of removed texts, whose number is what has to be removed between two."""
        entries = sorted(self._texts.items(), key=lambda item: item[1].number)
        self._ids, self._lengths, self._postings, self._dense = {}, {}, {}, {}
        for number, (ref_id, entry) in enumerate(entries):
            entry.number = number
            self._ids[number] = ref_id
            self._lengths[number] = entry.length
            for word, count in entry.counts.items():
                self._enter(word, number, count)
        self._next = len(entries)

    def _numbers(self, allowed: Collection[str] | None) -> set[int] | None:
        if allowed is None:
            return None
        return {self._texts[ref_id].number for ref_id in allowed if ref_id in self._texts}

    def _known(self, query: str) -> list[_Term]:
        """The words of the query that some text has, rarest first."""
        found = [word for word in dict.fromkeys(words(query)) if word in self._postings]
        terms = [(self._weight(len(self._postings[it])), it, self._postings[it]) for it in found]
        return sorted(terms, key=lambda term: -term[0])

    def _weight(self, texts: int) -> float:
        return log(1 + (len(self._texts) - texts + 0.5) / (texts + 0.5)) * (_K1 + 1)

    def _best(self, terms: list[_Term], allowed: set[int] | None, top_k: int) -> dict[int, float]:
        """Scores by number, of the best `top_k` and some others."""
        few = allowed is not None and len(allowed) * _FEW_PART < len(self._texts)
        common = [] if few else [term for term in terms if term[1] in self._dense]
        rare = [term for term in terms if term not in common]
        rest = sum(weight for weight, _, _ in common)
        scores = self._scores(rare, allowed, top_k, rest)
        for weight, _, postings in common:
            self._add(scores, weight, _chosen(postings, scores))
        if common and _kth(scores, top_k) <= rest + _NOISE:
            self._add_common(scores, common, allowed, top_k)
        return scores

    def _scores(
        self, terms: list[_Term], allowed: set[int] | None, top_k: int | None, more: float = 0.0
    ) -> dict[int, float]:
        """Scores by number; those that cannot be among the best `top_k` may be missing.

        `more` is what words that are not among `terms` can add.
        """
        scores: dict[int, float] = {}
        rest = more + sum(weight for weight, _, _ in terms)
        for weight, _, postings in terms:
            closed = _kth(scores, top_k) > rest + _NOISE
            self._add(scores, weight, _chosen(postings, scores if closed else allowed))
            rest -= weight
        return scores

    def _add_common(
        self, scores: dict[int, float], common: list[_Term], allowed: set[int] | None, top_k: int
    ) -> None:
        """Score the texts that can be among the best by their common words alone."""
        bounds = Bounds(
            [(weight, self._dense[word]) for weight, word, _ in common],
            self._part,
            self._next,
            None if allowed is None else _mask(allowed, self._next),
        )
        sample = bounds.from_on(bounds.reached_by(_SAMPLE * top_k))
        self._score(scores, common, list(islice(numbers_of(sample), 2 * _SAMPLE * top_k)))
        # One unit less, for sums of floats that end in other digits.
        least = int(_kth(scores, top_k) / bounds.unit) - 1
        band = bounds.from_on(least)
        for _ in range(_GROUPS):
            if len(band) - band.count(0) <= _BAND:
                break
            alike = bounds.alike(band.index(0xFF))
            if alike is None:
                break
            inside = (number for number in numbers_of(alike) if band[number])
            self._score(scores, common, list(islice(inside, top_k)))
            band = without(band, alike)
        self._score(scores, common, list(numbers_of(band)))

    def _score(self, scores: dict[int, float], terms: list[_Term], numbers: list[int]) -> None:
        """Score texts that have none of the rarer words; those with scores keep theirs."""
        fresh = {number: None for number in numbers if number not in scores}
        made: dict[int, float] = {}
        for weight, _, postings in terms:
            self._add(made, weight, _chosen(postings, fresh.keys()))
        scores.update(made)

    def _part(self, count: int, length: int) -> float:
        slope = _K1 * _B * len(self._texts) / max(self._total, 1)
        return count / (count + _K1 * (1 - _B) + slope * length)

    def _add(
        self, scores: dict[int, float], weight: float, chosen: Iterable[tuple[int, int]]
    ) -> None:
        base = _K1 * (1 - _B)
        slope = _K1 * _B * len(self._texts) / max(self._total, 1)
        lengths, known = self._lengths, scores.get
        for number, count in chosen:
            scores[number] = known(number, 0.0) + weight * count / (
                count + base + slope * lengths[number]
            )


def _mask(numbers: Iterable[int], size: int) -> int:
    """All bits for each of these texts."""
    mask = bytearray(size)
    for number in numbers:
        mask[number] = 0xFF
    return int.from_bytes(mask, "little")


def _kth(scores: dict[int, float], top_k: int | None) -> float:
    """A score that `top_k` texts reach already: no new text can pass them with less."""
    if top_k is None or len(scores) < top_k:
        return 0.0
    return nlargest(top_k, scores.values())[-1]


def _chosen(postings: Mapping[int, int], only: Collection[int] | None) -> Iterable[tuple[int, int]]:
    """The postings of `only`, looked up from the shorter side."""
    if only is None:
        return postings.items()
    if len(only) < len(postings):
        return [(number, postings[number]) for number in only if number in postings]
    return [item for item in postings.items() if item[0] in only]
