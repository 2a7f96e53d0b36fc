"""Keyword search over texts that come and go."""

from collections.abc import Collection, Iterable
from importlib.util import find_spec
from typing import Final

from . import bounded, singly
from .dense import class_of
from .postings import Postings, Term, capped

# So many pairs of word and text are scored one by one.
_FEW: Final = 2000


class LexicalIndex:
    """Ranks texts by the words of a query (BM25); a change costs the words of the changed text.

        score = sum over query words of idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * len / avg))
        idf = ln(1 + (n - df + 0.5) / (df + 0.5)), k1 = 1.2, b = 0.75

    Equal scores stand in the order in which their texts were first put. Not for several threads.
    The answers are the same with numpy and without; with it, words that many texts have cost less.
    """

    def __init__(
        self, texts: Iterable[tuple[str, str]] = (), *, arrays: bool | None = None
    ) -> None:
        """Start with the given pairs of id and text.

        Args:
            texts: put one after the other.
            arrays: whether to use numpy; None uses it where it is installed. It is loaded by the
                first query that many texts match.
        """
        self._arrays = find_spec("numpy") is not None if arrays is None else arrays
        self._postings = Postings(capped if self._arrays else class_of)
        for ref_id, text in texts:
            self.put(ref_id, text)

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._postings)

    def __contains__(self, ref_id: object) -> bool:
        """Whether a text of that id is there."""
        return ref_id in self._postings

    def put(self, ref_id: str, text: str) -> None:
        """Add a text, or replace that of the same id, which keeps its place among equals."""
        self._postings.put(ref_id, text)

    def discard(self, ref_id: str) -> None:
        """Remove the text of that id, if it is there."""
        self._postings.discard(ref_id)

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
        numbers = None if allowed is None else self._postings.numbers_of(allowed)
        found = self._ranked(self._postings.terms(query), top_k, numbers)
        return [(self._postings.id_of(number), score) for number, score in found]

    def relative(
        self, query: str, top_k: int | None = None, allowed: Collection[str] | None = None
    ) -> dict[str, float]:
        """As `search`, with scores as a part of the best one: above 0, at most 1."""
        hits = self.search(query, top_k, allowed)
        return {ref_id: score / hits[0][1] for ref_id, score in hits}

    def _ranked(
        self, terms: list[Term], top_k: int | None, numbers: list[int] | None
    ) -> list[tuple[int, float]]:
        if sum(len(term.counts) for term in terms) <= _FEW:
            return singly.ranked(self._postings, terms, top_k, numbers)
        if self._arrays:
            from . import arrays

            return arrays.ranked(self._postings, terms, top_k, numbers)
        if top_k is None or len(terms) > bounded.MOST_WORDS:
            return singly.ranked(self._postings, terms, top_k, numbers)
        return bounded.ranked(self._postings, terms, top_k, numbers)
