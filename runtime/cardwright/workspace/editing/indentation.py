"""The replacement takes over the indentation of the place where it goes."""

import re
from dataclasses import dataclass
from itertools import pairwise

from .matching import indents

_TAB_WIDTH = 4
_FIRST_INDENT = re.compile(r"^(\t| {2,8})\S", re.MULTILINE)


def reindented(new: str, anchor: str, place: str, content: str) -> str:
    """`new` indented as the lines of the anchor are at their place.

    Args:
        new: Replacement as the model wrote it, indented like `anchor`.
        anchor: What the model looked for.
        place: What was found, whole lines.
        content: The whole text, for the habit of its indentation.
    """
    wanted, found = indents(anchor), indents(place)
    if wanted == found or not found:
        return new
    if indents(new) == wanted:
        return _placed(new, found)
    habit = _Habit.of(wanted + indents(new), found, content)
    known = dict(zip(reversed(wanted), reversed(found), strict=False))
    lines = new.split("\n")
    return "\n".join(_moved(line, known, habit) for line in lines)


def _placed(new: str, found: list[str]) -> str:
    """`new`, whose lines are indented one by one as those of the anchor."""
    own = iter(found)
    return "\n".join(
        next(own) + line.lstrip(" \t") if line.strip() else line for line in new.split("\n")
    )


def _moved(line: str, known: dict[str, str], habit: "_Habit") -> str:
    body = line.lstrip(" \t")
    if not body:
        return line
    return _indent(line[: len(line) - len(body)], known, habit) + body


def _indent(written: str, known: dict[str, str], habit: "_Habit") -> str:
    """The indentation at the place for one that the model wrote."""
    outer = [indent for indent in known if written.startswith(indent)]
    if outer:
        nearest = max(outer, key=len)
        return known[nearest] + habit.converted(written[len(nearest) :])
    nearest = min(known, key=habit.width)
    surplus = habit.width(nearest) - habit.width(written)
    return habit.shortened(known[nearest], surplus)


@dataclass(frozen=True, slots=True)
class _Habit:
    """One step of indentation: as the model writes it, and as the text has it."""

    written: str
    found: str

    @classmethod
    def of(cls, written: list[str], found: list[str], content: str) -> "_Habit":
        usual = _FIRST_INDENT.search(content)
        return cls(
            _step(written) or " " * _TAB_WIDTH,
            _step(found) or (usual[1] if usual else "") or _step(written) or " " * _TAB_WIDTH,
        )

    def width(self, indent: str) -> int:
        """Columns of `indent`, a tab counting as one step of the model."""
        step = len(self.written) if self.written != "\t" else _TAB_WIDTH
        return sum(step if character == "\t" else 1 for character in indent)

    def converted(self, rest: str) -> str:
        """Further indentation below a known one, as the text would write it."""
        if not rest or self.written == self.found:
            return rest
        step = self.width(self.written)
        whole, left = divmod(self.width(rest), step)
        return self.found * whole + " " * left

    def shortened(self, indent: str, columns: int) -> str:
        """`indent` of the text with `columns` of the model taken off."""
        steps = columns // self.width(self.written)
        return indent[: max(0, len(indent) - steps * len(self.found))]


def _step(found: list[str]) -> str:
    """The smallest difference between two of the indentations; "" if there is none."""
    if any("\t" in indent for indent in found):
        return "\t"
    widths = sorted({len(indent) for indent in found})
    steps = [after - before for before, after in pairwise(widths)]
    return " " * min(steps) if steps else ""
