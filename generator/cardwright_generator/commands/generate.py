"""`cardwright generate [SPEC...]`: bring the generated tree to what the specs say."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwright_generator.project import Project, ProjectError

from .console import say, say_json, working
from .findings import print_findings
from .refusal import FINDINGS, Refusal, project, refusing

if TYPE_CHECKING:
    from cardwright_generator.build import Build
    from cardwright_generator.check import Finding
    from cardwright_generator.writer import Report

SHOWN = 20
"""Paths printed of each kind; the rest is counted."""


def generate(
    specs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="SPEC", help="Specs to redo; all that changed if left out."),
    ] = None,
    *,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite hand edits; their text is kept as .orig.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    watching: Annotated[
        bool, typer.Option("--watch", help="Go on, and generate after each change of a spec.")
    ] = False,
) -> int:
    """Turn specs into cards. Writes what changed, deletes what is stale."""
    here = project()
    if watching and as_json:
        message = "--watch tells a person what happens: leave out --json"
        raise Refusal(message)
    if watching:
        from .watching import watch

        return watch(here, lambda now: _generate(now, specs, force=force, as_json=as_json))
    return _generate(here, specs, force=force, as_json=as_json)


def _generate(here: Project, specs: list[Path] | None, *, force: bool, as_json: bool) -> int:
    from cardwright_generator.writer import Report

    only = None if specs is None else [_spec_path(here, spec) for spec in specs]
    with working("generating"):
        built, report = run(here, only, force=force)
    if as_json:
        found = [asdict(one) for one in built.diagnostics]
        notes = [asdict(note) for note in _notes(here, built, report)]
        say_json({**asdict(report or Report()), "diagnostics": found, "notes": notes})
    else:
        print_findings(built.diagnostics, built.sources or {})
        if report is not None:
            print_report(report)
        for note in _notes(here, built, report):
            say("note:", f"{note.file}:{note.line}: {note.message}; {note.hint or ''}".rstrip("; "))
    return FINDINGS if report is None or report.refused else 0


def run(
    here: Project, only: list[str] | None = None, *, force: bool = False
) -> "tuple[Build, Report | None]":
    """Build and write; the report is `None` when a spec is wrong and nothing was written."""
    from cardwright_generator.build import build
    from cardwright_generator.lock import exclusive
    from cardwright_generator.writer import reconcile

    with refusing(ProjectError), exclusive(here.root):
        built = build(here, only)
        return built, None if built.failed else reconcile(here, built, force=force)


def _notes(here: Project, built: "Build", report: "Report | None") -> "list[Finding]":
    """What is left to do by hand: files to move away, methods to write after a change of specs."""
    from cardwright_generator.check import by_hand

    return [] if report is None or report.refused else by_hand(here, built.manifest)


def summary(report: "Report") -> str:
    """One line about what a run did."""
    if not report.written and not report.deleted:
        return f"{report.unchanged} file{'s' * (report.unchanged != 1)} unchanged"
    written, deleted = len(report.written), len(report.deleted)
    return f"{written} written, {deleted} deleted, {report.unchanged} unchanged"


def _spec_path(here: Project, spec: Path) -> str:
    known = {path.resolve(): path for path in here.spec_files()}
    found = known.get(spec.resolve())
    if found is None:
        message = (
            f"{spec} is no spec of this project: specs are the YAML files in {here.specs}/, "
            "named relative to where you are"
        )
        raise Refusal(message)
    return here.relative(found)


def print_report(report: "Report") -> None:
    """Tell a person what a run wrote, deleted and kept, or why it did nothing."""
    if report.refused:
        _print_refusal(report)
        return
    for word, paths in (
        ("written", report.written),
        ("deleted", report.deleted),
        ("kept", report.kept_edits),
    ):
        # The last line names the last path rather than `and 1 more`.
        shown = paths if len(paths) == SHOWN + 1 else paths[:SHOWN]
        for path in shown:
            say(word, path)
        if len(paths) > len(shown):
            say(word, f"and {len(paths) - len(shown)} more")
    for path in report.strays:
        say("left:", f"{path}: the manifest names it, and nothing here can have generated it")
    say("done:", summary(report))


def _print_refusal(report: "Report") -> None:
    for path, diff in report.diffs.items():
        say("edited", path)
        typer.echo(diff)
    for path in report.foreign:
        say("foreign", path)
    count = len(report.edited) + len(report.foreign)
    files = "1 file is" if count == 1 else f"{count} files are"
    say(
        "refused:",
        f"nothing was written, because {files} not what was generated: move what you "
        "need into the logic or the spec, then `cardwright generate --force`",
    )
