"""`cardwright docs`: the reference site of the cards of a project."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .errors import FINDINGS, CommandError

if TYPE_CHECKING:
    from cardwright_generator.project import Project
    from cardwright_generator.spec import Catalogue, LoadedCommon


def docs(
    *,
    output: Annotated[
        Path, typer.Option(help="Folder of the site; a former one is replaced.")
    ] = Path("site"),
    check: Annotated[
        bool, typer.Option("--check", help="Build without writing; a broken link is an error.")
    ] = False,
) -> int:
    """Build the reference site of this project's cards, readable without scripts."""
    _require_extra()
    from cardwright_generator.site import SiteError, build_site, site_pages

    from .rendered import rendered_examples

    project = _project()
    specs = _specs(project)
    title = f"Cards of {project.package}"
    pages = site_pages(specs, project.package, title, rendered_examples(specs))
    try:
        warnings = build_site(pages, title, None if check else output)
    except SiteError as error:
        raise CommandError(str(error)) from error
    for line in warnings:
        typer.echo(f"warning: {line}", err=True)
    if not check:
        typer.echo(f"done: {len(pages)} pages in {output}; open {output / 'index.html'}")
    elif not warnings:
        typer.echo(f"done: {len(pages)} pages, every link leads somewhere")
    return FINDINGS if check and warnings else 0


def _require_extra() -> None:
    from importlib.util import find_spec

    from .generator import is_installed

    absent = [name for name in ("sphinx", "myst_parser", "furo") if find_spec(name) is None]
    if absent or not is_installed():
        message = "`cardwright docs` needs two extras: pip install 'cardwright[generator,site]'"
        raise CommandError(message)


def _project() -> "Project":
    from cardwright_generator.project import ProjectError, find_project

    try:
        return find_project()
    except ProjectError as error:
        raise CommandError(str(error)) from error


def _specs(project: "Project") -> "Catalogue":
    from cardwright_generator.installed import installed_catalogues
    from cardwright_generator.project import ProjectError
    from cardwright_generator.spec import Catalogue, load_specs

    from .catalogue import specs_of

    try:
        installed = installed_catalogues(project)
    except ProjectError as error:
        raise CommandError(str(error)) from error
    loaded = load_specs(specs_of(project), project, {one.path: one.text for one in installed.files})
    wrong = [one for one in loaded.diagnostics if one.severity == "error"]
    if wrong:
        message = f"{wrong[0].file}:{wrong[0].line}: {wrong[0].code} {wrong[0].message}"
        raise CommandError(f"{message}; `cardwright check` tells everything")
    texts = [*(one.text for one in loaded.cards), *(one.text for one in loaded.commons)]
    named = tuple(_named(texts, installed.commons))
    return Catalogue(loaded.cards, (*loaded.commons, *named), ())


def _named(texts: "list[str]", commons: "Sequence[LoadedCommon]") -> "Iterator[LoadedCommon]":
    """Files of shared types of other catalogues that specs name, and those that these name."""
    left = list(commons)
    for text in texts:
        for one in [one for one in left if f"{one.path}#/types/" in text]:
            left.remove(one)
            texts.append(one.text)
            yield one
