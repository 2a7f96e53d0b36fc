"""Cards of installed catalogues, read from their tables without importing them."""

import ast
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import cast

from cardwright_generator.project import Project, ProjectError

GROUP = "cardwright.catalogues"


def installed_cards(project: Project) -> dict[str, str]:
    """Class name of every card that specs may depend on without declaring it -> its catalogue.

    Raises:
        ProjectError: `[tool.cardwright] catalogues` names a package without a catalogue.
    """
    found = {entry.value.partition(":")[0]: False for entry in entry_points(group=GROUP)}
    found |= {f"{package}.catalogue": True for package in project.catalogues}
    found.pop(f"{project.package}.catalogue", None)
    return {
        card: module
        for module, wanted in sorted(found.items())
        for card in _cards(module, wanted=wanted)
    }


def _cards(module: str, *, wanted: bool) -> list[str]:
    path = _source(module)
    if path is not None:
        return _table(path)
    if wanted:
        package = module.rpartition(".")[0]
        message = f"[tool.cardwright] catalogues: {package} is not installed, or has no catalogue"
        raise ProjectError(message)
    return []


def _source(module: str) -> Path | None:
    parts = Path(*module.split(".")).with_suffix(".py")
    places = (Path(entry or ".") / parts for entry in sys.path)
    return next((path for path in places if path.is_file()), None)


def _table(path: Path) -> list[str]:
    """The keys of the table `CARDS`."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "CARDS" and node.value:
            return list(cast("dict[str, str]", ast.literal_eval(node.value)))
    return []
