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
from .texts import name_line, one_line

EMPTY_GRAPH: Final = "The knowledge graph is empty."
NO_RESULTS: Final = "Nothing in the knowledge graph matches."
_LINES: Final = 50
"""Lines of one section that surrounds the hits; the rest is counted."""
_FACTS: Final = 5
"""Observations of a hit; open_entity shows more."""
_OPENED_FACTS: Final = 200
_OPENED_TEXT: Final = 5_000
"""Characters of each text of an opened entity."""


def page_text(page: GraphPage, *, names_only: bool, most_relations: int | None = None) -> str:
    """A page of the graph, or all of it; with at most so many relations."""
    if not page.total:
        return EMPTY_GRAPH
    if not page.entities:
        return f"No entity lies beyond number {page.offset}: there are {page.total}."
    last = page.offset + len(page.entities)
    lines = [f"Entities {page.offset + 1} to {last} of {page.total}:"]
    told: Callable[[Entity], str] = _named if names_only else entity_line
    lines.extend(f"- {told(entity)}" for entity in page.entities)
    if page.relations and not names_only:
        lines.append("Relations:")
        shown = page.relations[:most_relations]
        lines.extend(f"- {relation_line(relation)}" for relation in shown)
        lines.extend(_more(len(page.relations) - len(shown), "relations: open_entity(name)"))
    return "\n".join(lines)


def opened_text(opened: OpenedEntity) -> str:
    """One entity with everything that is known of it."""
    entity = opened.entity
    root = " [root]" if entity.is_root else ""
    lines = [f"{_named(entity)}: {one_line(entity.description, _OPENED_TEXT)}{root}"]
    if entity.observations:
        lines.append("Observations:")
        facts = entity.observations[:_OPENED_FACTS]
        lines.extend(f"- {one_line(fact, _OPENED_TEXT)}" for fact in facts)
        lines.extend(_more(len(entity.observations) - len(facts), "observations"))
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
    lines.extend(_section("Neighbors", result.neighbors, entity_line))
    lines.extend(_section("Relations of the hits", result.connected_relations, relation_line))
    lines.extend(_section("Paths between the hits", result.paths, _path_line))
    return "\n".join(lines)


def entity_line(entity: Entity) -> str:
    """Name, type and description."""
    return f"{_named(entity)}: {one_line(entity.description)}"


def relation_line(relation: Relation) -> str:
    """Both ends, the type, and the description if there is one."""
    more = f": {one_line(relation.description)}" if relation.description else ""
    start, end = name_line(relation.from_entity), name_line(relation.to_entity)
    return f"{start} -[{name_line(relation.relation_type)}]-> {end}{more}"


def _named(entity: Entity) -> str:
    return f"{name_line(entity.name)} ({name_line(entity.entity_type)})"


def _hit_lines(hit: SearchHit) -> Iterator[str]:
    if hit.entity is not None:
        yield f"- [{hit.score:.2f}] entity {entity_line(hit.entity)}"
        facts = hit.entity.observations
        yield from (f"    - {one_line(fact)}" for fact in facts[:_FACTS])
        if len(facts) > _FACTS:
            yield f"    - and {len(facts) - _FACTS} more observations"
    elif hit.relation is not None:
        yield f"- [{hit.score:.2f}] relation {relation_line(hit.relation)}"


def _section[E](title: str, entries: Sequence[E], told: Callable[[E], str]) -> Iterator[str]:
    if entries:
        yield f"{title}:"
        yield from (f"- {told(entry)}" for entry in entries[:_LINES])
        yield from _more(len(entries) - _LINES)


def _more(left: int, what: str = "") -> Iterator[str]:
    if left > 0:
        yield f"- and {left} more {what}".rstrip()


def _path_line(path: Sequence[Entity | Relation]) -> str:
    """The names along a path with arrows in the direction of each relation."""
    text = ""
    here = ""
    for step in path:
        if isinstance(step, Entity):
            here = step.name
            text += name_line(here)
        else:
            forward = step.from_entity == here
            kind = name_line(step.relation_type)
            text += f" -[{kind}]-> " if forward else f" <-[{kind}]- "
    return text
