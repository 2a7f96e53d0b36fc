"""The inverted index."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from heapq import nlargest
from math import log
from typing import Final

from .words import words

_K1: Final = 1.2
_B: Final = 0.75
# Scores that differ by less are of equal rank: sums of the same parts differ in their last bits.
_DIGITS: Final = 9


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
    """

    def __init__(self, texts: Iterable[tuple[str, str]] = ()) -> None:
        """Start with the given pairs of id and text."""
        self._texts: dict[str, _Text] = {}
        self._ids: dict[int, str] = {}
        self._lengths: dict[int, int] = {}
        self._postings: dict[str, dict[int, int]] = {}
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
            self._postings.setdefault(word, {})[number] = count

    def discard(self, ref_id: str) -> None:
        """Remove the text of that id, if it is there."""
        entry = self._texts.pop(ref_id, None)
        if entry is not None:
            self._forget(entry)
            del self._ids[entry.number]

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
        scores = self._scores(self._known(query), self._numbers(allowed), top_k)
        ranked = [(round(score, _DIGITS), -number) for number, score in scores.items()]
        best = sorted(ranked, reverse=True) if top_k is None else nlargest(top_k, ranked)
        return [(self._ids[-place], score) for score, place in best]

    def relative(
        self, query: str, top_k: int | None = None, allowed: Collection[str] | None = None
    ) -> dict[str, float]:
        """As `search`, with scores as a part of the best one: above 0, at most 1."""
        hits = self.search(query, top_k, allowed)
        return {ref_id: score / hits[0][1] for ref_id, score in hits}

    def _forget(self, entry: _Text) -> None:
        self._total -= entry.length
        del self._lengths[entry.number]
        for word in entry.counts:
            postings = self._postings[word]
            del postings[entry.number]
            if not postings:
                del self._postings[word]

    def _numbers(self, allowed: Collection[str] | None) -> set[int] | None:
        if allowed is None:
            return None
        return {self._texts[ref_id].number for ref_id in allowed if ref_id in self._texts}

    def _known(self, query: str) -> list[tuple[float, dict[int, int]]]:
        """Weight and postings of each word of the query that some text has, rarest first."""
        found = [
            self._postings[word] for word in dict.fromkeys(words(query)) if word in self._postings
        ]
        weighed = [(self._weight(len(postings)), postings) for postings in found]
        return sorted(weighed, key=lambda pair: -pair[0])

    def _weight(self, texts: int) -> float:
        return log(1 + (len(self._texts) - texts + 0.5) / (texts + 0.5)) * (_K1 + 1)

    def _scores(
        self,
        terms: list[tuple[float, dict[int, int]]],
        allowed: set[int] | None,
        top_k: int | None,
    ) -> dict[int, float]:
        """Scores by number; those that cannot be among the best `top_k` may be missing."""
        scores: dict[int, float] = {}
        rest = sum(weight for weight, _ in terms)
        for weight, postings in terms:
            closed = _kth(scores, top_k) > rest + 10**-_DIGITS
            self._add(scores, weight, _chosen(postings, scores if closed else allowed))
            rest -= weight
        return scores

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


def _kth(scores: dict[int, float], top_k: int | None) -> float:
    """A score that `top_k` texts reach already: no new text can pass them with less."""
    if top_k is None or len(scores) < top_k:
        return 0.0
    return nlargest(top_k, scores.values())[-1]


def _chosen(postings: dict[int, int], only: Collection[int] | None) -> Iterable[tuple[int, int]]:
    """The postings of `only`, looked up from the shorter side."""
    if only is None:
        return postings.items()
    if len(only) < len(postings):
        return [(number, postings[number]) for number in only if number in postings]
    return [item for item in postings.items() if item[0] in only]
