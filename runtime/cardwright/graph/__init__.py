"""The knowledge graph card: entities and relations of a team, owned by one actor.

Others touch the card, its params, its models and the actor with its name; the rest is internal.
"""

from cardwright_cards.knowledge_graph import (
    Entity,
    EntityCreate,
    EntityUpdate,
    GetGraph,
    GetGraphQuery,
    GraphView,
    KnowledgeGraph,
    KnowledgeGraphStateEvent,
    KnowledgeGraphTool,
    ManageGraph,
    OpenEntity,
    PathStep,
    Relation,
    RelationCreate,
    RelationDelete,
    RootRow,
    SearchGraph,
    SearchHit,
    SearchQuery,
    SearchResult,
    UpdateGraph,
)

from .actor import KG_ACTOR_NAME, KnowledgeGraphActor
from .context import KnowledgeGraphSummaryState
from .state import KnowledgeGraphState

__all__ = [
    "KG_ACTOR_NAME",
    "Entity",
    "EntityCreate",
    "EntityUpdate",
    "GetGraph",
    "GetGraphQuery",
    "GraphView",
    "KnowledgeGraph",
    "KnowledgeGraphActor",
    "KnowledgeGraphState",
    "KnowledgeGraphStateEvent",
    "KnowledgeGraphSummaryState",
    "KnowledgeGraphTool",
    "ManageGraph",
    "OpenEntity",
    "PathStep",
    "Relation",
    "RelationCreate",
    "RelationDelete",
    "RootRow",
    "SearchGraph",
    "SearchHit",
    "SearchQuery",
    "SearchResult",
    "UpdateGraph",
]
