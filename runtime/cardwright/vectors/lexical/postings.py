"""The inverted index: which text has which word how often."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from .formula import Lengths, weight
from .words import words

COMMON: Final = 256
"""A word is common from so many texts on, and from such a part of all texts on."""
_COMMON_PART: Final = 64

MOST: Final = 255

type Encode = Callable[[int, int], int]
"""The byte that stands for a text which has a word: from its count of the word and its length."""


def capped(count: int, _length: int) -> int:
    """The count as a byte; one that is greater is looked up."""
    return min(count, MOST)


@dataclass(slots=True)
class _Text:
    number: int
    counts: Counter[str]
    length: int


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a query: the most that it adds, and the texts that have it."""

    weight: float
    counts: dict[int, int]
    codes: bytearray | None
    """A byte for each text if the word is common; texts without it have 0, as those beyond."""


class Postings:
    """Texts by number and words by text; a change costs the words of the changed text.

    Common words are kept twice: as counts by number, and as bytes that are read for all texts at
    once.
    """

    def __init__(self, encode: Encode) -> None:
        """Start without texts; `encode` makes the bytes of common words."""
        self._encode = encode
        self._texts: dict[str, _Text] = {}
        self._total = 0
        self._clear()

    def _clear(self) -> None:
        self.size = 0
        """One more than the greatest number."""
        self.lengths = array("I")
        """By number; those of numbers without a text mean nothing."""
        self._ids: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._codes: dict[str, bytearray] = {}

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._texts)

    def __contains__(self, ref_id: object) -> bool:
        """Whether a text of that id is there."""
        return ref_id in self._texts

    def id_of(self, number: int) -> str:
        """The id of a text."""
        return self._ids[number]

    def numbers_of(self, ref_ids: Iterable[str]) -> list[int]:
        """The numbers of those texts that are there."""
        return [number for number in map(self._numbers.get, ref_ids) if number is not None]

    def norm(self) -> Lengths:
        """How lengths count now."""
        return Lengths.of(len(self._texts), self._total)

    def put(self, ref_id: str, text: str) -> None:
        """Add a text, or replace that of the same id, which keeps its number."""
        counts = Counter(words(text))
        old = self._texts.get(ref_id)
        if old is not None:
            self._leave(old)
        number = self.size if old is None else old.number
        entry = self._texts[ref_id] = _Text(number, counts, counts.total())
        self._total += entry.length
        self._enter(ref_id, entry)

    def discard(self, ref_id: str) -> None:
        """Remove the text of that id, if it is there."""
        entry = self._texts.pop(ref_id, None)
        if entry is not None:
            self._leave(entry)
            del self._ids[entry.number], self._numbers[ref_id]
            if self.size > 2 * len(self._texts) + COMMON:
                self._renumber()

    def terms(self, query: str) -> list[Term]:
        """The words of the query that some text has, rarest first."""
        found = [word for word in dict.fromkeys(words(query)) if word in self._counts]
        terms = [self._term(word) for word in found]
        return sorted(terms, key=lambda term: -term.weight)

    def _term(self, word: str) -> Term:
        counts = self._counts[word]
        return Term(weight(len(self._texts), len(counts)), counts, self._codes.get(word))

    def _enter(self, ref_id: str, entry: _Text) -> None:
        number = entry.number
        self._ids[number] = ref_id
        self._numbers[ref_id] = number
        if number == self.size:
            self.size += 1
            self.lengths.append(entry.length)
        self.lengths[number] = entry.length
        for word, count in entry.counts.items():
            counts = self._counts.setdefault(word, {})
            counts[number] = count
            codes = self._codes.get(word)
            if codes is not None:
                _set(codes, number, self._encode(count, entry.length))
            elif len(counts) >= max(COMMON, len(self._texts) // _COMMON_PART):
                self._codes[word] = self._encoded(counts)

    def _encoded(self, counts: dict[int, int]) -> bytearray:
        codes = bytearray(max(counts) + 1)
        for number, count in counts.items():
            codes[number] = self._encode(count, self.lengths[number])
        return codes

    def _leave(self, entry: _Text) -> None:
        self._total -= entry.length
        for word in entry.counts:
            counts = self._counts[word]
            del counts[entry.number]
            if word in self._codes:
                self._codes[word][entry.number] = 0
            if not counts:
                del self._counts[word]
                self._codes.pop(word, None)

    def _renumber(self) -> None:
        """Close the gaps of removed texts: as many as stay have gone since the last time."""
        self._clear()
        entries = sorted(self._texts.items(), key=lambda item: item[1].number)
        for number, (ref_id, entry) in enumerate(entries):
            entry.number = number
            self._enter(ref_id, entry)


def _set(codes: bytearray, number: int, code: int) -> None:
    missing = number + 1 - len(codes)
    if missing > 0:
        codes.extend(bytes(missing))
    codes[number] = code
