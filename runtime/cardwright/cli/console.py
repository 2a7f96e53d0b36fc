"""Where the commands write: coloured on a terminal, plain text when piped or under NO_COLOR."""

import os
import re
import sys
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

_TRAILING = re.compile(r" +$", re.MULTILINE)
PIPED_WIDTH = 160
"""Columns of text that no terminal reads."""
_ANY_WIDTH = 10_000


def is_plain(stream: TextIO) -> bool:
    """Whether `stream` is no terminal or the user asked for no colour."""
    return bool(os.environ.get("NO_COLOR")) or not stream.isatty()


def console() -> Console:
    """The console of results; made at each use, so that a redirected stdout is seen."""
    return _console(sys.stdout)


def _console(stream: TextIO) -> Console:
    return Console(
        file=stream,
        color_system=None if is_plain(stream) else "auto",
        highlight=False,
        emoji=False,
        markup=False,
        width=None if stream.isatty() else PIPED_WIDTH,
    )


def complain(message: str) -> None:
    """Write one line of error."""
    errors = _console(sys.stderr)
    errors.print("error:", style="bold red", end=" ")
    errors.print(message, soft_wrap=True)


def remark(message: str) -> None:
    """Write one line beside the result, where no program reads it as a part of that."""
    to = _console(sys.stderr)
    to.print("note:", style="bold", end=" ")
    to.print(message, soft_wrap=True)


def table(*columns: str) -> Table:
    """A table without a frame: headings in bold, two spaces between columns."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        made.add_column(column)
    return made


def print_table(to: Console, shown: Table) -> None:
    """Print a table without blanks at the ends of its lines; words are whole, whatever the width.

    A name that is broken cannot be copied, and no search finds it.
    """
    for column in shown.columns:
        words = (word for cell in (column.header, *column.cells) for word in str(cell).split())
        column.min_width = max(map(cell_len, words), default=0)
    needed = Measurement.get(to, to.options.update(width=_ANY_WIDTH), shown).minimum
    shown.width = needed if needed > to.width else None
    with to.capture() as captured:
        to.print(shown, crop=False)
    text = captured.get()
    to.file.write(text if to.is_terminal else _TRAILING.sub("", text))
