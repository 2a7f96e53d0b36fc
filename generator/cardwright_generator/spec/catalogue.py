"""All specs of a project, loaded and checked."""

from collections.abc import Mapping
from dataclasses import dataclass

from cardwright_generator.spec.diagnostics import Diagnostic
from cardwright_generator.spec.language import CardSpec, CommonSpec, TypeSpec
from cardwright_generator.spec.positions import Positions
from cardwright_generator.spec.refs import parse_ref


@dataclass(frozen=True, slots=True)
class LoadedCard:
    """A card's spec with its text (LF line ends) and the places of its nodes."""

    path: str
    text: str
    spec: CardSpec
    positions: Positions


@dataclass(frozen=True, slots=True)
class LoadedCommon:
    """A file of shared types with its text and the places of its nodes."""

    path: str
    text: str
    spec: CommonSpec
    positions: Positions


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The cards and shared types of a project in order of their paths, and every diagnostic.

    Cards whose files are not well-formed are missing; nothing may be generated while
    `diagnostics` holds an error.
    """

    cards: tuple[LoadedCard, ...]
    commons: tuple[LoadedCommon, ...]
    diagnostics: tuple[Diagnostic, ...]

    def resolve(self, ref: str, path: str) -> TypeSpec | None:
        """Return the type that a `$ref` in the file at `path` names, or None."""
        parsed = parse_ref(ref)
        return None if parsed is None else self._types_of(parsed.file_from(path)).get(parsed.name)

    def _types_of(self, path: str) -> Mapping[str, TypeSpec]:
        files: tuple[LoadedCard | LoadedCommon, ...] = (*self.cards, *self.commons)
        found = (one.spec.types for one in files if one.path == path)
        return next(found, dict[str, TypeSpec]())
