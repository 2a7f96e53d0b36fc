"""A patch put into practice: every hunk located and verified before anything is put together."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise

from .endings import detect_line_ending, with_breaks
from .patch_model import FilePatch, Hunk, HunkContextError, HunkLine, HunkOverlapError

MOST_OCCURRENCES = 1000


@dataclass(frozen=True, slots=True)
class _Located:
    """A hunk and the lines `[start, end)` that it replaces; `exact` if line endings agree too."""

    hunk: Hunk
    start: int
    end: int
    exact: bool


def apply_file_patch(content: str, patch: FilePatch) -> str:
    """The content of the file after `patch`.

    A hunk whose line number is wrong is applied where its lines occur, if that is one place. Only
    the changed lines are touched; added ones take the line ending of the file.

    Args:
        content: Present text of the file; not looked at for a new one.
        patch: What to change.

    Raises:
        HunkContextError: The lines of a hunk occur nowhere or at several places, two hunks overlap,
            or a deletion does not name the whole content.
    """
    if patch.kind == "delete":
        _check_deletion(content, patch)
        return ""
    hunks = patch.hunks
    if patch.kind == "create":
        first = hunks[0].section if hunks else 0
        content = "".join(line for hunk in hunks if hunk.section == first for line in hunk.new)
        hunks = tuple(hunk for hunk in hunks if hunk.section != first)
    return _updated(content, patch.path, hunks)


def _check_deletion(content: str, patch: FilePatch) -> None:
    removed = "".join(line for hunk in patch.hunks for line in hunk.old)
    if patch.hunks and _bare(removed) != _bare(content):
        raise HunkContextError(patch.path, patch.hunks[0].header, 0)


def _bare(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in with_breaks(text)]


def _updated(content: str, path: str, hunks: tuple[Hunk, ...]) -> str:
    """All hunks against the present text or, if they were made one after the other, in turn."""
    try:
        return _Text(content, path).patched(hunks)
    except HunkContextError as error:
        sections = [tuple(group) for _, group in groupby(hunks, key=lambda hunk: hunk.section)]
        if len(sections) == 1 or error.occurrences:
            raise
        for section in sections:
            content = _Text(content, path).patched(section)
        return content


class _Text:
    """The present lines, and the search for those of a hunk."""

    def __init__(self, content: str, path: str) -> None:
        self.path = path
        self.lines = with_breaks(content)
        self.bare = _bare(content)
        self.ending = detect_line_ending(content)

    def patched(self, hunks: tuple[Hunk, ...]) -> str:
        located = sorted(self._located(hunks), key=lambda each: (each.start, each.end))
        for one, other in pairwise(located):
            if other.start < one.end:
                raise HunkOverlapError(self.path, other.hunk.header, other.start + 1)
        parts: list[str] = []
        position = 0
        for each in located:
            parts += self.lines[position : each.start]
            parts += self._replacement(each)
            position = each.end
        parts += self.lines[position:]
        return "".join(self._closed(parts))

    def _closed(self, lines: list[str]) -> list[str]:
        """The lines, each but the last with a line break."""
        return [line if line.endswith("\n") else line + self.ending for line in lines[:-1]] + lines[
            -1:
        ]

    def _located(self, hunks: tuple[Hunk, ...]) -> Iterator[_Located]:
        offset, section = 0, -1
        for hunk in hunks:
            if hunk.section != section:
                offset, section = 0, hunk.section
            found = self._locate(hunk, offset)
            offset = found.start - _stated(hunk)
            if self._breaks_off(found):
                raise HunkContextError(self.path, hunk.header, 0)
            yield found

    def _breaks_off(self, found: _Located) -> bool:
        """Whether a line without a break would be followed by others."""
        new = found.hunk.new
        return bool(new) and not new[-1].endswith("\n") and found.end < len(self.lines)

    def _locate(self, hunk: Hunk, offset: int) -> _Located:
        at = _stated(hunk) + offset
        if not hunk.old:
            if not 0 <= at <= len(self.lines):
                raise HunkContextError(self.path, hunk.header, 0)
            return _Located(hunk, at, at, exact=self.ending == "\n" or _has_returns(hunk))
        for exact in (True, False):
            found = self._places(hunk, at, exact=exact)
            if len(found) > 1:
                named = tuple(place + 1 for place in found[:10])
                raise HunkContextError(self.path, hunk.header, len(found), named)
            if found:
                return _Located(hunk, found[0], found[0] + len(hunk.old), exact)
        raise HunkContextError(self.path, hunk.header, 0)

    def _places(self, hunk: Hunk, stated: int, *, exact: bool) -> list[int]:
        """Where the old lines are: the stated place if they are there, else every place."""
        lines = self.lines if exact else self.bare
        block = hunk.old if exact else [line.rstrip("\r\n") for line in hunk.old]
        if stated >= 0 and lines[stated : stated + len(block)] == block:
            found = [stated]
        else:
            found = list(_occurrences(lines, block))
        if not exact and not hunk.old[-1].endswith("\n"):
            found = [at for at in found if at + len(block) == len(lines)]
        return found

    def _replacement(self, located: _Located) -> list[str]:
        hunk = located.hunk
        if located.exact:
            return hunk.new
        present = iter(self.lines[located.start : located.end])
        lines: list[str] = []
        for line in hunk.lines:
            own = next(present) if line.mark != "+" else line.text.rstrip("\r\n") + self.ending
            if line.mark != "-":
                lines.append(own)
        return self._ended(lines, located)

    def _ended(self, lines: list[str], located: _Located) -> list[str]:
        """The replacement with the end of the file as the patch or else the file has it."""
        if located.end < len(self.lines) or not lines:
            return lines
        told = [line for line in located.hunk.lines if not line.text.endswith("\n")]
        bare = not _last_new(located.hunk).endswith("\n") if told else self._unended()
        last = lines[-1].rstrip("\r\n") if bare else lines[-1]
        return [*lines[:-1], last]

    def _unended(self) -> bool:
        """Whether the file ends without a line break."""
        return bool(self.lines) and not self.lines[-1].endswith("\n")


def _stated(hunk: Hunk) -> int:
    """The line that the header names, counted from 0; an insertion comes after its line."""
    return hunk.old_start - 1 if hunk.old_count else hunk.old_start


def _has_returns(hunk: Hunk) -> bool:
    return any(line.text.endswith("\r\n") for line in hunk.lines)


def _last_new(hunk: Hunk) -> str:
    kept: list[HunkLine] = [line for line in hunk.lines if line.mark != "-"]
    return kept[-1].text if kept else "\n"


def _occurrences(lines: list[str], block: list[str]) -> Iterator[int]:
    """Where `block` begins in `lines`, overlapping places included; never looks back."""
    borders = _borders(block)
    matched = count = 0
    for at, line in enumerate(lines):
        while matched and (matched == len(block) or block[matched] != line):
            matched = borders[matched - 1]
        matched += block[matched] == line
        if matched == len(block):
            yield at - matched + 1
            count += 1
            if count == MOST_OCCURRENCES:
                return


def _borders(block: list[str]) -> list[int]:
    """How many lines of each beginning of `block` are its end too (Knuth-Morris-Pratt)."""
    borders = [0] * len(block)
    length = 0
    for at in range(1, len(block)):
        while length and block[length] != block[at]:
            length = borders[length - 1]
        length += block[length] == block[at]
        borders[at] = length
    return borders
