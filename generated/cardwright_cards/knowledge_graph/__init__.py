# Generated from specs/knowledge_graph.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Shared graph of entities and typed relations."""

from .card import GetGraph, KnowledgeGraphTool, OpenEntity, SearchGraph, UpdateGraph
from .types import (
    Entity,
    EntityCreate,
    EntityUpdate,
    GetGraphQuery,
    GraphView,
    KnowledgeGraph,
    KnowledgeGraphStateEvent,
    KnowledgeGraphSummaryStateBase,
    ManageGraph,
    PathStep,
    Relation,
    RelationCreate,
    RelationDelete,
    RootRow,
    SearchHit,
    SearchQuery,
    SearchResult,
)

__all__ = [
    "Entity",
    "EntityCreate",
    "EntityUpdate",
    "GetGraph",
    "GetGraphQuery",
    "GraphView",
    "KnowledgeGraph",
    "KnowledgeGraphStateEvent",
    "KnowledgeGraphSummaryStateBase",
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
