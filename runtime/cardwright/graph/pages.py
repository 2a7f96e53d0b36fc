"""Bounded reads: a page of the graph, or one entity with a page of its relations."""

from dataclasses import dataclass
from itertools import islice

from cardwright_cards.knowledge_graph.types import Entity, Relation

from .delta import copy_of, copy_of_relation
from .index import GraphIndex


@dataclass(frozen=True, slots=True)
class GraphPage:
    """Some entities with the relations that start at them, and how many there are in all."""

    entities: list[Entity]
    relations: list[Relation]
    offset: int
    total: int


@dataclass(frozen=True, slots=True)
class OpenedEntity:
    """An entity with some of its relations, and how many it has."""

    entity: Entity
    relations: list[Relation]
    offset: int
    total: int


def page_of(index: GraphIndex, offset: int, limit: int | None) -> GraphPage:
    """Entities in graph order from `offset` on, at most `limit`."""
    end = None if limit is None else offset + limit
    nodes = list(islice(index.nodes.values(), offset, end))
    edges = [
        edge
        for node in nodes
        for ref_id in index.tied.links[node.entity.name]
        if (edge := index.edges[ref_id]).relation.from_entity == node.entity.name
    ]
    edges.sort(key=lambda edge: edge.place)
    return GraphPage(
        entities=[copy_of(node.entity) for node in nodes],
        relations=[copy_of_relation(edge.relation) for edge in edges],
        offset=offset,
        total=len(index.nodes),
    )


def opened(index: GraphIndex, name: str, offset: int, limit: int) -> OpenedEntity | None:
    """The entity with its relations from `offset` on, oldest first; None if there is none."""
    name = index.known_as(name)
    node = index.nodes.get(name)
    if node is None:
        return None
    relations = islice(index.relations_at(name), offset, offset + limit)
    return OpenedEntity(
        entity=copy_of(node.entity),
        relations=[copy_of_relation(relation) for relation in relations],
        offset=offset,
        total=len(index.tied.links[name]),
    )
