"""A window onto the lines of a text."""

from dataclasses import dataclass
from itertools import islice

from cardwright.workspace.editing import split_lines

MOST_CHARACTERS = 1_000_000
"""Characters of one page; more would only fill up the context of a model."""
NUMBER_WIDTH = 6


@dataclass(frozen=True, slots=True)
class Page:
    """Numbered lines; `first` and `last` are 0 if none is shown in full."""

    text: str
    first: int
    last: int
    total: int


def page_of(text: str, offset: int, limit: int) -> Page:
    """The lines from number `offset`, at most `limit`, each after its number.

    A notice follows if lines are left. Offsets below 1 count as 1.
    """
    lines = split_lines(text)
    start = max(offset, 1) - 1
    shown: list[str] = []
    room = MOST_CHARACTERS
    for number, line in enumerate(islice(lines, start, start + limit), start + 1):
        room -= len(line) + NUMBER_WIDTH
        if room < 0:
            break
        shown.append(f"{number:<{NUMBER_WIDTH}}{line}")
    if not shown and start < len(lines):
        return _cut(lines, start)
    last = start + len(shown)
    if shown and last < len(lines):
        shown.append(f"[... truncated: {len(lines)} lines total, showing {start + 1}-{last} ...]")
    page = "\n".join(shown)
    if not shown:
        return Page(page, 0, 0, len(lines))
    return Page(page, start + 1, last, len(lines))


def _cut(lines: list[str], start: int) -> Page:
    """The beginning of a line that is longer than a page."""
    number = start + 1
    text = (
        f"{number:<{NUMBER_WIDTH}}{lines[start][:MOST_CHARACTERS]}\n"
        f"[... truncated: {len(lines)} lines total, line {number} has {len(lines[start])}"
        f" characters and is cut after {MOST_CHARACTERS} ...]"
    )
    return Page(text, number, 0, len(lines))
