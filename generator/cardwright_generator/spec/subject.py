"""What a check looks at: one file of the project, and what it may refer to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cardwright_generator.spec.diagnostics import NodePath
from cardwright_generator.spec.language import (
    CapabilitySpec,
    CardSpec,
    EndpointSpec,
    Schema,
    TypeSpec,
)
from cardwright_generator.spec.leaves import leaves
from cardwright_generator.spec.nodes import Node, schemas_of_card, schemas_of_types
from cardwright_generator.spec.refs import parse_ref


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One endpoint of a card, with its capability and its path."""

    path: NodePath
    key: str
    spec: EndpointSpec
    capability_key: str
    capability: CapabilitySpec

    @property
    def name(self) -> str:
        """Public name."""
        return self.spec.name or self.key

    @property
    def owner(self) -> NodePath:
        """Path of the capability."""
        return self.path[:2]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What the checks of one file may look up in the others."""

    commons: Mapping[str, Mapping[str, TypeSpec]] = field(
        default_factory=dict[str, Mapping[str, TypeSpec]]
    )
    """Types of the files of shared types, by path."""
    cards: frozenset[str] = frozenset()
    """Paths of the cards."""
    modules: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Paths of the project's own files by the module they become."""
    python_modules: frozenset[str] = frozenset()
    """Modules that `python:` may name beside the standard ones."""
    roots: tuple[Path, ...] = ()
    """Folders in which the project's own modules are looked up."""


@dataclass(frozen=True)
class Subject:
    """A file under check: a card, or (`card` is None) a file of shared types."""

    file: str
    types: Mapping[str, TypeSpec]
    card: CardSpec | None = None
    around: Neighbours = field(default_factory=Neighbours)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every schema of the file, outer before inner."""
        found = schemas_of_card(self.card) if self.card else ()
        return (*found, *schemas_of_types(self.types))

    @cached_property
    def leaves(self) -> tuple[tuple[NodePath, object], ...]:
        """Every single value of the file that is no default or choice, with its path."""
        if self.card is not None:
            return tuple(leaves((), self.card))
        return tuple(leaves(("types",), dict(self.types)))

    @cached_property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Every endpoint of the card, in order."""
        return tuple(self._endpoints()) if self.card else ()

    def _endpoints(self) -> Iterator[Endpoint]:
        for capability_key, capability in self.card.capabilities.items() if self.card else ():
            for key, spec in capability.endpoints.items():
                path = ("capabilities", capability_key, "endpoints", key)
                yield Endpoint(path, key, spec, capability_key, capability)

    def resolve(self, ref: str) -> TypeSpec | None:
        """Return the type a `$ref` of this file names, or None."""
        parsed = parse_ref(ref)
        if parsed is None:
            return None
        types = (
            self.around.commons.get(parsed.file_from(self.file), {}) if parsed.file else self.types
        )
        return types.get(parsed.name)

    def seen_from(self, ref: str) -> "Subject":
        """Return the file in which the target of a `$ref` stands, as a subject."""
        parsed = parse_ref(ref)
        if parsed is None or not parsed.file:
            return self
        file = parsed.file_from(self.file)
        return Subject(file, self.around.commons.get(file, {}), None, self.around)

    def target(self, schema: Schema) -> Schema:
        """Follow the `$ref`s of a schema to what they stand for (itself on a circle)."""
        here, seen = self, set[str]()
        while schema.ref and schema.ref not in seen:
            seen.add(schema.ref)
            found = here.resolve(schema.ref)
            if found is None:
                return schema
            here, schema = here.seen_from(schema.ref), found
        return schema
