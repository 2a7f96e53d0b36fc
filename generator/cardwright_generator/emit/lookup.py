"""What each `$ref` of a project means: its spec, and its Python name."""

from collections.abc import Mapping
from dataclasses import dataclass

from cardwright_generator.model.annotations import Types
from cardwright_generator.model.code import Code, imported
from cardwright_generator.model.naming import folder, identifier
from cardwright_generator.model.schema import is_object
from cardwright_generator.model.values import Values
from cardwright_generator.spec.catalogue import Catalogue, LoadedCard, LoadedCommon
from cardwright_generator.spec.language import Schema, TypeSpec
from cardwright_generator.spec.refs import parse_ref

from .types_module import python_name


@dataclass(frozen=True, slots=True)
class Target:
    """A named type, and the file in which its own references are to be read."""

    spec: TypeSpec
    path: str
    name: str
    python: Code
    """Importable from anywhere."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """The named types of all files."""

    catalogue: Catalogue
    package: str
    installed: tuple[LoadedCommon, ...] = ()
    """Shared types of other catalogues; their paths begin with their package."""

    def find(self, ref: str, path: str) -> Target:
        """The target of a reference in the file at `path`; checking has proven that it exists."""
        parsed = parse_ref(ref)
        loaded = None if parsed is None else self._file(parsed.file_from(path))
        if parsed is None or loaded is None:
            message = f"{path}: {ref} names no type"
            raise KeyError(message)
        spec = loaded.spec.types[parsed.name]
        module = f"{parsed.package or self._package_of(loaded)}.{home_of(loaded)}.types"
        code = imported(module, python_name(parsed.name, spec))
        return Target(spec, loaded.path, parsed.name, code)

    def values(self, path: str) -> Values:
        """Which values schemas of the spec at `path` allow, references followed."""

        def find(ref: str, there: str) -> tuple[Schema, str]:
            target = self.find(ref, there)
            return target.spec, target.path

        return Values(find, path)

    def types(self, path: str) -> Types:
        """What each reference means to an emitted module of the spec at `path`.

        Cards refer to their own types and to those of shared files, never to another card's.
        """
        here = path.rpartition("/")[0]
        own = self._file(path)
        found = {} if own is None else self._pointers(own.spec.types, "", ".types")
        classes = set[str]() if own is None else _classes(own.spec.types, "")
        for common in self.catalogue.commons:
            directory, _, file = common.path.rpartition("/")
            if directory == here and common is not own:
                module = f"{self.package}.{home_of(common)}.types"
                found |= self._pointers(common.spec.types, file, module)
                classes |= _classes(common.spec.types, file)
        for common in self.installed:
            module = f"{self._package_of(common)}.{home_of(common)}.types"
            found |= self._pointers(common.spec.types, common.path, module)
            classes |= _classes(common.spec.types, common.path)
        return Types(found, frozenset(classes))

    @staticmethod
    def _pointers(types: Mapping[str, TypeSpec], file: str, module: str) -> dict[str, Code]:
        return {
            f"{file}#/types/{name}": imported(module, python_name(name, spec))
            for name, spec in types.items()
        }

    def _file(self, path: str) -> LoadedCard | LoadedCommon | None:
        return next((loaded for loaded in self._files() if loaded.path == path), None)

    def _files(self) -> list[LoadedCard | LoadedCommon]:
        return [*self.catalogue.commons, *self.catalogue.cards, *self.installed]

    def _package_of(self, loaded: LoadedCard | LoadedCommon) -> str:
        if any(loaded is common for common in self.installed):
            return loaded.path.partition("/")[0]
        return self.package


def _classes(types: Mapping[str, TypeSpec], file: str) -> set[str]:
    return {f"{file}#/types/{name}" for name, spec in types.items() if is_object(spec)}


def home_of(loaded: LoadedCard | LoadedCommon) -> str:
    """Name of the emitted subpackage of a spec."""
    if isinstance(loaded, LoadedCard):
        return folder(loaded.spec.card)
    return identifier(loaded.path.rpartition("/")[2].rpartition(".")[0])
