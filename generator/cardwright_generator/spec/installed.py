"""Specs of installed catalogues: they ship in the folder `specs` of an import package."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from cardwright_generator.project import ProjectError, find_project, is_spec


class UnknownCatalogueError(LookupError):
    """A package that a project names as a catalogue is not installed; the text says which."""


def installed_specs(packages: Iterable[str]) -> dict[str, bytes]:
    """Return the spec files of catalogues as `package/file.yaml`, without importing anything.

    Raises `UnknownCatalogueError` for a package that is not installed.
    """
    return {
        f"{package}/{path.name}": path.read_bytes()
        for package in packages
        for folder in _folders(package)
        for path in sorted(folder.rglob("*"))
        if is_spec(path.relative_to(folder))
    }


def _folders(package: str) -> Iterator[Path]:
    found = find_spec(package) if package.isidentifier() else None
    if found is None:
        message = f"the catalogue '{package}' is not installed in this environment"
        raise UnknownCatalogueError(message)
    yield from (_specs_of(Path(folder)) for folder in found.submodule_search_locations or ())


def _specs_of(package: Path) -> Path:
    """Where the specs of a package lie: in it, or in its project if it is editable."""
    shipped = package / "specs"
    if shipped.is_dir():
        return shipped
    try:
        project = find_project(package)
    except ProjectError:
        return shipped
    return project.specs_dir if project.package == package.name else shipped
