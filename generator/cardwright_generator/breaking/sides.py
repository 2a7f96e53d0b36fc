"""One version of a project's specs, with everything a comparison looks up in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import CardSpec, CommonSpec, TypeSpec
from cardwright_generator.spec.parsing import ParsedFile
from cardwright_generator.spec.refs import parse_ref

from .finding import Spot


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a spec: its file and its path in it."""

    file: str
    path: NodePath = ()

    def at(self, *steps: str | int) -> "Node":
        """A node below this one."""
        return Node(self.file, (*self.path, *steps))


@dataclass(frozen=True)
class Side:
    """The files of one version that a comparison needs, by path."""

    files: Mapping[str, ParsedFile]
    own: frozenset[str] = field(default_factory=frozenset[str])
    """Files of the project, as against those of installed catalogues."""

    def card(self, file: str) -> CardSpec | None:
        """The card of a file, if it is one of a card."""
        found = self.files.get(file)
        spec = None if found is None else found.spec
        return spec if isinstance(spec, CardSpec) else None

    def cards(self) -> Iterator[tuple[str, CardSpec]]:
        """Every card of the project with its file."""
        for file in sorted(self.own):
            if (card := self.card(file)) is not None:
                yield file, card

    def commons(self) -> Iterator[tuple[str, CommonSpec]]:
        """Every file of shared types of the project."""
        for file in sorted(self.own):
            spec = self.files[file].spec
            if isinstance(spec, CommonSpec):
                yield file, spec

    def types(self, file: str) -> Mapping[str, TypeSpec]:
        """The named types of a file."""
        found = self.files.get(file)
        return found.spec.types if found is not None and found.spec is not None else {}

    def target(self, ref: str, file: str) -> tuple[Node, TypeSpec] | None:
        """What a `$ref` in a file names."""
        parsed = parse_ref(ref)
        if parsed is None:
            return None
        there = parsed.file_from(file)
        spec = self.types(there).get(parsed.name)
        return None if spec is None else (Node(there, ("types", parsed.name)), spec)

    def owner(self, file: str) -> str:
        """The card of a file, or the name of a file of shared types."""
        card = self.card(file)
        return card.card if card is not None else file.rpartition("/")[2].rpartition(".")[0]

    def spot(self, node: Node) -> Spot | None:
        """Where a node stands; the nearest part above it that is there."""
        found = self.files.get(node.file)
        return None if found is None else Spot(node.file, *found.positions.key(node.path))
