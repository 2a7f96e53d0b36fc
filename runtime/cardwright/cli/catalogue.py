"""The cards a user can name: those of the project around, then those of installed packages."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cardwright.actors.registry import CATALOGUE_GROUP
from cardwright.core import ToolCard

from .errors import CommandError

if TYPE_CHECKING:
    from cardwright_generator.project import Project


@dataclass(frozen=True, slots=True)
class Listed:
    """One card of a catalogue, not imported yet."""

    name: str
    path: str
    """`module:Class`."""
    catalogue: str
    """Module of the catalogue."""

    def load(self) -> type[ToolCard]:
        """Import the class of the card.

        Raises:
            CommandError: Its module does not import, or holds no such card.
        """
        module, _, name = self.path.partition(":")
        try:
            found: object = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            message = f"{self.name}: {self.path} cannot be imported: {error}"
            raise CommandError(message) from error
        if not (isinstance(found, type) and issubclass(found, ToolCard)):
            message = f"{self.name}: {self.path} is no ToolCard"
            raise CommandError(message)
        return found


def listed_cards() -> dict[str, Listed]:
    """Every card by its name; a card of the project hides an installed one."""
    found: dict[str, Listed] = {}
    for module in [*_project_catalogue(), *_installed_catalogues()]:
        for name, path in cards_of(module).items():
            found.setdefault(name, Listed(name=name, path=path, catalogue=module))
    return found


def find_card(name: str) -> Listed:
    """The card of that name.

    Raises:
        CommandError: There is none; similar names are proposed.
    """
    cards = listed_cards()
    if name in cards:
        return cards[name]
    folded = {known.lower().removesuffix("tool"): known for known in cards}
    close = get_close_matches(name.lower().removesuffix("tool"), folded)
    meant = next((folded[each] for each in close if not _is_deprecated(cards[folded[each]])), None)
    hint = f"did you mean {meant}?" if meant else "`cardwright list` names them"
    message = f"there is no card {name}: {hint}"
    raise CommandError(message)


def _is_deprecated(listed: Listed) -> bool:
    try:
        return listed.load().deprecated_use is not None
    except CommandError:  # one that needs an extra may be meant all the same
        return False


def newer_spec(listed: Listed) -> str | None:
    """The spec of a card of this project, if it is not the one that the card was made of."""
    from cardwright_generator.project import ProjectError
    from cardwright_generator.unchanged import last_manifest, spec_digests

    project = project_around()
    if project is None or listed.catalogue != f"{project.package}.catalogue":
        return None
    try:
        now, sources = spec_digests(project), last_manifest(project).sources
    except ProjectError:  # `cardwright check` tells what cannot be read
        return None
    for path, source in sources.items():
        if source.facts and source.facts["card"] == listed.name and now.get(path) != source.digest:
            return path
    return None


def _installed_catalogues() -> Iterator[str]:
    for entry in sorted(entry_points(group=CATALOGUE_GROUP), key=lambda entry: entry.name):
        yield entry.value.partition(":")[0]


def _project_catalogue() -> Iterator[str]:
    """The catalogue of the project around the current folder, made importable."""
    project = project_around()
    if project is None or not (project.root / project.package_path / "catalogue.py").is_file():
        return
    for folder in (project.output, *project.logic):
        _importable(project.root / folder)
    yield f"{project.package}.catalogue"


def project_around() -> "Project | None":
    """The project of the current folder, if there is one."""
    from cardwright_generator.project import ProjectError, find_project

    try:
        return find_project()
    except ProjectError:
        return None


def specs_of(project: "Project") -> dict[str, bytes]:
    """Path and content of every spec of a project.

    Raises:
        CommandError: One cannot be read; names it.
    """
    from cardwright_generator.project import ProjectError
    from cardwright_generator.unchanged import read_specs

    try:
        return read_specs(project)
    except ProjectError as error:
        raise CommandError(str(error)) from error


def _importable(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def cards_of(module: str) -> dict[str, str]:
    """Name of each card of a catalogue -> `module:Class`.

    Raises:
        CommandError: The catalogue does not import.
    """
    try:
        return cast("dict[str, str]", import_module(module).CARDS)
    except (ImportError, AttributeError) as error:
        message = f"the catalogue {module} cannot be read: {error}"
        project = project_around()
        if project is not None and module == f"{project.package}.catalogue":
            message = (
                f"the cards of this project are not there ({error}): run `cardwright generate`"
            )
        raise CommandError(message) from error
