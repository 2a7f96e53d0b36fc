"""Pieces of Python that know what they must import."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """`from module import name`."""

    module: str
    name: str


@dataclass(frozen=True, slots=True)
class Code:
    """An expression and its imports."""

    text: str
    imports: frozenset[Import] = frozenset()

    def __str__(self) -> str:
        return self.text


NONE = Code("None")


def code(text: str, *parts: "Code | Import") -> Code:
    """`text`, which mentions `parts`, with the imports of all of them."""
    return Code(text, collect(parts))


def collect(parts: Iterable[Code | Import]) -> frozenset[Import]:
    """The imports of `parts`."""
    found: set[Import] = set()
    for part in parts:
        found |= {part} if isinstance(part, Import) else part.imports
    return frozenset(found)


def imported(module: str, name: str) -> Code:
    """`name` of `module`; builtins need no import."""
    return Code(name) if module == "builtins" else Code(name, frozenset({Import(module, name)}))


def literal(value: object) -> str:
    """`value` as Python, for every value that JSON and YAML can hold."""
    return repr(value)
