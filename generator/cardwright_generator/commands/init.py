"""`cardwright init [DIR]`: a project of one's own, green from its first minute."""

import json
import os.path
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from shlex import quote
from typing import Annotated, cast
from urllib.parse import unquote, urlparse

import typer

from cardwright_generator.project import ProjectError, project_from

from .console import say
from .new import files_of_card, write_new
from .refusal import refusing


def init(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Where to start it; the current folder if left out."),
    ] = Path(),
    name: Annotated[
        str | None, typer.Option(help="Name of the project; the folder's if left out.")
    ] = None,
    card: Annotated[str, typer.Option(help="Class name of its first card.")] = "HelloTool",
) -> None:
    """Start a project of your own with one card. Refuses to overwrite anything."""
    from .scaffold import ProjectNames, project_files, run_prefix

    root = folder.resolve()
    names = ProjectNames.of(name or root.name)
    checkout = _checkout(root)
    with refusing(ProjectError):
        here = project_from({"package": names.package, "logic": ["src"]}, root)
    files = project_files(names, checkout=checkout)
    write_new(root, files | files_of_card(here, card, names.base))
    uv = run_prefix(checkout)
    inside = "" if folder == Path() else f"cd {quote(str(folder))} && "
    # Hooks and `breaking --against` need a repository; one around it is enough.
    git = "" if _in_repository(root) else "git init && "
    say("next:", f"{inside}{git}{uv}cardwright generate && {uv}pytest")


def _in_repository(root: Path) -> bool:
    return any((folder / ".git").exists() for folder in (root, *root.parents))


def _checkout(root: Path) -> str | None:
    """The folder of an editable installation of cardwright as seen from `root`, if it is one."""
    try:
        text = distribution("cardwright").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    origin = cast("dict[str, object]", json.loads(text or "{}"))
    url = urlparse(str(origin.get("url", "")))
    if url.scheme != "file" or "dir_info" not in origin:
        return None
    return Path(os.path.relpath(unquote(url.path), root)).as_posix()
