"""Lines by regular expression, from the newest files first.

ripgrep, where it is installed, rules out files; what matches is decided here, so the answers are
the same without it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from cardwright.workspace.editing import split_lines
from cardwright.workspace.files import Kind, Tree
from cardwright.workspace.refusals import Refusal

from . import ripgrep
from .bounds import Bounds, LeftOut, OutOfTime, answer, base_of, shown
from .patterns import PathPattern

LARGEST_FILE = 64 * 1024 * 1024
LONGEST_PATTERN = 2000
HEAD = 8192
BRIEF = 0.05
"""Seconds after which a search of one line lets other threads run."""


@dataclass(frozen=True, slots=True)
class _Text:
    """The lines of a file, or that it has none for people."""

    lines: list[str]
    binary: bool


def grep(
    tree: Tree,
    pattern: str,
    path: str = "",
    include: str = "",
    *,
    max_results: int = 100,
    max_line_length: int = 2000,
    bounds: Bounds | None = None,
) -> str:
    """Matching lines as `path:number: line`, from the newest files first.

    Args:
        tree: Where to look.
        pattern: Regular expression, searched in each line by itself.
        path: File or directory to search.
        include: Only files that match this glob pattern, relative to `path`; one without a slash is
            matched against names in any directory.
        max_results: Lines to return at most.
        max_line_length: Characters shown of a line; a cut one ends in "…".
        bounds: Time it may take.

    Raises:
        Refusal: The expression or `include` cannot be used, or `path` is not inside.
    """
    search = _Search(tree, _compiled(pattern), LeftOut(), bounds or Bounds())
    wanted = _included(include)
    lines: list[str] = []
    try:
        for file in _files(search, pattern, path, wanted):
            for found in search.lines(file):
                lines.append(_cut(found, max_line_length, file))
                if len(lines) > max_results:
                    return _answered(lines[:max_results], search, full=True)
    except OutOfTime:
        search.left_out.stopped = search.bounds.notice
    return _answered(lines, search, full=False)


def _answered(lines: list[str], search: "_Search", *, full: bool) -> str:
    more = ""
    if full:
        more = (
            f"[... truncated: more lines match, showing the first {len(lines)} of the newest"
            " files ...]"
        )
    return answer(lines, "No matches found.", search.left_out, more)


def _cut(found: tuple[int, str], longest: int, file: str) -> str:
    number, line = found
    if len(line) > longest:
        line = f"{line[: longest - 1]}…"
    return f"{shown(file)}:{number}: {line}"


def _compiled(pattern: str) -> regex.Pattern[str]:
    if not pattern:
        raise Refusal("invalid", "The pattern is empty: give a regular expression.")
    if len(pattern) > LONGEST_PATTERN:
        raise Refusal("invalid", f"The pattern is longer than {LONGEST_PATTERN} characters.")
    try:
        return regex.compile(pattern)
    except (regex.error, ValueError, OverflowError, RecursionError) as error:
        raise Refusal("invalid", f"The regular expression is invalid: {error}") from error


def _included(include: str) -> PathPattern | None:
    if not include:
        return None
    wanted = PathPattern.of(include)
    return PathPattern(
        tuple(("**", *names) if len(names) == 1 else names for names in wanted.alternatives)
    )


def _files(
    search: "_Search", pattern: str, path: str, include: PathPattern | None
) -> Iterator[str]:
    """Paths to look into, newest first."""
    tree = search.tree
    facts = tree.facts(path)
    if facts is None:
        raise Refusal("not_found", f"File or directory not found: {shown(path)}")
    if facts.kind is not Kind.DIRECTORY:
        yield tree.locate(path)
        return
    base = base_of(tree, path)
    left_out, bounds = search.left_out, search.bounds
    found = ripgrep.candidates(tree, base, pattern, include, left_out, bounds)
    if found is None:
        found = _walked(search, base, include)
    for _, file in sorted(found):
        yield file


def _walked(search: "_Search", base: str, include: PathPattern | None) -> list[tuple[int, str]]:
    """Every file below `base` that `include` lets through."""
    found: list[tuple[int, str]] = []
    skip = len(base) + 1 if base else 0
    try:
        for entry in search.tree.walk(base, skipped=search.left_out.folders):
            _ = search.bounds.left
            if entry.kind is Kind.FILE and (include is None or include.matches(entry.path[skip:])):
                found.append((-entry.mtime_ns, entry.path))
    except OutOfTime:
        search.left_out.stopped = search.bounds.notice
    return found


@dataclass(frozen=True, slots=True)
class _Search:
    """One expression, searched in one file after the other."""

    tree: Tree
    pattern: regex.Pattern[str]
    left_out: LeftOut
    bounds: Bounds

    def lines(self, file: str) -> Iterator[tuple[int, str]]:
        """Number and text of each line of `file` that matches."""
        text = self._text(file)
        if text is None:
            return
        brief = min(BRIEF, self.bounds.left)
        for number, line in enumerate(text.lines, start=1):
            if self._matches(line, brief):
                if text.binary:
                    self.left_out.binary.append(file)
                    return
                yield number, line

    def _text(self, file: str) -> _Text | None:
        """The lines of a file; `None` if it is left out."""
        _ = self.bounds.left
        try:
            data = self.tree.read(file, limit=LARGEST_FILE + 1).data
        except Refusal as refusal:
            if refusal.failure == "denied":
                self.left_out.files.append(file)
            return None
        if len(data) > LARGEST_FILE:
            self.left_out.large.append(file)
            return None
        return _decoded(data)

    def _matches(self, line: str, brief: float) -> bool:
        """Whether the line matches; a search that takes long no longer holds up other threads."""
        try:
            return self.pattern.search(line, timeout=brief) is not None
        except TimeoutError:
            pass
        try:
            found = self.pattern.search(line, timeout=self.bounds.left, concurrent=True)
        except TimeoutError:
            raise OutOfTime from None
        return found is not None


def _decoded(data: bytes) -> _Text:
    """Text for searching, undecodable bytes replaced."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) and not data.startswith(b"\xff\xfe\0\0"):
        return _Text(split_lines(data.decode("utf-16", "replace")), binary=False)
    text = data.decode("utf-8-sig", "replace")
    return _Text(split_lines(text), binary=b"\0" in data[:HEAD])
