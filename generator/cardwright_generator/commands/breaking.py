"""`cardwright breaking` and `cardwright report`: what a change of specs means, and for whom."""

import gc
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwright_generator.project import Project, ProjectError

from .console import say, working
from .refusal import FINDINGS, project, refusing

if TYPE_CHECKING:
    from cardwright_generator.breaking import Level, Sides, Verdict


class Format(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    JUNIT = "junit"


class Threshold(StrEnum):
    """From which level on findings make the command fail."""

    ERR = "err"
    WARN = "warn"
    INFO = "info"
    NEVER = "never"


Against = Annotated[
    str,
    typer.Option(
        metavar="REF", help="What to compare with: a commit, branch or tag of git, or a folder."
    ),
]


def breaking(
    against: Against,
    *,
    as_format: Annotated[
        Format, typer.Option("--format", help="How to write findings.")
    ] = Format.TEXT,
    fail_on: Annotated[
        Threshold, typer.Option("--fail-on", help="Lowest level that makes the command fail.")
    ] = Threshold.ERR,
) -> int:
    """Report what the specs break for the model, for stored data and for code, since REF."""
    here = project()
    _, verdict = _judged(here, against)
    threshold = _level(fail_on)
    text = _rendered(verdict, as_format, threshold, here.below_repository)
    if text:
        typer.echo(text)
    return FINDINGS if verdict.fails(threshold) else 0


def report(
    against: Against,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; stdout if left out.")
    ] = None,
) -> int:
    """Write a Markdown report of a change: what the model reads now, what breaks, which version."""
    from cardwright_generator.breaking.report import render_report

    sides, verdict = _judged(project(), against)
    text = render_report(sides, verdict)
    if output is None:
        typer.echo(text, nl=False)
        return 0
    with refusing(OSError):
        output.write_text(text, encoding="utf-8", newline="\n")
    say("written", str(output))
    return 0


def _judged(here: Project, against: str) -> "tuple[Sides, Verdict]":
    from cardwright_generator.breaking import compare, judge, load_sides

    gc.disable()  # thousands of nodes that live until the end: collecting costs a sixth
    with working("comparing"), refusing(ProjectError):
        sides = load_sides(here, against)
        return sides, judge(compare(sides.old, sides.new), here.waivers, against)


def _level(threshold: Threshold) -> "Level | None":
    from cardwright_generator.breaking import Level

    return None if threshold is Threshold.NEVER else Level[threshold.name]


def _rendered(verdict: "Verdict", how: Format, threshold: "Level | None", below: str) -> str:
    from cardwright_generator.breaking import renderings

    if how is Format.JUNIT:
        return renderings.render_junit(verdict, threshold)
    if how is Format.JSON:
        return renderings.render_json(verdict)
    return (
        renderings.render_github(verdict, below)
        if how is Format.GITHUB
        else renderings.render_text(verdict)
    )
