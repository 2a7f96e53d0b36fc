"""Findings printed for people: excerpts, hints, and how many there are."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from cardwright_generator.spec import Diagnostic


def print_findings(found: "Sequence[Diagnostic]", sources: Mapping[str, str]) -> None:
    """Print every finding with an excerpt of its source, then how many there are."""
    if not found:
        return
    from cardwright_generator.spec import render_plain

    typer.echo(render_plain(found, sources))
    errors = sum(one.severity == "error" for one in found)
    counts = [_counted(errors, "error"), _counted(len(found) - errors, "warning")]
    typer.echo(f"{', '.join(filter(None, counts))}: `cardwright explain CODE` says more")


def _counted(number: int, word: str) -> str:
    """`1 error`, `2 errors`, or nothing."""
    return f"{number} {word}{'s' * (number > 1)}" if number else ""
