"""Reading parts of the graph: neighbourhoods and walks."""

from collections.abc import Iterable

from cardwright_cards.knowledge_graph.types import (
    Entity,
    GetGraphQuery,
    GraphView,
    Relation,
)

from .delta import copy_of, copy_of_relation
from .index import GraphIndex


def view(index: GraphIndex, query: GetGraphQuery | None = None) -> GraphView:
    """The part that a query asks for, as copies, in graph order."""
    query = query or GetGraphQuery()
    if query.path:
        return _walk(index, query)
    if query.roots_only:
        return _around(index, index.roots, query, query.depth or 0)
    if query.entity_names:
        return _around(index, query.entity_names, query, _depth(query))
    return GraphView(
        entities=[copy_of(node.entity) for node in index.nodes.values()],
        relations=[copy_of_relation(edge.relation) for edge in index.edges.values()],
    )


def reached(
    index: GraphIndex,
    seeds: Iterable[str],
    depth: int,
    relation_types: Iterable[str] = (),
    closed: Iterable[str] = (),
) -> dict[str, None]:
    """Names within `depth` undirected hops of the seeds that exist; never through `closed`."""
    types, shut = set(relation_types), set(closed)
    found = {name: None for name in seeds if name in index.nodes}
    edge = list(found)
    for _ in range(depth):
        fresh = {
            other: None
            for name in edge
            for ref_id, other in index.tied.links[name].items()
            if other not in found
            and other not in shut
            and (not types or index.edges[ref_id].relation.relation_type in types)
        }
        if not fresh:
            break
        found |= fresh
        edge = list(fresh)
    return found


def relations_within(index: GraphIndex, names: Iterable[str]) -> list[Relation]:
    """The relations with both ends among `names`, oldest first."""
    inside = dict.fromkeys(names)
    found = {
        ref_id
        for name in inside
        for ref_id, other in index.tied.links[name].items()
        if other in inside
    }
    edges = sorted((index.edges[ref_id] for ref_id in found), key=lambda edge: edge.place)
    return [edge.relation for edge in edges]


def in_order(index: GraphIndex, names: Iterable[str]) -> list[Entity]:
    """The entities of `names`, oldest first."""
    nodes = sorted((index.nodes[name] for name in names), key=lambda node: node.place)
    return [node.entity for node in nodes]


def _depth(query: GetGraphQuery) -> int:
    return 1 if query.depth is None else query.depth


def _around(index: GraphIndex, seeds: Iterable[str], query: GetGraphQuery, depth: int) -> GraphView:
    names = reached(index, map(index.known_as, seeds), depth, query.relation_types)
    return GraphView(
        entities=[copy_of(entity) for entity in in_order(index, names)],
        relations=[copy_of_relation(relation) for relation in relations_within(index, names)],
    )


def _walk(index: GraphIndex, query: GetGraphQuery) -> GraphView:
    """Follow the directed steps, then look around the end; nothing if a step is missing."""
    start = index.known_as(query.entity_names[0]) if query.entity_names else ""
    if start not in index.nodes:
        return GraphView()
    walked, taken = [start], dict[str, Relation]()
    for step in query.path:
        end = index.known_as(step.to_entity)
        relation = index.relation_of((walked[-1], end, step.relation_type))
        if relation is None:
            return GraphView()
        taken[str(relation.id)] = relation
        walked.append(end)
    around = reached(index, walked[-1:], _depth(query), query.relation_types, walked[:-1])
    names = dict.fromkeys(walked)
    entities = [index.nodes[name].entity for name in names]
    entities += in_order(index, (name for name in around if name not in names))
    for relation in relations_within(index, around):
        taken.setdefault(str(relation.id), relation)
    return GraphView(
        entities=[copy_of(entity) for entity in entities],
        relations=[copy_of_relation(relation) for relation in taken.values()],
    )
