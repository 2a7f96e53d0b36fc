"""The one owner of a team's graph: every change is a turn of this actor."""

import logging
from collections.abc import Mapping
from typing import Final, override

from cardwright.actors import Akgent, BaseConfig
from cardwright.core import CallContext, RetriableError
from cardwright.core.answers import Answers, CallKey, with_rest
from cardwright.core.tool_actor_state import hand_over_tool_event
from cardwright.vectors import TextEntry, VectorClient
from cardwright_cards.knowledge_graph.types import (
    GetGraphQuery,
    GraphView,
    ManageGraph,
    SearchQuery,
    SearchResult,
)

from .changes import Batch
from .context import KnowledgeGraphSummaryState
from .delta import Delta
from .index import GraphIndex
from .pages import GraphPage, OpenedEntity, opened, page_of
from .reading import view
from .search import Limits, search
from .state import KnowledgeGraphState
from .texts import entity_entry, relation_entry

KG_ACTOR_NAME: Final = "#KnowledgeGraphTool"
DONE: Final = "Done"
_logger = logging.getLogger(__name__)


class KnowledgeGraphActor(Akgent[BaseConfig, KnowledgeGraphState]):
    """Holds the graph, answers its readers and applies batches of changes one after the other."""

    _index: GraphIndex
    _answers: Answers
    _client: VectorClient | None
    _summaries: dict[tuple[bool, bool], KnowledgeGraphSummaryState]

    @override
    def on_start(self) -> None:
        self._index, self._answers = GraphIndex(), Answers()
        self._client, self._summaries = None, {}
        super().on_start()
        self.state = KnowledgeGraphState()
        self.state.observer(self)

    @override
    def init_state(self, state: KnowledgeGraphState) -> None:
        """Install a fresh or a restored state; the indexes are built from it."""
        self._index = GraphIndex(state.entities.values(), state.relations.values())
        self._answers, self._summaries = Answers(state.answers), {}
        super().init_state(state)
        self._sync()

    def index_in(self, client: VectorClient) -> None:
        """Have the texts of the graph embedded in a collection; the first one is kept."""
        if self._client is None:
            self._client = client
            self._sync()
        elif self._client.store != client.store:
            _logger.warning(
                "the graph is indexed in %s already: the other card's vector_store is ignored",
                self._client.store.name,
            )

    def get_graph(self, query: GetGraphQuery | None = None) -> GraphView:
        """Copies of the part that the query asks for, by default of everything."""
        return view(self._index, query)

    def page(self, offset: int = 0, limit: int | None = None) -> GraphPage:
        """Copies of some entities with the relations that start at them."""
        return page_of(self._index, offset, limit)

    def open_entity(self, name: str, offset: int = 0, limit: int = 50) -> OpenedEntity | None:
        """Copies of one entity and of some of its relations; None if there is no such entity."""
        return opened(self._index, name, offset, limit)

    def summary(self, include_schema: bool, include_roots: bool) -> KnowledgeGraphSummaryState:
        """Counts, types and roots: one object until something changes. Do not mutate it."""
        key = (include_schema, include_roots)
        if (found := self._summaries.get(key)) is None:
            index = self._index
            found = self._summaries[key] = KnowledgeGraphSummaryState.model_construct(
                entity_count=len(index.nodes),
                relation_count=len(index.edges),
                entity_types=sorted(index.entity_types),
                relation_types=sorted(index.relation_types),
                roots=[index.roots[name] for name in sorted(index.roots)],
                include_schema=include_schema,
                include_roots=include_roots,
            )
        return found

    def search(
        self,
        query: SearchQuery,
        cosines: Mapping[str, float] | None = None,
        limits: Limits | None = None,
    ) -> SearchResult:
        """The hits of a query; its caller brings the semantic ones, by id and best first."""
        return search(self._index, query, cosines or {}, limits or Limits())

    def update_graph(self, update: ManageGraph, call: CallContext | None = None) -> str:
        """Apply a batch; a repeated call (same run, tool call and batch) is answered again only.

        Raises:
            RetriableError: Items were refused, all of them named; the others are applied. Or the
                deadline of the call has passed, and nothing is.
        """
        call = call or CallContext()
        refusals = self._answers.get(_key(call, update))
        if refusals is None:
            refusals = self._applied(update, call)
        if refusals:
            raise RetriableError("; ".join(refusals), failure="rejected_items")
        return DONE

    def _applied(self, update: ManageGraph, call: CallContext) -> tuple[str, ...]:
        if call.expired:
            raise RetriableError(
                "The call took too long and nothing was changed: send it again.", failure="too_late"
            )
        batch = Batch(self._index)
        batch.apply(update)
        refusals = with_rest(batch.refusals, applied=batch.applied)
        self._answers.put(_key(call, update), refusals)
        if self.state.answers is not self._answers.stored:
            self.state.answers = self._answers.stored
        self._publish(batch.delta)
        return refusals

    def _publish(self, delta: Delta) -> None:
        if delta:
            self._summaries = {}
            _store(self.state, delta)
        self.state.notify_state_change()
        if delta:
            hand_over_tool_event(self, delta.event())
            self._embed(delta)

    def _embed(self, delta: Delta) -> None:
        if self._client is not None:
            self._client.remove([*delta.removed, *delta.unlinked])
            entities = [entity_entry(entity) for entity in (delta.added | delta.modified).values()]
            links = [relation_entry(relation) for relation in delta.linked.values()]
            self._client.put([*entities, *(entry for entry in links if entry is not None)])

    def _sync(self) -> None:
        if self._client is not None:
            self._client.sync(list(self._texts()))

    def _texts(self) -> list[TextEntry]:
        links = [relation_entry(edge.relation) for edge in self._index.edges.values()]
        return [
            *(entity_entry(node.entity) for node in self._index.nodes.values()),
            *(entry for entry in links if entry is not None),
        ]


def _store(state: KnowledgeGraphState, delta: Delta) -> None:
    """Write what changed, and touch nothing else: that is what publishing costs."""
    for entity in (*delta.added.values(), *delta.modified.values()):
        state.put("entities", entity.name, entity)
    for ref_id, relation in delta.linked.items():
        state.put("relations", ref_id, relation)
    for ref_id in delta.unlinked:
        state.drop("relations", ref_id)
    for entity in delta.removed.values():
        state.drop("entities", entity.name)


def _key(call: CallContext, update: ManageGraph) -> CallKey | None:
    """What the call is known by: not every host digests the arguments, so the batch is part."""
    return None if call.key is None else (*call.key, update.model_dump_json())
