"""Batches for graphs, and the graph and the store of a team."""

from collections.abc import Sequence
from itertools import pairwise

from tests.vectors.store_team import until

from cardwright import LocalTeam
from cardwright.core import ToolCard, ToolStateEvent
from cardwright.graph import (
    KG_ACTOR_NAME,
    EntityCreate,
    KnowledgeGraphActor,
    KnowledgeGraphStateEvent,
    KnowledgeGraphTool,
    ManageGraph,
    RelationCreate,
    SearchQuery,
    SearchResult,
)
from cardwright.vectors import VectorStoreActor, VectorStoreTool

HASHING = VectorStoreTool(embedding_provider="hashing")
"""A store that needs neither a key nor a server."""


def entity(name: str, text: str | None = None, *, kind: str = "thing") -> EntityCreate:
    return EntityCreate(name=name, entity_type=kind, description=text or f"about {name}")


def root(name: str) -> EntityCreate:
    return EntityCreate(name=name, entity_type="thing", description=f"about {name}", is_root=True)


def link(start: str, end: str, kind: str = "knows", text: str = "") -> RelationCreate:
    return RelationCreate(from_entity=start, to_entity=end, relation_type=kind, description=text)


def chain(*names: str) -> ManageGraph:
    return ManageGraph(
        create_entities=[entity(name) for name in names],
        create_relations=[link(start, end) for start, end in pairwise(names)],
    )


def graph_of(team: LocalTeam, cards: Sequence[ToolCard] = ()) -> KnowledgeGraphActor:
    """The graph of a team, whose agent carries `cards`, or one that searches by words only."""
    team.agent("@Alice", cards=list(cards) or [KnowledgeGraphTool(vector_store=False)])
    return team.actor(KG_ACTOR_NAME, KnowledgeGraphActor)


def store_of(team: LocalTeam) -> VectorStoreActor:
    return team.actor("#VectorStore", VectorStoreActor)


def settle(team: LocalTeam) -> None:
    """Wait until everything that was given to the store is embedded."""
    until(lambda: not store_of(team).state.pending_entries)


def names_of(result: SearchResult) -> list[str]:
    """Hits by name, relations by both ends."""
    found: list[str] = []
    for hit in result.hits:
        if hit.entity is not None:
            found.append(hit.entity.name)
        elif hit.relation is not None:
            found.append(f"{hit.relation.from_entity}-{hit.relation.to_entity}")
    return found


def by_words(graph: KnowledgeGraphActor, query: str, **asked: object) -> SearchResult:
    return graph.search(SearchQuery.model_validate({"query": query, "mode": "keyword", **asked}))


def events_of(team: LocalTeam) -> list[tuple[int, KnowledgeGraphStateEvent]]:
    found: list[tuple[int, KnowledgeGraphStateEvent]] = []
    for event in team.events(ToolStateEvent):
        assert isinstance(event.payload, KnowledgeGraphStateEvent)
        found.append((event.seq, event.payload))
    return found
