"""Findings about specs, printed for people or handed to programs."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from cardwright_generator.build import Build


def print_diagnostics(built: "Build") -> None:
    """Print every finding with an excerpt, then how many there are."""
    from cardwright_generator.spec import render_plain

    if not built.diagnostics:
        return
    typer.echo(render_plain(built.diagnostics, built.sources or {}))
    errors = sum(found.severity == "error" for found in built.diagnostics)
    warnings = len(built.diagnostics) - errors
    typer.echo(f"{errors} errors, {warnings} warnings: `cardwright explain CODE` says more")


def diagnostics_json(built: "Build") -> list[dict[str, object]]:
    """The findings as JSON objects."""
    return [asdict(found) for found in built.diagnostics]
