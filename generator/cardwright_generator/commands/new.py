"""`cardwright new CARD`: spec, logic and test of a card that works at once."""

import os.path
from pathlib import Path
from typing import Annotated

import typer

from cardwright_generator.project import Project, ProjectError

from .console import say
from .refusal import Refusal, project, refusing


def new(
    card: Annotated[
        str, typer.Argument(metavar="CARD", help="Class name of the card, such as WeatherTool.")
    ],
    package: Annotated[
        str | None,
        typer.Option(help="Import package that holds the logic; needed if there are several."),
    ] = None,
    parts: Annotated[
        str | None,
        typer.Option(
            "--with", metavar="PARTS", help="`actor,context` for what a team shares, and sees."
        ),
    ] = None,
) -> None:
    """Start a card: spec, logic and test. Refuses to overwrite anything."""
    here = project()
    shared = _is_shared(parts)
    write_new(here.root, files_of_card(here, card, package or _logic_package(here), shared=shared))
    say("next:", "edit the spec, then `cardwright generate` and `pytest tests`")


def files_of_card(here: Project, card: str, logic: str, *, shared: bool = False) -> dict[str, str]:
    """The files of a new card of a project; refuses a name that its spec could not have."""
    from .scaffold import CardNames, card_files
    from .scaffold.names import card_name

    with refusing(ValueError):
        names = CardNames(card=card_name(card), package=here.package, logic=logic)
    schema = os.path.relpath(f"{here.output}/card.schema.json", here.specs)
    source = _source_root(here, logic)
    folders = {"specs": here.specs, "source": source, "schema": Path(schema).as_posix()}
    files = card_files(names, **folders, shared=shared)
    _refuse_faults(here, {path: text for path, text in files.items() if path.endswith(".yaml")})
    return files


def _refuse_faults(here: Project, new: dict[str, str]) -> None:
    """Refuse a spec that `generate` would refuse, alone or beside those that are there."""
    from cardwright_generator.spec import load_specs
    from cardwright_generator.unchanged import read_specs

    with refusing(ProjectError):
        known = read_specs(here)
    files: dict[str, str | bytes] = {**known, **new}
    for one in load_specs(files, here).diagnostics:
        if one.file in new and one.severity == "error":
            message = f"{one.message}{f'; {one.hint}' if one.hint else ''}"
            raise Refusal(message)


def _is_shared(parts: str | None) -> bool:
    if parts is None:
        return False
    if {part.strip() for part in parts.split(",")} != {"actor", "context"}:
        message = f"--with {parts}: give `--with actor,context`, or nothing for a card without both"
        raise Refusal(message)
    return True


def write_new(root: Path, files: dict[str, str]) -> None:
    """Write files that must not exist yet; nothing is written if one of them does."""
    taken = sorted(path for path in files if (root / path).exists())
    if taken:
        message = f"nothing was written, already there: {', '.join(taken)}"
        raise Refusal(message)
    for path, text in sorted(files.items()):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
        say("created", path)


def _packages(here: Project) -> list[tuple[str, str]]:
    """Source root and name of every import package with handwritten logic."""
    return sorted(
        (source, found.parent.name)
        for source in here.logic
        for found in (here.root / source).glob("*/__init__.py")
        if found.parent.name != here.package
    )


def _logic_package(here: Project) -> str:
    found = [name for _, name in _packages(here)]
    if len(found) == 1:
        return found[0]
    roots = " or ".join(here.logic)
    if not found:
        message = f"no package with an __init__.py in {roots}: make one, or give --package"
        raise Refusal(message)
    message = f"several packages could hold the logic ({', '.join(found)}): choose with --package"
    raise Refusal(message)


def _source_root(here: Project, logic: str) -> str:
    roots = [source for source, name in _packages(here) if name == logic.partition(".")[0]]
    return roots[0] if roots else here.logic[0]
