"""A plain string that matches a pattern."""

import re

_LETTERS = "a0A#@_-./ :"
_TRIES = (
    "x",
    "abc",
    "a",
    "0",
    "A",
    "#a",
    "@a",
    "a.b",
    "a:b",
    "a-b",
    "a_b",
    "a/b",
    "https://a.b",
    "a@b.c",
    "#A-1",
)


def example_of(pattern: str | None, shortest: int) -> str:
    """A string of at least `shortest` characters that matches `pattern`.

    Patterns of specs are short names and prefixes, so trying is enough; when nothing fits, an empty
    string is returned and the wiring test says which field needs a simpler pattern.
    """
    if pattern is None:
        return "x" * shortest
    found = re.compile(pattern)
    candidates = (*_TRIES, *(_grown(text, shortest) for text in _TRIES), *_pairs())
    return next((text for text in candidates if len(text) >= shortest and found.search(text)), "")


def _grown(text: str, shortest: int) -> str:
    return text + text[-1] * max(0, shortest - len(text))


def _pairs() -> list[str]:
    return [
        first + second * count for first in _LETTERS for second in _LETTERS for count in (1, 3, 7)
    ]
