"""Plain strings that may match a pattern."""

from collections.abc import Iterator

from cardwright_generator.spec.values import matches

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


def example_of(pattern: str, shortest: int) -> str:
    """A string of at least `shortest` characters that matches `pattern`; empty if none is found."""
    return next((text for text in candidates(pattern, shortest) if matches(text, pattern)), "")


def candidates(pattern: str | None, shortest: int) -> Iterator[str]:
    """Strings of at least `shortest` characters to try on a pattern, the plainest first.

    Patterns of specs are short names and prefixes, so trying is enough.
    """
    if pattern is None:
        yield "x" * shortest
    tries = (*_TRIES, *(_grown(text, shortest) for text in _TRIES), *_pairs())
    yield from (text for text in tries if len(text) >= shortest)


def _grown(text: str, shortest: int) -> str:
    return text + text[-1] * max(0, shortest - len(text))


def _pairs() -> list[str]:
    return [
        first + second * count for first in _LETTERS for second in _LETTERS for count in (1, 3, 7)
    ]
