"""`cardwright check`: is everything what the specs say? Reads, never writes."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwright_generator.project import Project, ProjectError

from .console import say, say_json, working
from .findings import print_findings
from .refusal import FINDINGS, project, refusing

if TYPE_CHECKING:
    from cardwright_generator.check import Checked


def check(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    for_github: Annotated[
        bool, typer.Option("--github", help="Print annotations for a GitHub workflow.")
    ] = False,
    dialect: Annotated[
        list[str] | None,
        typer.Option(help="Also report what this provider's form of schema cannot say, or `all`."),
    ] = None,
) -> int:
    """Report invalid specs, drift, hand edits, stale and foreign files, and unfit logic."""
    from cardwright_generator.check import check_project

    here = project()
    with working("checking"), refusing(ProjectError):
        checked = check_project(here)
    if dialect and checked.clean:
        from .dialects import with_dialects

        checked = with_dialects(here, checked, dialect)
    if as_json:
        found = [asdict(one) for one in checked.diagnostics]
        say_json({"clean": checked.clean, "diagnostics": found, "diffs": dict(checked.diffs)})
    elif for_github:
        _print_for_github(here, checked)
    else:
        _print(here, checked)
    return 0 if checked.clean else FINDINGS


def _print(here: Project, checked: "Checked") -> None:
    print_findings(checked.diagnostics, {**checked.sources, **_handwritten(here, checked)})
    for path, diff in checked.diffs.items():
        say("differs", path)
        typer.echo(diff)
    if checked.clean:
        say("done:", "everything is what the specs say")


def _print_for_github(here: Project, checked: "Checked") -> None:
    from cardwright_generator.spec import render_github

    if checked.diagnostics:
        typer.echo(render_github(checked.diagnostics, here.below_repository))


def _handwritten(here: Project, checked: "Checked") -> Mapping[str, str]:
    """Text of the logic modules that findings are about, for excerpts."""
    files = {found.file for found in checked.diagnostics}
    roots = tuple(f"{root}/" for root in here.logic)
    ours = [file for file in files if file.startswith(roots) and (here.root / file).is_file()]
    return {file: _text(here.root / file) for file in ours}


def _text(path: Path) -> str:
    """The text of a module, also where it cannot be read as one."""
    return path.read_text(encoding="utf-8-sig", errors="replace")
