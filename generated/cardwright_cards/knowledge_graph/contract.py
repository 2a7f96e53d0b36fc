# Generated from specs/knowledge_graph.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""What the logic of `KnowledgeGraphTool` must implement."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Literal

from cardwright.core import ActorToolObserver, CardLogic

from .card import KnowledgeGraphTool

if TYPE_CHECKING:
    from cardwright.core import ActorAddress, BaseConfig

    from .card import GetGraph
    from .types import KnowledgeGraphSummaryStateBase, ManageGraph, SearchQuery

type KnowledgeGraphFailure = Literal["rejected_items", "too_late"]
"""Failures that the model can fix: `raise self.retry("rejected_items", "...")`."""


class KnowledgeGraphContract(
    CardLogic[KnowledgeGraphTool, ActorToolObserver, KnowledgeGraphFailure]
):
    """Base of `KnowledgeGraphLogic`: one method per endpoint of the spec."""

    def graph_actor(self, config: BaseConfig) -> ActorAddress:
        """Get or create `#KnowledgeGraphTool`, named and filed under this team."""
        return self.tool_actor(
            "#KnowledgeGraphTool", "cardwright.graph.actor:KnowledgeGraphActor", config
        )

    @abstractmethod
    def knowledge_graph_summary_state(
        self, config: GetGraph
    ) -> KnowledgeGraphSummaryStateBase | None:
        """Snapshot for the context, or `None` while it cannot be read."""

    @abstractmethod
    def get_graph(
        self, config: GetGraph, *, names_only: bool, offset: int, limit: int | None
    ) -> str:
        """Show the whole graph, or a page of it.

        A large graph fills your context: ask for names only, or for a page.
        """

    @abstractmethod
    def update_graph(self, *, update: ManageGraph) -> str:
        """Create, change and delete entities and relations of the team's graph, as many as you like in one call.

        The order is: entities created, relations created, entities changed, relations deleted, entities deleted. Every valid item
        is applied even if others are refused; the refusal names each refused item, so send only those again. An entity goes with
        all its relations.
        """

    @abstractmethod
    def search_graph(self, *, query: SearchQuery) -> str:
        """Search names, types, descriptions and observations of entities, and relations.

        Ask for neighbors, edges or paths to see how the hits are connected.
        """

    @abstractmethod
    def search_graph_text(
        self,
        *,
        mode: Literal["hybrid", "vector", "keyword"],
        top_k: int | None,
        score_threshold: float | None,
        include_neighbors: bool,
        include_edges: bool,
        find_paths: bool,
        query: str,
    ) -> str:
        """Search entities and relations, for example "/search_graph mode=keyword release plan"."""

    @abstractmethod
    def open_entity(self, *, name: str, offset: int, limit: int) -> str:
        """Show one entity with its observations and its relations."""

    @abstractmethod
    def open_entity_text(self, *, offset: int, limit: int, name: str) -> str:
        """Show one entity with its observations and its relations."""
