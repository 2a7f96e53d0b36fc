"""KnowledgeGraphTool's behaviour: each method asks the team's graph actor."""

from typing import Final, Literal, final, override

from cardwright.core import BaseConfig, RetriableError
from cardwright.vectors import STORE_CARD, SemanticSearch, require_vector_store
from cardwright_cards.knowledge_graph.card import GetGraph
from cardwright_cards.knowledge_graph.contract import KnowledgeGraphContract
from cardwright_cards.knowledge_graph.types import ManageGraph, SearchQuery

from .actor import KG_ACTOR_NAME, KnowledgeGraphActor
from .context import KnowledgeGraphSummaryState
from .rendering import opened_text, page_text, result_text
from .search import Limits
from .texts import quoted

COLLECTION: Final = "knowledge_graph"
NO_SEMANTIC_SEARCH: Final = (
    f"This team searches its graph by keywords only: use mode keyword, or add {STORE_CARD}."
)

_MODEL_PAGE: Final = 200
"""Entities that a model is shown which asks for no limit."""
_MODEL_RELATIONS: Final = 1_000
"""Relations of a page that a model is shown; a hub may have any number."""


@final
class KnowledgeGraphLogic(KnowledgeGraphContract):
    """Reads and changes the graph on behalf of one agent; queries are embedded on its thread."""

    _graph: KnowledgeGraphActor
    _semantic: SemanticSearch = SemanticSearch()

    @override
    def bind(self) -> None:
        card = self.card
        require_vector_store(card.collection, type(card).__name__)
        self._semantic = SemanticSearch.of(
            self.observer, card.vector_store, COLLECTION, card.collection, needed_by=KG_ACTOR_NAME
        )
        self._graph = self.observer.proxy_ask(self.graph_actor(BaseConfig()), KnowledgeGraphActor)
        if self._semantic.client is not None:
            self._graph.index_in(self._semantic.client)

    @override
    def knowledge_graph_summary_state(self, config: GetGraph) -> KnowledgeGraphSummaryState | None:
        return self._graph.summary(config.prompt_include_schema, config.prompt_include_roots)

    @override
    def get_graph(
        self, config: GetGraph, *, names_only: bool, offset: int, limit: int | None
    ) -> str:
        # A person may see all of it; the context of a model has bounds.
        by_model = bool(self.call.tool_call_id)
        page = self._graph.page(offset, _MODEL_PAGE if limit is None and by_model else limit)
        most = _MODEL_RELATIONS if by_model else None
        return page_text(page, names_only=names_only, most_relations=most)

    @override
    def update_graph(self, *, update: ManageGraph) -> str:
        try:
            return self._graph.update_graph(update, self.call)
        except RetriableError as refused:
            late = refused.failure == "too_late"
            raise self.retry("too_late" if late else "rejected_items", str(refused)) from refused

    @override
    def search_graph(self, *, query: SearchQuery) -> str:
        if query.mode == "vector" and self._semantic.client is None:
            return self._semantic.refusal or NO_SEMANTIC_SEARCH
        limits = Limits(self.card.search_top_k, self.card.hybrid_alpha)
        return result_text(self._graph.search(query, self._cosines(query), limits))

    @override
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
        return self.search_graph(
            query=SearchQuery(
                query=query,
                top_k=top_k,
                mode=mode,
                include_neighbors=include_neighbors,
                include_edges=include_edges,
                find_paths=find_paths,
                score_threshold=score_threshold,
            )
        )

    @override
    def open_entity(self, *, name: str, offset: int, limit: int) -> str:
        found = self._graph.open_entity(name, offset, limit)
        return f"No entity has the name {quoted(name)}." if found is None else opened_text(found)

    @override
    def open_entity_text(self, *, offset: int, limit: int, name: str) -> str:
        return self.open_entity(name=name, offset=offset, limit=limit)

    def _cosines(self, query: SearchQuery) -> dict[str, float]:
        client = self._semantic.client
        if client is None or query.mode == "keyword":
            return {}
        given = query.score_threshold
        return client.semantic_scores(
            query.query,
            query.top_k or self.card.search_top_k,
            threshold=self.card.search_score_threshold if given is None else given,
        )
