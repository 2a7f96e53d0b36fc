"""The graph with the indexes that make one change cost one change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cardwright_cards.knowledge_graph.types import Entity, Relation, RootRow

from .adjacency import Adjacency
from .text_index import TextIndex
from .texts import unquoted

type Triple = tuple[str, str, str]


@dataclass(slots=True)
class Node:
    """An entity with its id and place."""

    entity: Entity
    ref_id: str
    place: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation with its place."""

    relation: Relation
    place: int


class GraphIndex:
    """Entities by name, id, type and adjacency; relations by id and by their three names."""

    def __init__(self, entities: Iterable[Entity] = (), relations: Iterable[Relation] = ()) -> None:
        """Build the indexes once; relations that lack an end are left out."""
        self.nodes: dict[str, Node] = {}
        self.tied = Adjacency()
        self.edges: dict[str, Edge] = {}
        self.texts = TextIndex()
        self.roots: dict[str, RootRow] = {}
        self.relation_types: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self._triples: dict[Triple, str] = {}
        self._by_type: dict[str, dict[str, None]] = {}
        self._places = 0
        for entity in entities:
            self.put_entity(entity)
        for relation in relations:
            if relation.from_entity in self.nodes and relation.to_entity in self.nodes:
                self.put_relation(relation)

    @property
    def entity_types(self) -> Iterable[str]:
        """Types that some entity has."""
        return self._by_type.keys()

    def of_type(self, entity_type: str) -> list[Entity]:
        """The entities of one type."""
        return [self.nodes[name].entity for name in self._by_type.get(entity_type, ())]

    def entity_of(self, ref_id: str) -> Entity | None:
        """The entity with that id."""
        name = self._names.get(ref_id)
        return None if name is None else self.nodes[name].entity

    def known_as(self, name: str) -> str:
        """The name of the entity that a reader means, who may write it in quotes as it is shown.

        An entity of exactly that name comes first; a name of none stays as it is.
        """
        if name in self.nodes:
            return name
        bare = unquoted(name)
        return bare if bare in self.nodes else name

    def relation_of(self, triple: Triple) -> Relation | None:
        """The relation between two entities of that type."""
        ref_id = self._triples.get(triple)
        return None if ref_id is None else self.edges[ref_id].relation

    def relations_at(self, name: str) -> Iterator[Relation]:
        """The relations that start or end at the entity, oldest first."""
        return (self.edges[ref_id].relation for ref_id in self.tied.links[name])

    def put_entity(self, entity: Entity) -> None:
        """Add an entity, or replace the one of that name, which keeps its id, place and links."""
        if (node := self.nodes.get(entity.name)) is None:
            node = Node(entity, str(entity.id), self._next_place())
            self.nodes[entity.name] = node
            self.tied.add_name(entity.name)
            self._names[node.ref_id] = entity.name
            self._type(entity)
        else:
            self._retype(node.entity, entity)
            node.entity = entity
        self._put_root(entity)
        self.texts.put(node.ref_id, entity)

    def put_relation(self, relation: Relation) -> None:
        """Add a relation whose ends exist."""
        ref_id, start, end = str(relation.id), relation.from_entity, relation.to_entity
        self.edges[ref_id] = Edge(relation, self._next_place())
        self._triples[triple_of(relation)] = ref_id
        self.tied.add(ref_id, start, end)
        self.relation_types[relation.relation_type] += 1
        self.texts.put(ref_id, relation)

    def drop_relation(self, relation: Relation) -> None:
        """Remove a relation."""
        ref_id = str(relation.id)
        del self.edges[ref_id]
        del self._triples[triple_of(relation)]
        self.tied.drop(ref_id, relation.from_entity, relation.to_entity)
        self.relation_types[relation.relation_type] -= 1
        if not self.relation_types[relation.relation_type]:
            del self.relation_types[relation.relation_type]
        self.texts.drop(ref_id)

    def drop_entity(self, name: str) -> None:
        """Remove an entity that has no relations left."""
        node = self.nodes.pop(name)
        self.tied.drop_name(name)
        del self._names[node.ref_id]
        self._untype(node.entity)
        self.roots.pop(name, None)
        self.texts.drop(node.ref_id)

    def _put_root(self, entity: Entity) -> None:
        if entity.is_root:
            self.roots[entity.name] = RootRow(
                name=entity.name, entity_type=entity.entity_type, description=entity.description
            )
        else:
            self.roots.pop(entity.name, None)

    def _type(self, entity: Entity) -> None:
        self._by_type.setdefault(entity.entity_type, {})[entity.name] = None

    def _retype(self, old: Entity, new: Entity) -> None:
        if old.entity_type != new.entity_type:
            self._untype(old)
            self._type(new)

    def _untype(self, entity: Entity) -> None:
        names = self._by_type[entity.entity_type]
        del names[entity.name]
        if not names:
            del self._by_type[entity.entity_type]

    def _next_place(self) -> int:
        self._places += 1
        return self._places


def triple_of(relation: Relation) -> Triple:
    """What makes a relation unique."""
    return relation.from_entity, relation.to_entity, relation.relation_type
