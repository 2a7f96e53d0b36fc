"""The graph in brief in the context of one agent: everything once, then only what moved."""

from collections.abc import Iterator
from typing import override

from cardwright_cards.knowledge_graph.types import KnowledgeGraphSummaryStateBase, RootRow

from .texts import name_line, one_line

EMPTY = "The team's knowledge graph is empty."
POINTER = (
    'Find more with search_graph(query={"query": "..."}); open one entity with open_entity(name).'
)


class KnowledgeGraphSummaryState(KnowledgeGraphSummaryStateBase):
    """Counts, types and roots; never mutated, so an unchanged summary is the same object."""

    @override
    def render_full(self) -> str:
        """The whole summary, or one line for an empty graph."""
        if not self.entity_count:
            return EMPTY
        return "\n".join(["Knowledge graph of the team:", *self._facts(), POINTER])

    @override
    def render_delta(self, previous: KnowledgeGraphSummaryStateBase) -> str | None:
        """What moved since `previous`, or None; the full text if other parts were shown then."""
        if previous is self:
            return None
        if (previous.include_schema, previous.include_roots) != (
            self.include_schema,
            self.include_roots,
        ):
            return self.render_full()
        lines = list(_moved("entities", previous.entity_count, self.entity_count))
        lines.extend(_moved("relations", previous.relation_count, self.relation_count))
        if self.include_schema:
            lines.extend(_types("entity type", previous.entity_types, self.entity_types))
            lines.extend(_types("relation type", previous.relation_types, self.relation_types))
        if self.include_roots:
            lines.extend(_roots(previous.roots, self.roots))
        return "\n".join(lines) or None

    def _facts(self) -> Iterator[str]:
        yield f"- entities: {self.entity_count}"
        yield f"- relations: {self.relation_count}"
        if self.include_schema:
            yield f"- entity types: {', '.join(map(name_line, self.entity_types))}"
            if self.relation_types:
                yield f"- relation types: {', '.join(map(name_line, self.relation_types))}"
        if self.include_roots and self.roots:
            yield "Root entities:"
            for row in self.roots:
                yield f"- {_told(row)}"


def _moved(what: str, old: int, new: int) -> Iterator[str]:
    if old != new:
        yield f"- {what}: {new} ({new - old:+d})"


def _types(what: str, old: list[str], new: list[str]) -> Iterator[str]:
    known, present = set(old), set(new)
    for name in new:
        if name not in known:
            yield f"- new {what}: {name_line(name)}"
    for name in old:
        if name not in present:
            yield f"- {what} gone: {name_line(name)}"


def _roots(old: list[RootRow], new: list[RootRow]) -> Iterator[str]:
    before = {row.name: row for row in old}
    for row in new:
        earlier = before.pop(row.name, None)
        if earlier is None:
            yield f"- New root: {_named(row)}"
        elif earlier is not row and earlier != row:
            yield f"- Changed root: {_told(row)}"
    for name in before:
        yield f"- Root gone: {name_line(name)}"


def _told(row: RootRow) -> str:
    return f"{_named(row)}: {one_line(row.description)}"


def _named(row: RootRow) -> str:
    return f"{name_line(row.name)} ({name_line(row.entity_type)})"
