"""One edit: the anchor found, the replacement fitted in, nothing else touched."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from .endings import inserted_ending, line_of
from .escapes import escaped, kinds_of, unescaped
from .indentation import reindented
from .matching import INDENTATION_SET_ASIDE, EditMatcher, MatchResult, Strategy

LINES_NAMED = 10


class AnchorError(ValueError):
    """The anchor names no single place; `text` tells the model why, without naming the file."""

    def __init__(self, text: str, lines: tuple[int, ...] = (), count: int = 0) -> None:
        super().__init__(text)
        self.text = text
        self.lines = lines
        self.count = count


@dataclass(frozen=True)
class Substitution:
    """The text after an edit, how its places were found, and which they were in the old text."""

    text: str
    strategy: Strategy
    places: Callable[[], Iterable[tuple[int, int]]]

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """What was replaced: there may be millions, and few want to know."""
        return tuple(self.places())


def substitute_edit(
    content: str,
    old: str,
    new: str,
    *,
    replace_all: bool = False,
    exact_only: bool = False,
) -> Substitution:
    """Replace the one place of `old` in `content`, or all of its places.

    Only the matched characters change. What is put there takes the line ending of the text and, if
    the indentation of the anchor was not that of the text, the indentation of the place.

    Args:
        content: Text to edit, with its own line endings.
        old: Anchor.
        new: Replacement, written as if next to the anchor.
        replace_all: Replace every place, none overlapping, none looked for in what was put there.
        exact_only: Accept exact matches alone, line endings aside.

    Raises:
        AnchorError: The anchor is empty, not there, or at several places.
    """
    if not old:
        raise AnchorError("old_string is empty: give the text that is to be replaced.")
    if replace_all and (plainly := _replaced_plainly(content, old, new)) is not None:
        return plainly
    matcher = EditMatcher(content)
    found = matcher.find(old, exact_only=exact_only, everywhere=replace_all)
    if not found:
        raise AnchorError(_missing(exact_only=exact_only))
    if len(found) > 1 and not replace_all:
        raise _ambiguous(content, found)
    return _replaced(matcher, found, old, new)


def _missing(*, exact_only: bool) -> str:
    if exact_only:
        return "old_string does not occur in it exactly."
    return (
        "old_string not found, neither exactly nor with differences in blanks, quotes or escapes"
        " set aside: copy it from the file."
    )


def _ambiguous(content: str, found: list[MatchResult]) -> AnchorError:
    lines = tuple(sorted({line_of(content, match.start) for match in found[: LINES_NAMED * 3]}))
    named = ", ".join(map(str, lines[:LINES_NAMED]))
    more = ", …" if len(found) > LINES_NAMED else ""
    how = "" if found[0].strategy == "exact" else f" (by {found[0].strategy} comparison)"
    return AnchorError(
        f"old_string is ambiguous: it occurs {len(found)} times{how}, at lines {named}{more}."
        " Give more of the lines around it, or set replace_all.",
        lines,
        len(found),
    )


def _replaced(matcher: EditMatcher, found: list[MatchResult], old: str, new: str) -> Substitution:
    content = matcher.content
    ending = inserted_ending(content)
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    position = 0
    fitted = _Fitting(matcher, old, new.replace("\r\n", "\n"))
    for match in found:
        start, text = fitted.to(match)
        parts += (content[position:start], text.replace("\n", ending))
        spans.append((start, match.end))
        position = match.end
    parts.append(content[position:])
    return Substitution("".join(parts), found[0].strategy, lambda: spans)


def _replaced_plainly(content: str, old: str, new: str) -> Substitution | None:
    """Every exact place replaced, where nothing stands between the text and its exact view."""
    anchor = _as_stored(content, old.replace("\r\n", "\n"))
    if anchor is None or anchor not in content:
        return None
    text = new.replace("\r\n", "\n").replace("\n", inserted_ending(content))
    return Substitution(
        content.replace(anchor, text),
        "exact",
        lambda: (found.span() for found in re.finditer(re.escape(anchor), content)),
    )


def _as_stored(content: str, anchor: str) -> str | None:
    """`anchor` with the line breaks of `content`; `None` where that is not one of them alone."""
    if "\r" in anchor:
        return None
    crlf = content.count("\r\n")
    if "\n" not in anchor or not crlf:
        return anchor
    return anchor.replace("\n", "\r\n") if content.count("\n") == crlf else None


@dataclass(slots=True)
class _Fitting:
    """The replacement as it belongs to each of the places."""

    matcher: EditMatcher
    old: str
    new: str
    known: str | None = None

    def to(self, match: MatchResult) -> tuple[int, str]:
        """Where the replacement begins, and the replacement as it belongs there."""
        if match.strategy in INDENTATION_SET_ASIDE:
            return self._indented(match)
        if match.strategy == "escape_normalised" or self.known is None:
            self.known = self._spelled(match)
        return match.start, self.known

    def _spelled(self, match: MatchResult) -> str:
        """The replacement with what was done to the anchor done to it as well."""
        if match.anchor != self.old:
            return _like_anchor(self.new, self.old.replace("\r\n", "\n"), match)
        if match.strategy != "escape_normalised":
            return self.new
        return escaped(self.new, kinds_of(self.matcher.content[match.start : match.end]))

    def _indented(self, match: MatchResult) -> tuple[int, str]:
        matcher, new = self.matcher, self._spelled(match)
        begin = matcher.indented_start(match)
        lead = matcher.content[begin : match.start]
        if begin == match.start and begin and matcher.content[begin - 1] not in "\r\n":
            return match.start, _within_line(matcher, match, new)
        moved = reindented(new, match.anchor, matcher.whole_lines(match), matcher.content)
        if moved.startswith(lead):
            return match.start, moved[len(lead) :]
        return begin, moved


def _within_line(matcher: EditMatcher, match: MatchResult, new: str) -> str:
    """The replacement of an anchor that begins in the middle of a line."""
    first, line_break, rest = new.partition("\n")
    anchor = match.anchor.partition("\n")[2]
    place = matcher.content[match.start : match.end].partition("\n")[2]
    return first + line_break + reindented(rest, anchor, place, matcher.content)


def _like_anchor(new: str, old: str, match: MatchResult) -> str:
    """The replacement with what was taken off the anchor taken off as well."""
    bare = old
    if match.anchor not in {old, old.strip("\n")}:
        new, bare = unescaped(new, kinds_of(old)), unescaped(old)
    if not match.anchor.startswith("\n"):
        while bare.startswith("\n") and new.startswith("\n"):
            bare, new = bare[1:], new[1:]
    if not match.anchor.endswith("\n"):
        while bare.endswith("\n") and new.endswith("\n"):
            bare, new = bare[:-1], new[:-1]
    return new
