"""Unified diffs, read by the counts of their hunks.

Counts tell content from headers: a removed `-- x` reads `--- x`. Where they are wrong but the hunk
is clear all the same, its lines are counted anew; its context is verified when it is applied.
"""

import re
from collections.abc import Sequence

from .diffs import NO_NEWLINE
from .patch_model import FilePatch, Hunk, HunkLine, Mark, PatchSyntaxError
from .patch_paths import quoted
from .patch_sections import Section, merged

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_VERSION = re.compile(r"\d+\.\d+")
_MARKS: dict[str, Mark] = {" ": " ", "-": "-", "+": "+"}


class _Miscounted(Exception):  # noqa: N818 - a finding on the way, caught at once
    """The lines of a hunk are not as many as its header says."""


def parse_patch(text: str) -> tuple[FilePatch, ...]:
    """The file patches of a unified diff, in order; sections that name one file are merged.

    Args:
        text: Diff, of git or plain; LF or CRLF; any text may stand before it.

    Raises:
        PatchSyntaxError: Nothing to apply, a broken hunk, or something that is not supported
            (renames, copies, binary files, links, changes of the mode alone).
    """
    return merged(_Parser(_lines(text)).sections())


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    headers = [line for line in lines if line.startswith("+++ ")]
    if headers and all(line.endswith("\r") for line in headers):
        return [line.removesuffix("\r") for line in lines]
    return lines


