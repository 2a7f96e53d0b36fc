"""Diagnostics are data: what is wrong, where, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

type NodePath = tuple[str | int, ...]
type Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Diagnostic:
    """One finding in one file; sorts by file, line and column (both from 1)."""

    file: str
    line: int
    column: int
    code: str
    message: str
    hint: str | None = field(default=None, compare=False)
    path: str = field(default="", compare=False)
    severity: Severity = field(default="error", compare=False)


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics sorted, each once."""
    return tuple(sorted(set(diagnostics)))


def dotted(path: NodePath) -> str:
    """Write a path as `capabilities.search.endpoints.search.channels[0]`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def listed(names: Iterable[str], last: str = "and") -> str:
    """Join names as `'a', 'b' and 'c'`."""
    quoted = [f"'{name}'" for name in names]
    *first, end = quoted or [""]
    return f"{', '.join(first)} {last} {end}" if first else end


def did_you_mean(word: object, known: Iterable[str]) -> str | None:
    """Return `did you mean 'x'?` for the known word nearest to a misspelt one, if any is near."""
    found = nearest(word, known)
    return f"did you mean '{found}'?" if found else None


def nearest(word: object, known: Iterable[str]) -> str | None:
    """Return the known word nearest to a misspelt one, if any is near."""
    near = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return near[0] if near else None
