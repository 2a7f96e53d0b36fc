"""Paths in the headers of patches, in the spelling of git."""

import re

_ESCAPE = re.compile(rb'\\([abtnvfr"\\]|[0-3][0-7]{2})')
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
    b'"': b'"',
    b"\\": b"\\",
}
_SPELLED = {value[0]: (b"\\" + key).decode() for key, value in _LETTERS.items()}
NOTHING = "/dev/null"
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def quoted(path: str) -> str:
    """`path` as git writes it: in quotes if it holds quotes, backslashes or control characters."""
    spelled = "".join(
        _SPELLED.get(ord(character), character)
        if character in '"\\' or character.isprintable()
        else _octal(character)
        for character in path
    )
    if spelled != path:
        return f'"{spelled}"'
    # The tab tells where a path with blanks ends.
    return f"{path}\t" if " " in path else path


def _octal(character: str) -> str:
    known = _SPELLED.get(ord(character))
    if known is not None:
        return known
    return "".join(f"\\{byte:03o}" for byte in character.encode(errors="surrogateescape"))


def header_path(rest: str) -> str:
    """The path after `---` or `+++`: quotes resolved, time stamp taken off."""
    rest = rest.removesuffix("\r")
    found = _QUOTED.match(rest)
    if found is None:
        return rest.partition("\t")[0].rstrip(" ")
    raw = found[1].encode(errors="surrogateescape")
    return _ESCAPE.sub(_character, raw).decode(errors="surrogateescape")


def _character(escape: re.Match[bytes]) -> bytes:
    letter = escape[1]
    return _LETTERS[letter] if letter in _LETTERS else bytes([int(letter, 8)])


def without_prefixes(old: str, new: str) -> tuple[str | None, str | None]:
    """Both paths without `a/` and `b/`; `None` for `/dev/null`.

    The prefixes are taken off only where both sides have them, so a directory `b` keeps its name.
    """
    plain = (old == NOTHING or old.startswith("a/")) and (new == NOTHING or new.startswith("b/"))
    cut = 2 if plain else 0
    return (
        None if old == NOTHING else old[cut:],
        None if new == NOTHING else new[cut:],
    )
