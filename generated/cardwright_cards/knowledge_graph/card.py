# Generated from specs/knowledge_graph.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""`KnowledgeGraphTool` and the params of its capabilities."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, cast, override

from pydantic import Field, StrictBool

from cardwright.core import (
    ActorToolObserver,
    AnyContextState,
    BaseToolParam,
    Channels,
    RestOfLine,
    ToolCard,
    ToolPolicy,
    policy,
    provider,
    served,
)
from cardwright_cards.common.types import CollectionConfig

from .types import KnowledgeGraphSummaryStateBase, ManageGraph, SearchQuery

if TYPE_CHECKING:
    from .contract import KnowledgeGraphContract


class GetGraph(BaseToolParam):
    """Keep the agent informed about the graph."""

    serves: ClassVar[frozenset[Channels]] = frozenset(
        {Channels.TOOL_CALL, Channels.LLM_CONTEXT, Channels.COMMAND}
    )
    migrations: ClassVar[Mapping[str, Mapping[object, object]]] = {
        "expose": {"system_prompt": "llm_context"}
    }
    expose: set[Channels] = {Channels.LLM_CONTEXT, Channels.COMMAND}

    prompt_include_schema: Annotated[
        bool, Field(description="Put entity and relation types into the context.")
    ] = True
    prompt_include_roots: Annotated[
        bool, Field(description="Put the root entities into the context.")
    ] = True


class UpdateGraph(BaseToolParam):
    """Change the graph."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL})
    expose: set[Channels] = {Channels.TOOL_CALL}


class SearchGraph(BaseToolParam):
    """Find entities and relations."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL, Channels.COMMAND})
    expose: set[Channels] = {Channels.TOOL_CALL, Channels.COMMAND}


class OpenEntity(BaseToolParam):
    """Open single entities."""

    serves: ClassVar[frozenset[Channels]] = frozenset({Channels.TOOL_CALL, Channels.COMMAND})
    expose: set[Channels] = {Channels.TOOL_CALL, Channels.COMMAND}


