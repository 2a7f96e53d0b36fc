"""Glob patterns: braces, `**`, any case; matched name by name so that walks can prune."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import translate
from functools import lru_cache

from cardwright.workspace.refusals import Refusal

MOST_ALTERNATIVES = 256
ANY_DEPTH = "**"
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")

type States = frozenset[tuple[int, int]]
"""Which names of which alternatives may come next."""


@dataclass(frozen=True, slots=True)
class PathPattern:
    """Paths that a pattern names; each alternative is a sequence of names."""

    alternatives: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, pattern: str) -> "PathPattern":
        """The parsed pattern.

        Raises:
            Refusal: It is empty, absolute, climbs with `..`, or has too many alternatives.
        """
        if not pattern.strip() or "\0" in pattern:
            raise Refusal("invalid", "The pattern is empty: give one such as **/*.py.")
        parsed = [names for each in expanded(pattern) for names in _normalised(each)]
        return cls(tuple(dict.fromkeys(parsed)))

    @property
    def start(self) -> States:
        """The states before the first name."""
        return self._closed((number, 0) for number in range(len(self.alternatives)))

    def enter(self, states: States, name: str) -> States:
        """The states inside the directory `name`; empty if nothing below it can match."""
        return self._closed(
            (number, at if self.alternatives[number][at] == ANY_DEPTH else at + 1)
            for number, at in states
            if at + 1 < len(self.alternatives[number]) or self.alternatives[number][at] == ANY_DEPTH
            if matches(self.alternatives[number][at], name)
        )

    def names(self, states: States, name: str) -> bool:
        """Whether a file called `name` matches here."""
        return any(
            at + 1 == len(self.alternatives[number])
            and matches(self.alternatives[number][at], name)
            for number, at in states
        )

    def matches(self, path: str) -> bool:
        """Whether the whole relative path matches."""
        *folders, name = path.split("/")
        states = self.start
        for folder in folders:
            states = self.enter(states, folder)
        return self.names(states, name)

    def _closed(self, states: Iterable[tuple[int, int]]) -> States:
        """With those that `**` reaches by standing for nothing."""
        found: set[tuple[int, int]] = set()
        for number, start in states:
            at = start
            names = self.alternatives[number]
            found.add((number, at))
            while names[at] == ANY_DEPTH and at + 1 < len(names):
                at += 1
                found.add((number, at))
        return frozenset(found)


def matches(component: str, name: str) -> bool:
    """Whether one name matches one component of a pattern."""
    return component == ANY_DEPTH or _compiled(component).match(name) is not None


@lru_cache(maxsize=2048)
def _compiled(component: str) -> re.Pattern[str]:
    return re.compile(translate(component), re.IGNORECASE)


def expanded(pattern: str) -> list[str]:
    """`pattern` with its brace groups multiplied out, the innermost first.

    Raises:
        Refusal: There are more than `MOST_ALTERNATIVES`.
    """
    done: dict[str, None] = {}
    pending = [pattern]
    while pending:
        current = pending.pop()
        group = _BRACES.search(current)
        if group is None:
            done[current] = None
        else:
            before, after = current[: group.start()], current[group.end() :]
            pending += [before + each.strip() + after for each in reversed(group[1].split(","))]
        if len(done) + len(pending) > MOST_ALTERNATIVES:
            raise Refusal(
                "invalid", f"The braces give more than {MOST_ALTERNATIVES} patterns: use fewer."
            )
    return list(done)


def _normalised(pattern: str) -> list[tuple[str, ...]]:
    """The names of a pattern without braces; `**` glued to text gives several."""
    if pattern.startswith("/"):
        raise Refusal("outside", "The pattern is absolute: write it relative to the workspace.")
    parts = [part for part in pattern.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise Refusal("outside", "The pattern leads out with '..': name a directory inside.")
    if pattern.endswith("/") or not parts:
        parts.append(ANY_DEPTH)
    found: list[tuple[str, ...]] = [()]
    for part in parts:
        found = [(*names, *more) for names in found for more in _unglued(part)]
    return [(*names, "*") if names[-1] == ANY_DEPTH else names for names in found]


def _unglued(part: str) -> list[tuple[str, ...]]:
    """One component with every `**` in it on its own."""
    if set(part) == {"*"}:
        return [(part[:2],)]
    before, glue, after = part.partition(ANY_DEPTH)
    if not glue:
        return [(part,)]
    after = after.lstrip("*").replace(ANY_DEPTH, "*")
    if not before:
        return [(ANY_DEPTH, f"*{after}")]
    return [(f"{before}*{after}",), (f"{before}*", ANY_DEPTH, f"*{after}")]
