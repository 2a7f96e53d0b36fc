"""Specs of installed catalogues: they lie in the folder `specs` of an import package."""

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path


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
        for path in sorted(folder.glob("specs/*"))
        if path.suffix in {".yaml", ".yml"}
    }


def _folders(package: str) -> Iterator[Path]:
    found = find_spec(package) if package.isidentifier() else None
    if found is None:
        message = f"the catalogue '{package}' is not installed in this environment"
        raise UnknownCatalogueError(message)
    yield from (Path(folder) for folder in found.submodule_search_locations or ())
