# Generated from specs/knowledge_graph.yaml: do not edit.
# Change the spec, then run: cardwright generate
"""Types of `KnowledgeGraphTool`."""

from typing import Annotated, Literal
from uuid import UUID, uuid4

from pydantic import Field

from cardwright.core import ContextState, Data


class Entity(Data):
    """A thing in the graph."""

    id: Annotated[UUID, Field(description="Identity that never changes.")] = Field(
        default_factory=uuid4
    )
    name: Annotated[str, Field(description="Unique key.")]
    entity_type: Annotated[str, Field(description="Kind of thing.")]
    description: Annotated[str, Field(description="What it is.")]
    observations: Annotated[list[str], Field(description="Facts about it.")] = []
    is_root: Annotated[bool, Field(description="Whether it is an entry point of the graph.")] = (
        False
    )


class Relation(Data):
    """A directed connection of two entities."""

    id: Annotated[UUID, Field(description="Identity that never changes.")] = Field(
        default_factory=uuid4
    )
    from_entity: Annotated[str, Field(description="Where it starts.")]
    to_entity: Annotated[str, Field(description="Where it ends.")]
    relation_type: Annotated[str, Field(description="What it says.")]
    description: Annotated[str, Field(description="More about it.")] = ""


class EntityCreate(Data):
    """An entity to add."""

    name: Annotated[str, Field(description="Unique key. It cannot be changed later.")]
    entity_type: Annotated[str, Field(description="Kind of thing.")]
    description: Annotated[str, Field(description="What it is.")]
    observations: Annotated[list[str], Field(description="Facts about it.")] = []
    is_root: Annotated[
        bool, Field(description="Whether it is an entry point that every agent sees.")
    ] = False


class EntityUpdate(Data):
    """Changes to one entity. Fields left out stay as they are."""

    name: Annotated[str, Field(description="Entity to change.")]
    description: Annotated[str | None, Field(description="New description.")] = None
    entity_type: Annotated[str | None, Field(description="New kind.")] = None
    add_observations: Annotated[list[str] | None, Field(description="Facts to add.")] = None
    remove_observations: Annotated[
        list[str] | None, Field(description="Facts to drop, word for word.")
    ] = None
    is_root: Annotated[bool | None, Field(description="Whether it is an entry point.")] = None


class RelationCreate(Data):
    """A relation to add. One that exists already stays as it is."""

    from_entity: Annotated[str, Field(description="Where it starts.")]
    to_entity: Annotated[str, Field(description="Where it ends.")]
    relation_type: Annotated[str, Field(description="What it says.")]
    description: Annotated[str, Field(description="More about it.")] = ""


class RelationDelete(Data):
    """A relation to remove."""

    from_entity: Annotated[str, Field(description="Where it starts.")]
    to_entity: Annotated[str, Field(description="Where it ends.")]
    relation_type: Annotated[str, Field(description="What it says.")]


class ManageGraph(Data):
    """One batch of changes to the graph."""

    create_entities: Annotated[list[EntityCreate], Field(description="Entities to add.")] = []
    update_entities: Annotated[list[EntityUpdate], Field(description="Entities to change.")] = []
    delete_entities: Annotated[
        list[str], Field(description="Names of entities to remove with their relations.")
    ] = []
    create_relations: Annotated[list[RelationCreate], Field(description="Relations to add.")] = []
    delete_relations: Annotated[
        list[RelationDelete], Field(description="Relations to remove.")
    ] = []


class KnowledgeGraph(Data):
    """Everything in the graph."""

    entities: Annotated[list[Entity], Field(description="All entities, oldest first.")] = []
    relations: Annotated[list[Relation], Field(description="All relations, oldest first.")] = []


class GraphView(Data):
    """The part of the graph that a query asked for."""

    entities: Annotated[list[Entity], Field(description="Entities of the view.")] = []
    relations: Annotated[
        list[Relation], Field(description="Relations with both ends in the view.")
    ] = []


class PathStep(Data):
    """One directed hop."""

    relation_type: Annotated[str, Field(description="Type of the relation to follow.")]
    to_entity: Annotated[str, Field(description="Where it must end.")]


