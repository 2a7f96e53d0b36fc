"""Common words: their texts as bytes, summed for all texts at once."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from math import ceil
from typing import Final

type Part = Callable[[int, int], float]
"""Part of a word's weight that a text gets: from its count of the word and its length; below 1."""

_COUNTS: Final = (1, 2, 3, 4, 6, 9)
"""Least count of each class."""
_LENGTHS: Final = (*range(20), *sorted({round(20 * 1.15**step) for step in range(22)}))
"""Least length of each class."""
_TOP: Final = 255
_ANY: Final = 1 << 20


def class_of(count: int, length: int) -> int:
    """The class of a text for a word, from 1 on; 0 stands for texts without the word."""
    first = (bisect_right(_COUNTS, count) - 1) * len(_LENGTHS)
    return first + bisect_right(_LENGTHS, length)


def is_exact(code: int) -> bool:
    """Whether all texts of a class have the same count and length."""
    return code == 0 or _EXACT[code - 1]


def _is_alone(classes: Sequence[int], at: int) -> bool:
    return at + 1 < len(classes) and classes[at + 1] == classes[at] + 1


_EXACT: Final = [
    _is_alone(_COUNTS, count) and _is_alone(_LENGTHS, length)
    for count in range(len(_COUNTS))
    for length in range(len(_LENGTHS))
]


def _table(weight: float, part: Part) -> bytes:
    bounds = [0]
    for above in (*_COUNTS[1:], _ANY):
        bounds += [ceil(weight * part(above - 1, length)) for length in _LENGTHS]
    return bytes(bounds).ljust(_TOP + 1, b"\0")


class Bounds:
    """For each text a whole number that its score, in units of `unit`, does not exceed."""

    def __init__(
        self, words: Sequence[tuple[float, bytearray]], part: Part, texts: int, mask: int | None
    ) -> None:
        """Add up the bounds of pairs of weight and word; `mask` has all bits of allowed texts."""
        self._words = [codes for _, codes in words]
        # Rounding up adds less than one for each word, so no byte runs over.
        self.unit = sum(weight for weight, _ in words) / max(_TOP - len(words), 1)
        whole = sum(_weighed(codes, weight / self.unit, part) for weight, codes in words)
        self._bounds = (whole if mask is None else whole & mask).to_bytes(texts, "little")

    def reached_by(self, wanted: int) -> int:
        """The greatest bound that so many texts reach; 0 if fewer have any of the words."""
        seen = 0
        for bound in range(_TOP, 0, -1):
            seen += self._bounds.count(bound)
            if seen >= wanted:
                return bound
        return 0

    def from_on(self, least: int) -> bytes:
        """All bits for each text whose bound is `least` or more."""
        low = max(least, 1)
        return self._bounds.translate(bytes(low) + b"\xff" * (_TOP + 1 - low))

    def alike(self, number: int) -> bytes | None:
        """All bits for each text whose score is that of `number` for sure; None if unknown."""
        codes = [word[number] if number < len(word) else 0 for word in self._words]
        if not all(map(is_exact, codes)):
            return None
        size = len(self._bounds)
        common = (1 << (8 * size)) - 1
        for code, word in zip(codes, self._words, strict=True):
            same = _same(word, code)
            if code == 0:
                same = same.ljust(size, b"\xff")
            common &= int.from_bytes(same, "little")
        return common.to_bytes(size, "little")


def _weighed(codes: bytearray, weight: float, part: Part) -> int:
    """`weight` times the most that each class gets, rounded up; a byte for each text."""
    return int.from_bytes(codes.translate(_table(weight, part)), "little")


def _same(codes: bytearray, code: int) -> bytes:
    """All bits for each text of that class."""
    return bytes(codes).translate(bytes(_TOP if it == code else 0 for it in range(_TOP + 1)))


def numbers_of(mask: bytes) -> Iterable[int]:
    """The texts whose bits are set, in order."""
    return compress(range(len(mask)), mask)


def without(mask: bytes, other: bytes) -> bytes:
    """What is in `mask` and not in `other`."""
    left = int.from_bytes(mask, "little") & ~int.from_bytes(other, "little")
    return left.to_bytes(len(mask), "little")
