"""What is stored of the graph."""

from cardwright.core import ToolActorState
from cardwright.core.written_state import WrittenState
from cardwright_cards.knowledge_graph.types import Entity, KnowledgeGraph, Relation


class KnowledgeGraphState(WrittenState, ToolActorState):
    """Entities by name and relations by id, oldest first.

    A change replaces the entries that it concerns and mutates none, so publishing it costs what
    changed and events share entries without ever showing a later state of them.
    """

    entities: dict[str, Entity] = {}
    relations: dict[str, Relation] = {}
    # What recent calls were answered: a call that is repeated after a resume changes nothing.
    answers: dict[str, list[str]] = {}

    @property
    def knowledge_graph(self) -> KnowledgeGraph:
        """A copy of everything."""
        return KnowledgeGraph(
            entities=[entity.model_copy(deep=True) for entity in self.entities.values()],
            relations=[relation.model_copy() for relation in self.relations.values()],
        )
