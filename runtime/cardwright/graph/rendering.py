"""The graph as text for models and people."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from cardwright_cards.knowledge_graph.types import (
    Entity,
    Relation,
    SearchHit,
    SearchResult,
)

from .pages import GraphPage, OpenedEntity
from .texts import one_line

EMPTY_GRAPH: Final = "The knowledge graph is empty."
NO_RESULTS: Final = "Nothing in the knowledge graph matches."
_LINES: Final = 50
"""Lines of one section that surrounds the hits; the rest is counted."""
_FACTS: Final = 5
"""Observations of a hit; open_entity shows all."""


def page_text(page: GraphPage, *, names_only: bool) -> str:
    """A page of the graph, or all of it."""
    if not page.total:
        return EMPTY_GRAPH
    if not page.entities:
        return f"No entity lies beyond number {page.offset}: there are {page.total}."
    last = page.offset + len(page.entities)
    lines = [f"Entities {page.offset + 1} to {last} of {page.total}:"]
    shown: Callable[[Entity], str] = _named if names_only else entity_line
    lines.extend(f"- {shown(entity)}" for entity in page.entities)
    if page.relations and not names_only:
        lines.append("Relations:")
        lines.extend(f"- {relation_line(relation)}" for relation in page.relations)
    return "\n".join(lines)


def opened_text(opened: OpenedEntity) -> str:
    """One entity with everything that is known of it."""
    entity = opened.entity
    root = " [root]" if entity.is_root else ""
    lines = [f"{entity_line(entity)}{root}"]
    if entity.observations:
        lines.append("Observations:")
        lines.extend(f"- {one_line(fact)}" for fact in entity.observations)
    if opened.relations:
        first, last = opened.offset + 1, opened.offset + len(opened.relations)
        lines.append(f"Relations {first} to {last} of {opened.total}:")
        lines.extend(f"- {relation_line(relation)}" for relation in opened.relations)
    elif opened.total:
        lines.append(f"No relation lies beyond number {opened.offset}: there are {opened.total}.")
    else:
        lines.append("No relations.")
    return "\n".join(lines)


def result_text(result: SearchResult) -> str:
    """The hits of a search, then the neighbours, relations and paths that it asked for."""
    if not result.hits:
        return NO_RESULTS
    lines = [line for hit in result.hits for line in _hit_lines(hit)]
    lines.extend(_section("Neighbors", [entity_line(entity) for entity in result.neighbors]))
    edges = [relation_line(relation) for relation in result.connected_relations]
    lines.extend(_section("Relations of the hits", edges))
    lines.extend(_section("Paths between the hits", [_path_line(path) for path in result.paths]))
    return "\n".join(lines)


def entity_line(entity: Entity) -> str:
    """Name, type and description."""
    return one_line(f"{_named(entity)}: {entity.description}")


def relation_line(relation: Relation) -> str:
    """Both ends, the type, and the description if there is one."""
    more = f": {relation.description}" if relation.description else ""
    return one_line(
        f"{relation.from_entity} -[{relation.relation_type}]-> {relation.to_entity}{more}"
    )


def _named(entity: Entity) -> str:
    return one_line(f"{entity.name} ({entity.entity_type})")


def _hit_lines(hit: SearchHit) -> Iterator[str]:
    if hit.entity is not None:
        yield f"- [{hit.score:.2f}] entity {entity_line(hit.entity)}"
        facts = hit.entity.observations
        yield from (f"    - {one_line(fact)}" for fact in facts[:_FACTS])
        if len(facts) > _FACTS:
            yield f"    - and {len(facts) - _FACTS} more observations"
    elif hit.relation is not None:
        yield f"- [{hit.score:.2f}] relation {relation_line(hit.relation)}"


def _section(title: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield f"{title}:"
        yield from (f"- {entry}" for entry in entries[:_LINES])
        if len(entries) > _LINES:
            yield f"- and {len(entries) - _LINES} more"


def _path_line(path: Sequence[Entity | Relation]) -> str:
    """The names along a path with arrows in the direction of each relation."""
    text = ""
    here = ""
    for step in path:
        if isinstance(step, Entity):
            here = step.name
            text += here
        elif step.from_entity == here:
            text += f" -[{step.relation_type}]-> "
        else:
            text += f" <-[{step.relation_type}]- "
    return one_line(text)
