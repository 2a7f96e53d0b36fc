"""Texts of specs in outputs for people: what a terminal or a reader obeys is shown instead."""

from unicodedata import category

_BIDI = frozenset(map(chr, (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Marks that turn the direction of what follows."""
_OBEYED = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Control characters, halves of pairs, and separators of lines."""


def visible(text: str) -> str:
    """The text in one line, with escapes for characters that no reader should obey."""
    if text.isprintable():
        return text
    return "".join(_escaped(one) if _is_obeyed(one) else one for one in text)


def plain(text: str) -> str:
    """The text with a mark in the place of each such character: columns stay what they are."""
    return "".join("\ufffd" if _is_obeyed(one) else one for one in text)


def _is_obeyed(character: str) -> bool:
    return character in _BIDI or category(character) in _OBEYED


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
