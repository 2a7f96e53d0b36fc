"""Installed catalogues: whose cards and shared types the specs of a project may name."""

import sys
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import entry_points
from pathlib import Path

from cardwright_generator.project import Project, ProjectError
from cardwright_generator.spec import CardFacts, LoadedCommon, ParsedFile, facts_of, parse_file
from cardwright_generator.spec.installed import UnknownCatalogueError, installed_specs
from cardwright_generator.spec.language import CardSpec, CommonSpec

GROUP = "cardwright.catalogues"


@dataclass(frozen=True)
class Installed:
    """The specs of every catalogue beside the project's own."""

    files: tuple[ParsedFile, ...]

    @cached_property
    def commons(self) -> tuple[LoadedCommon, ...]:
        """Files of shared types, as `package/file.yaml`."""
        return tuple(
            LoadedCommon(file.path, file.text, file.spec, file.positions)
            for file in self.files
            if isinstance(file.spec, CommonSpec)
        )

    def facts(self, own: frozenset[str]) -> list[CardFacts]:
        """Facts of the cards that specs may depend on; a card of one's own hides one of its name.

        Public names are left out: only an agent that carries both cards makes them clash.
        """
        cards = [facts_of(file) for file in self.files if isinstance(file.spec, CardSpec)]
        return [replace(card, names=()) for card in cards if card.card not in own]


def installed_catalogues(project: Project) -> Installed:
    """Read the catalogues that entry points and the project's configuration name.

    Raises:
        ProjectError: `[tool.cardwright] catalogues` names a package that is not installed.
    """
    packages = sorted({*_declared(_places()), *project.catalogues} - {project.package})
    try:
        found = installed_specs(packages)
    except UnknownCatalogueError as error:
        message = f"[tool.cardwright] catalogues: {error}"
        raise ProjectError(message) from error
    return Installed(tuple(_parsed(path, found[path]) for path in sorted(found)))


def _places() -> tuple[tuple[str, int], ...]:
    """The folders of packages, each with the time of its last installation."""
    folders = [path for path in map(Path, sys.path) if path.is_dir()]
    return tuple((str(path), path.stat().st_mtime_ns) for path in folders)


@lru_cache(maxsize=1)
def _declared(places: tuple[tuple[str, int], ...]) -> frozenset[str]:  # noqa: ARG001 - the key
    """The packages that entry points name, of which there may be hundreds to read."""
    return frozenset(entry.value.partition(".")[0] for entry in entry_points(group=GROUP))


_parsed = lru_cache(maxsize=1024)(parse_file)
"""Packages stay as they are while a project is generated again and again."""