class _Parser:
    """Goes through the lines once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.at = 0
        self.found: list[Section] = []
        self.junk = True  # before the first header, and after the signature of a mail

    def sections(self) -> list[Section]:
        while self.at < len(self.lines):
            self._step(self.lines[self.at])
        if not self.found:
            raise PatchSyntaxError(
                1, "no file header found. A unified diff has '--- a/path', '+++ b/path', '@@'."
            )
        return self.found

    def _step(self, line: str) -> None:
        if line.startswith("diff --git "):
            self.found.append(Section(self.at + 1, git_paths=line[len("diff --git ") :]))
            self.junk = False
            self.at += 1
        elif self._is_header(self.at):
            self._header()
        elif line.startswith("@@"):
            self._hunk(line)
        else:
            self._other(line)
            self.at += 1

    def _is_header(self, at: int) -> bool:
        """Whether a pair `---`, `+++` begins there, or a `+++` that has lost its partner."""
        line = self._line(at)
        if line.startswith("--- "):
            return self._line(at + 1).startswith("+++ ")
        return line.startswith("+++ ") and self._line(at + 1).startswith("@@")

    def _line(self, at: int) -> str:
        return self.lines[at] if at < len(self.lines) else ""

    def _header(self) -> None:
        section = self.found[-1] if self.found else None
        if section is None or section.named:
            section = Section(self.at + 1)
            self.found.append(section)
        old = self.lines[self.at]
        if old.startswith("--- "):
            section.name(old[4:], self.lines[self.at + 1][4:])
            self.at += 2
        else:
            section.name("", old[4:])
            self.at += 1
        self.junk = False

    def _other(self, line: str) -> None:
        if line.rstrip() == "--" and _VERSION.match(self._line(self.at + 1)):
            self.junk = True
        if self.junk or not line.strip():
            return
        if line[0] in " +-\\" and (not self.found or self.found[-1].named):
            raise PatchSyntaxError(
                self.at + 1,
                "it belongs to no hunk. A hunk begins with '@@ -start,count +start,count @@'.",
            )
        if self.found and not self.found[-1].hunks:
            self.found[-1].extended(self.at + 1, line)

    def _hunk(self, line: str) -> None:
        if self.junk or not self.found or not self.found[-1].named:
            raise PatchSyntaxError(self.at + 1, "a hunk without '--- a/path' and '+++ b/path'.")
        header = _HUNK.match(line)
        if header is None:
            raise PatchSyntaxError(
                self.at + 1, "a hunk header must read '@@ -start,count +start,count @@'."
            )
        counts = int(header[2] or 1), int(header[4] or 1)
        begin = self.at + 1
        try:
            end = self._counted(begin, *counts)
        except _Miscounted:
            end = self._uncounted(begin)
        lines = self._body(begin, end)
        old = sum(line.mark != "+" for line in lines)
        new = sum(line.mark != "-" for line in lines)
        if not lines:
            raise PatchSyntaxError(self.at + 1, "a hunk without lines.")
        self.found[-1].hunks.append(Hunk(int(header[1]), old, int(header[3]), new, lines))
        self.at = end

    def _counted(self, at: int, old: int, new: int) -> int:
        """Where the hunk ends by its counts."""
        while old > 0 or new > 0:
            if at >= len(self.lines):
                raise _Miscounted
            mark = self.lines[at][:1]
            if mark not in {"", "\r", " ", "-", "+", "\\"}:
                raise _Miscounted
            old -= mark not in {"+", "\\"}
            new -= mark not in {"-", "\\"}
            at += 1
        at += self._line(at).startswith("\\")
        if old < 0 or new < 0 or not self._ends(at):
            raise _Miscounted
        return at

    def _ends(self, at: int) -> bool:
        """Whether no further line of a hunk follows."""
        line = self._line(at)
        return line[:1] not in {" ", "-", "+", "\\"} or self._is_header(at) or self._signed(at)

    def _signed(self, at: int) -> bool:
        """Whether the signature of a mail begins there."""
        after = self._line(at + 1)
        return self._line(at) in {"-- ", "--"} and (not after or bool(_VERSION.match(after)))

    def _uncounted(self, begin: int) -> int:
        """Where the hunk ends by its looks."""
        at = begin
        while at < len(self.lines) and not self._closing(at):
            if self.lines[at][:1] not in {"", "\r", " ", "-", "+", "\\"}:
                raise PatchSyntaxError(
                    at + 1,
                    "the counts of the hunk do not fit, and this line begins with none of"
                    " ' ', '-', '+'.",
                )
            at += 1
        while at > begin and not self.lines[at - 1].strip("\r"):
            at -= 1
        return at

    def _closing(self, at: int) -> bool:
        line = self.lines[at]
        pair = self._is_header(at) and self._line(at + 2).startswith("@@")
        return line.startswith(("@@ ", "diff --git ", "```")) or pair or self._signed(at)

    def _body(self, begin: int, end: int) -> tuple[HunkLine, ...]:
        found: list[HunkLine] = []
        for at in range(begin, end):
            line = self.lines[at]
            if line.startswith("\\"):
                self._mark_last(found, at)
            elif line[:1] in _MARKS:
                found.append(HunkLine(_MARKS[line[0]], line[1:] + "\n"))
            else:
                found.append(HunkLine(" ", line + "\n"))
        for side in ("+", "-"):
            shown = [line for line in found if line.mark != side]
            if not all(line.text.endswith("\n") for line in shown[:-1]):
                raise PatchSyntaxError(begin, f"'{NO_NEWLINE}' before further lines.")
        return tuple(found)

    def _mark_last(self, found: list[HunkLine], at: int) -> None:
        if not found:
            raise PatchSyntaxError(at + 1, f"'{NO_NEWLINE}' before any line.")
        found[-1] = HunkLine(found[-1].mark, found[-1].text.removesuffix("\n"))


def render_file_patch(patch: FilePatch) -> str:
    """The patch as unified diff; `parse_patch` of it gives the same hunks."""
    old = f"a/{patch.old_path}" if patch.old_path is not None else "/dev/null"
    new = f"b/{patch.new_path}" if patch.new_path is not None else "/dev/null"
    lines = [f"--- {quoted(old)}", f"+++ {quoted(new)}"]
    for hunk in patch.hunks:
        lines.append(hunk.header)
        for line in hunk.lines:
            lines.append(line.mark + line.text.removesuffix("\n"))
            if not line.text.endswith("\n"):
                lines.append(NO_NEWLINE)
    return "\n".join(lines) + "\n"
