"""How a text becomes words."""

import re
import sys
import unicodedata
from functools import cache
from typing import Final

_ASCII_WORD: Final = re.compile(r"[a-z0-9]+")
# Scripts that write no spaces: their runs are cut into overlapping pairs of characters.
_UNSPACED: Final = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Myanmar, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Kana, Han
)


def words(text: str) -> list[str]:
    """The words of `text` in order: compatibility-composed, case folded, of any script.

    Everything but letters, marks and digits separates words, `_` too. Runs of scripts without
    spaces give their pairs of characters, a single character itself.
    """
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    # Folding may undo the composition, so it comes in between.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return [word for run in _run_pattern().findall(folded) for word in _split(run)]


@cache
def _run_pattern() -> re.Pattern[str]:
    """Runs of one kind of script; letters alone would cut words at their combining marks."""
    marks = _ranges(
        [c for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c))[0] == "M"]
    )
    letter = rf"(?![{_UNSPACED}])(?:[^\W_]|[{marks}])"
    unspaced = rf"(?=[{_UNSPACED}])(?:[^\W_]|[{marks}])"
    return re.compile(f"(?:{letter})+|(?:{unspaced})+")


def _ranges(codes: list[int]) -> str:
    """`codes` as the inside of a character class."""
    starts = [c for c, before in zip(codes, [-2, *codes], strict=False) if c != before + 1]
    ends = [c for c, after in zip(codes, [*codes[1:], -2], strict=True) if c != after - 1]
    return "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in zip(starts, ends, strict=True))


@cache
def _unspaced_pattern() -> re.Pattern[str]:
    return re.compile(f"[{_UNSPACED}]")


def _split(run: str) -> list[str]:
    if not _unspaced_pattern().match(run) or len(run) == 1:
        return [run]
    return [run[at : at + 2] for at in range(len(run) - 1)]
