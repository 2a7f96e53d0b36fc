"""What is stored of the graph."""

from cardwright.core import ToolActorState
from cardwright_cards.knowledge_graph.types import Entity, KnowledgeGraph, Relation


class KnowledgeGraphState(ToolActorState):
    """Entities by name and relations by id, oldest first.

    A change replaces the entries that it concerns and mutates none, so publishing it costs what
    changed and events share entries without ever showing a later state of them.
    """

    entities: dict[str, Entity] = {}
    relations: dict[str, Relation] = {}

    @property
    def knowledge_graph(self) -> KnowledgeGraph:
        """A copy of everything."""
        return KnowledgeGraph(
            entities=[entity.model_copy(deep=True) for entity in self.entities.values()],
            relations=[relation.model_copy() for relation in self.relations.values()],
        )
