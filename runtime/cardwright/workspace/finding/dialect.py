"""A regular expression for ripgrep that finds at least what the model's expression finds.

Which lines match is always decided by one engine; ripgrep only rules out files. So its expression
may find too much (assertions are left out, any foreign character stands for any other) but never
too little.
"""

import importlib
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any, cast

import regex

_FOREIGN = r"(?-u:[\x80-\xFF]){1,4}"
_ANY = rf"(?:[\x00-\x09\x0B-\x7F]|{_FOREIGN})"
_FOLDED_FROM_AFAR = frozenset("iksIKS")
"""ASCII letters that some foreign letter equals when case is ignored."""
_MOST_REPEATS = 50
_CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}

type Node = tuple[object, Any]  # what an operation carries differs by operation


class _Unknown(Exception):  # noqa: N818 - means: search without ripgrep
    """The expression has a part of which it is not certain what ripgrep would find."""


def wider(pattern: str) -> str | None:
    """The expression for ripgrep; `None` if there is none that surely finds enough."""
    parser = importlib.import_module("re._parser")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            parsed = parser.parse(pattern)
    except (re.error, Warning, RecursionError, OverflowError):
        return None
    try:
        return _Translation(folded=bool(parsed.state.flags & re.IGNORECASE)).sequence(parsed)
    except (_Unknown, RecursionError):
        return None


class _Translation:
    """Translates the parsed expression; what ignores case somewhere ignores it everywhere."""

    def __init__(self, *, folded: bool) -> None:
        self.folded = folded
        self._known: dict[str, Callable[[Any], str]] = {
            "LITERAL": self._literal,
            "NOT_LITERAL": self._anything,
            "ANY": self._anything,
            "IN": self._set,
            "BRANCH": lambda found: self._either(found[1]),
            "SUBPATTERN": self._group,
            "ATOMIC_GROUP": lambda found: f"(?:{self.sequence(found)})",
            "MAX_REPEAT": self._repeated,
            "MIN_REPEAT": self._repeated,
            "POSSESSIVE_REPEAT": self._repeated,
            "GROUPREF": lambda _: f"{_ANY}*",
            "GROUPREF_EXISTS": lambda found: self._either([found[1], found[2] or []]),
            "AT": self._nothing,
            "ASSERT": self._nothing,
            "ASSERT_NOT": self._nothing,
        }

    def sequence(self, nodes: Iterable[Node]) -> str:
        """One part after the other."""
        return "".join(self._node(str(operation), found) for operation, found in nodes)

    def _node(self, operation: str, found: object) -> str:
        if operation not in self._known:
            raise _Unknown
        return self._known[operation](found)

    def _nothing(self, _: object) -> str:
        return ""

    def _anything(self, _: object) -> str:
        return _ANY

    def _literal(self, code: int) -> str:
        character = chr(code)
        if character == "{":  # may begin a fuzzy constraint
            raise _Unknown
        if character in "\r\n":
            return _ANY
        if not character.isascii():
            return _ANY if self.folded else _foreign(character)
        if not (self.folded and character.isalpha()):
            return _spelled(code)
        both = f"[{character.lower()}{character.upper()}]"
        return f"(?:{both}|{_FOREIGN})" if character in _FOLDED_FROM_AFAR else both

    def _set(self, items: list[Node]) -> str:
        negated = str(items[0][0]) == "NEGATE"
        tests = [_test(str(operation), found) for operation, found in items[negated:]]

        def member(code: int) -> bool:
            cases = {chr(code)}
            if self.folded:
                cases |= {chr(code).lower(), chr(code).upper()}
            inside = [any(test(ord(case)) for test in tests) for case in cases]
            return not all(inside) if negated else any(inside)

        codes = [code for code in range(128) if code != ord("\n") and member(code)]
        known = "".join(map(_spelled, codes))
        return f"(?:[{known}]|{_FOREIGN})" if known else _FOREIGN

    def _either(self, branches: Iterable[Iterable[Node]]) -> str:
        return f"(?:{'|'.join(self.sequence(branch) for branch in branches)})"

    def _group(self, found: tuple[int | None, int, int, Iterable[Node]]) -> str:
        _, added, _, nodes = found
        if added & re.IGNORECASE and not self.folded:
            return f"(?:{_Translation(folded=True).sequence(nodes)})"
        return f"(?:{self.sequence(nodes)})"

    def _repeated(self, found: tuple[int, int, Iterable[Node]]) -> str:
        least, most, nodes = found
        least = min(int(least), _MOST_REPEATS)
        limit = "" if int(most) > _MOST_REPEATS else str(int(most))
        return f"(?:{self.sequence(nodes)}){{{least},{limit}}}"


def _test(operation: str, found: object) -> Callable[[int], bool]:
    """Whether a code belongs to one item of a set."""
    if operation == "LITERAL":
        return lambda code: code == found
    if operation == "RANGE":
        low, high = cast("tuple[int, int]", found)
        return lambda code: low <= code <= high
    category = _CATEGORIES.get(str(found))
    if operation != "CATEGORY" or category is None:
        raise _Unknown
    compiled = regex.compile(category)
    return lambda code: compiled.match(chr(code)) is not None


def _spelled(code: int) -> str:
    character = chr(code)
    return character if character.isalnum() or character in " _" else f"\\x{code:02X}"


def _foreign(character: str) -> str:
    """Itself; the replacement of undecodable bytes may have been any of them."""
    if character == "\ufffd" or "\ud800" <= character <= "\udfff":
        return _FOREIGN
    return f"\\x{{{ord(character):X}}}"