class GetGraphQuery(Data):
    """Which part of the graph to read. A path goes before roots_only, and that before entity_names."""

    entity_names: Annotated[
        list[str], Field(description="Where to start; none is the whole graph.")
    ] = []
    relation_types: Annotated[
        list[str], Field(description="Types of relations to follow; none is all.")
    ] = []
    depth: Annotated[
        int | None,
        Field(description="Hops to go from the start: 1 when left out, 0 with roots_only.", ge=0),
    ] = None
    roots_only: Annotated[bool, Field(description="Start at the root entities.")] = False
    path: Annotated[
        list[PathStep],
        Field(description="Hops to follow from the first name before looking around."),
    ] = []


class SearchQuery(Data):
    """What to look for and how."""

    query: Annotated[str, Field(description="What to look for.", min_length=1)]
    top_k: Annotated[int | None, Field(description="Most hits.", ge=1)] = None
    mode: Annotated[
        Literal["hybrid", "vector", "keyword"],
        Field(
            description="How to match: by meaning (vector), by words (keyword) or both (hybrid)."
        ),
    ] = "hybrid"
    include_neighbors: Annotated[
        bool, Field(description="Add the entities one step away from the hits.")
    ] = False
    include_edges: Annotated[bool, Field(description="Add the relations of the hits.")] = False
    find_paths: Annotated[
        bool, Field(description="Add the shortest paths between the best hits.")
    ] = False
    score_threshold: Annotated[
        float | None, Field(description="Lowest cosine that counts as a semantic hit.", ge=-1, le=1)
    ] = None


class SearchHit(Data):
    """An entity or a relation that a search found."""

    ref_type: Annotated[Literal["entity", "relation"], Field(description="Which of both it is.")]
    ref_id: Annotated[str, Field(description="Its id.")]
    score: Annotated[float, Field(description="How well it matches; comparable within one search.")]
    entity: Annotated[Entity | None, Field(description="The entity, if it is one.")] = None
    relation: Annotated[Relation | None, Field(description="The relation, if it is one.")] = None


class SearchResult(Data):
    """What a search found, best first, with what surrounds it."""

    hits: Annotated[list[SearchHit], Field(description="Hits, best first.")] = []
    neighbors: Annotated[
        list[Entity], Field(description="Entities one step away from the hits.")
    ] = []
    connected_relations: Annotated[list[Relation], Field(description="Relations of the hits.")] = []
    paths: Annotated[
        list[list[Entity | Relation]],
        Field(description="Shortest paths between hits: entity, relation, entity and so on."),
    ] = []


class KnowledgeGraphStateEvent(Data):
    """What one batch changed in the graph."""

    entities_added: Annotated[
        list[Entity], Field(description="New entities as the batch left them.")
    ] = []
    entities_modified: Annotated[
        list[Entity], Field(description="Changed entities as the batch left them.")
    ] = []
    entities_removed: Annotated[list[UUID], Field(description="Ids of removed entities.")] = []
    relations_added: Annotated[list[Relation], Field(description="New relations.")] = []
    relations_modified: Annotated[
        list[Relation], Field(description="Always empty; relations are never changed.")
    ] = []
    relations_removed: Annotated[
        list[UUID],
        Field(description="Ids of removed relations, also of those that went with their entities."),
    ] = []


class RootRow(Data):
    """What the context shows of a root entity."""

    name: Annotated[str, Field(description="Name.")]
    entity_type: Annotated[str, Field(description="Kind of thing.")]
    description: Annotated[str, Field(description="What it is.")]


class KnowledgeGraphSummaryStateBase(ContextState["KnowledgeGraphSummaryStateBase"]):
    """The graph in brief; its size is that of the types and roots."""

    entity_count: Annotated[int, Field(description="Entities in the graph.")]
    relation_count: Annotated[int, Field(description="Relations in the graph.")]
    entity_types: Annotated[list[str], Field(description="Types of entities, sorted.")]
    relation_types: Annotated[list[str], Field(description="Types of relations, sorted.")]
    roots: Annotated[list[RootRow], Field(description="Root entities by name.")]
    include_schema: Annotated[bool, Field(description="Whether the types are shown.")]
    include_roots: Annotated[bool, Field(description="Whether the roots are shown.")]
