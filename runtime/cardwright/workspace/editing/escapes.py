"""Backslash escapes that a model wrote where the character itself was meant."""

import re

from .views import View

_CHARACTERS = {
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "'": "'",
    '"': '"',
    "`": "`",
    "$": "$",
    "\\": "\\",
    "/": "/",
    "\n": "\n",
}
_ESCAPE = re.compile(r"\\(?:([nrt'\"`$\\/\n])|u([0-9a-fA-F]{4}))")


def unescaped(text: str, kinds: frozenset[str] | None = None) -> str:
    """`text` with the characters that its escapes stand for.

    Args:
        text: What the model wrote.
        kinds: Only escapes with these letters; all when left out.
    """

    def character(escape: re.Match[str]) -> str:
        if kinds is not None and kind_of(escape) not in kinds:
            return escape[0]
        return _character(escape)

    return _ESCAPE.sub(character, text)


def escaped(text: str, kinds: frozenset[str]) -> str:
    """`text` with the characters that escapes of these letters stand for written as such."""
    return text.translate({ord(_CHARACTERS[kind]): f"\\{kind}" for kind in kinds - {"u", "\n"}})


def escape_sequences(text: str) -> View:
    """Escapes as the characters that they stand for."""
    return View.by(text, _ESCAPE, _character) if "\\" in text else View(text)


def kinds_of(text: str) -> frozenset[str]:
    """The letters of the escapes in `text`."""
    return frozenset(kind_of(escape) for escape in _ESCAPE.finditer(text))


def kind_of(escape: re.Match[str]) -> str:
    """The letter after the backslash."""
    return escape[1] or "u"


def _character(escape: re.Match[str]) -> str:
    return _CHARACTERS[escape[1]] if escape[1] else _from_code(escape)


def _from_code(escape: re.Match[str]) -> str:
    """The character with the code; half a surrogate pair stays as it was written."""
    character = chr(int(escape[2], 16))
    return escape[0] if "\ud800" <= character <= "\udfff" else character
