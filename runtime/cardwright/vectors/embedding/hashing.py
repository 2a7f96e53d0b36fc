"""Vectors without a model, for tests."""

from hashlib import blake2b
from math import sqrt
from typing import Final

from cardwright.vectors.lexical import words

DIMENSION: Final = 256
_GRAM: Final = 3


def hashed(text: str) -> list[float]:
    """A unit vector of the words of `text` and their trigrams: the same on every machine.

    Texts that share words or parts of words are near to each other; nothing else is known of
    meaning.
    """
    vector = [0.0] * DIMENSION
    for word in words(text):
        _add(vector, word, 1.0)
        for gram in _grams(f"<{word}>"):
            _add(vector, gram, 0.3)
    length = sqrt(sum(number * number for number in vector))
    return [number / length for number in vector] if length else vector


def _grams(word: str) -> list[str]:
    return [word[at : at + _GRAM] for at in range(len(word) - _GRAM + 1)]


def _add(vector: list[float], feature: str, weight: float) -> None:
    digest = blake2b(feature.encode(), digest_size=5).digest()
    sign = 1.0 if digest[4] & 1 else -1.0
    vector[int.from_bytes(digest[:4]) % DIMENSION] += sign * weight