class KnowledgeGraphTool(ToolCard):
    """Shared graph of entities and typed relations.

    One graph per team, owned by one actor. Agents change it in batches, search it by words and by meaning, and open single entities; each agent's context holds only the counts, the types and the root entities. Every change is published as one immutable event.
    """

    logic_path: ClassVar[str] = "cardwright.graph.logic:KnowledgeGraphLogic"
    observer_type: ClassVar[type[object] | None] = ActorToolObserver

    vector_store: Annotated[
        StrictBool | Annotated[str, Field(pattern="^#.+$")],
        Field(
            description="Store for semantic search: true takes #VectorStore if the team has it, a name insists on that store, false searches by keywords only."
        ),
    ] = True
    collection: Annotated[
        CollectionConfig, Field(description="Where the vectors of the graph are kept.")
    ] = Field(default_factory=CollectionConfig)
    search_top_k: Annotated[
        int, Field(description="Most hits of a search that names no top_k.", ge=1)
    ] = 10
    search_score_threshold: Annotated[
        float, Field(description="Lowest cosine that counts as a semantic hit.", ge=-1, le=1)
    ] = 0.3
    hybrid_alpha: Annotated[
        float,
        Field(
            description="Weight of meaning in a hybrid search; the rest is the weight of words.",
            ge=0,
            le=1,
        ),
    ] = 0.7
    read_only: Annotated[bool, Field(description="Remove update_graph.")] = False

    get_graph: Annotated[
        GetGraph | bool, Field(description="Keep the agent informed about the graph.")
    ] = True
    update_graph: Annotated[UpdateGraph | bool, Field(description="Change the graph.")] = True
    search: Annotated[SearchGraph | bool, Field(description="Find entities and relations.")] = True
    open_entity: Annotated[OpenEntity | bool, Field(description="Open single entities.")] = True

    @property
    def logic(self) -> "KnowledgeGraphContract":
        """The bound logic; raises `ToolObserverGone` when the card is not bound."""
        return cast("KnowledgeGraphContract", self.bound_logic())

    @property
    @override
    def depends_on(self) -> list[str]:
        found: list[str] = []
        if isinstance(self.vector_store, str):
            found.append("VectorStoreTool")
        return found

    @property
    @override
    def optional_dependencies(self) -> frozenset[str]:
        found: set[str] = set()
        if self.vector_store is True:
            found.add("VectorStoreTool")
        return frozenset(found)

    @override
    def get_tools(self) -> list[Callable[..., object]]:
        found: list[Callable[..., object]] = []
        if get_graph := served(self.get_graph, GetGraph, Channels.TOOL_CALL):
            found.append(self._get_graph(get_graph))
        if not self.read_only and (
            update_graph := served(self.update_graph, UpdateGraph, Channels.TOOL_CALL)
        ):
            found.append(self._update_graph(update_graph))
        if search := served(self.search, SearchGraph, Channels.TOOL_CALL):
            found.append(self._search_graph(search))
        if open_entity := served(self.open_entity, OpenEntity, Channels.TOOL_CALL):
            found.append(self._open_entity(open_entity))
        return found

    @override
    def get_context_states(self) -> list[Callable[[], AnyContextState | None]]:
        found: list[Callable[[], AnyContextState | None]] = []
        if get_graph := served(self.get_graph, GetGraph, Channels.LLM_CONTEXT):
            found.append(self._knowledge_graph_summary_state(get_graph))
        return found

    @override
    def get_commands(self) -> dict[type[BaseToolParam], Callable[..., object]]:
        found: dict[type[BaseToolParam], Callable[..., object]] = {}
        if get_graph := served(self.get_graph, GetGraph, Channels.COMMAND):
            found[GetGraph] = self._get_graph(get_graph)
        if search := served(self.search, SearchGraph, Channels.COMMAND):
            found[SearchGraph] = self._search_graph_text(search)
        if open_entity := served(self.open_entity, OpenEntity, Channels.COMMAND):
            found[OpenEntity] = self._open_entity_text(open_entity)
        return found

    def _knowledge_graph_summary_state(
        self, config: GetGraph
    ) -> Callable[[], AnyContextState | None]:
        @provider
        def knowledge_graph_summary_state() -> KnowledgeGraphSummaryStateBase | None:
            """Snapshot for the context, or `None` while it cannot be read."""
            return self.logic.knowledge_graph_summary_state(config)

        return knowledge_graph_summary_state

    def _get_graph(self, config: GetGraph) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def get_graph(
            names_only: Annotated[
                bool, Field(description="Show only the names and types of entities.")
            ] = False,
            offset: Annotated[int, Field(description="How many entities to pass over.", ge=0)] = 0,
            limit: Annotated[
                int | None,
                Field(
                    description="Most entities to show. When left out, a model is shown 200 and a command prints all; a page shows the relations that start at its entities.",
                    ge=1,
                ),
            ] = None,
        ) -> str:
            """Show the whole graph, or a page of it.

            A large graph fills your context: ask for names only, or for a page.
            """
            return self.logic.get_graph(config, names_only=names_only, offset=offset, limit=limit)

        return config.describe(get_graph)

    def _update_graph(self, config: UpdateGraph) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="effectful"))
        def update_graph(update: Annotated[ManageGraph, Field(description="The changes.")]) -> str:
            """Create, change and delete entities and relations of the team's graph, as many as you like in one call.

            The order is: entities created, relations created, entities changed, relations deleted, entities deleted. Every valid item
            is applied even if others are refused; the refusal names each refused item, so send only those again. An entity goes with
            all its relations.
            """
            return self.logic.update_graph(update=update)

        return config.describe(update_graph)

    def _search_graph(self, config: SearchGraph) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def search_graph(
            query: Annotated[SearchQuery, Field(description="What to look for and how.")],
        ) -> str:
            """Search names, types, descriptions and observations of entities, and relations.

            Ask for neighbors, edges or paths to see how the hits are connected.
            """
            return self.logic.search_graph(query=query)

        return config.describe(search_graph)

    def _search_graph_text(self, config: SearchGraph) -> Callable[..., str]:
        def search_graph(
            *,
            mode: Annotated[
                Literal["hybrid", "vector", "keyword"],
                Field(description="How to match: by meaning, by words or both."),
            ] = "hybrid",
            top_k: Annotated[int | None, Field(description="Most hits.", ge=1)] = None,
            score_threshold: Annotated[
                float | None, Field(description="Lowest cosine that counts.", ge=-1, le=1)
            ] = None,
            include_neighbors: Annotated[
                bool, Field(description="Add entities one step away.")
            ] = False,
            include_edges: Annotated[
                bool, Field(description="Add the relations of the hits.")
            ] = False,
            find_paths: Annotated[
                bool, Field(description="Add shortest paths between hits.")
            ] = False,
            query: Annotated[str, Field(description="What to look for."), RestOfLine],
        ) -> str:
            """Search entities and relations, for example "/search_graph mode=keyword release plan"."""
            return self.logic.search_graph_text(
                mode=mode,
                top_k=top_k,
                score_threshold=score_threshold,
                include_neighbors=include_neighbors,
                include_edges=include_edges,
                find_paths=find_paths,
                query=query,
            )

        return config.describe(search_graph)

    def _open_entity(self, config: OpenEntity) -> Callable[..., str]:
        @policy(ToolPolicy(idempotency="read_only"))
        def open_entity(
            name: Annotated[str, Field(description="Name of the entity, exactly.")],
            offset: Annotated[int, Field(description="How many relations to pass over.", ge=0)] = 0,
            limit: Annotated[int, Field(description="Most relations to show.", ge=1)] = 50,
        ) -> str:
            """Show one entity with its observations and its relations."""
            return self.logic.open_entity(name=name, offset=offset, limit=limit)

        return config.describe(open_entity)

    def _open_entity_text(self, config: OpenEntity) -> Callable[..., str]:
        def open_entity(
            *,
            offset: Annotated[int, Field(description="How many relations to pass over.", ge=0)] = 0,
            limit: Annotated[int, Field(description="Most relations to show.", ge=1)] = 50,
            name: Annotated[str, Field(description="Name of the entity, exactly."), RestOfLine],
        ) -> str:
            """Show one entity with its observations and its relations."""
            return self.logic.open_entity_text(offset=offset, limit=limit, name=name)

        return config.describe(open_entity)
