"""What a batch did: collected while it is applied, published as one event."""

from dataclasses import dataclass, field
from typing import Final, cast

from cardwright.actors.shadows import copied_model
from cardwright_cards.knowledge_graph.types import Entity, KnowledgeGraphStateEvent, Relation

# All sections count as given.
_EMPTY: Final = KnowledgeGraphStateEvent(
    entities_added=[],
    entities_modified=[],
    entities_removed=[],
    relations_added=[],
    relations_modified=[],
    relations_removed=[],
)


@dataclass(slots=True)
class Delta:
    """The net change of one batch; an entity stands in one section only."""

    added: dict[str, Entity] = field(default_factory=dict[str, Entity])
    modified: dict[str, Entity] = field(default_factory=dict[str, Entity])
    removed: dict[str, Entity] = field(default_factory=dict[str, Entity])
    linked: dict[str, Relation] = field(default_factory=dict[str, Relation])
    unlinked: dict[str, Relation] = field(default_factory=dict[str, Relation])

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return any((self.added, self.modified, self.removed, self.linked, self.unlinked))

    def change(self, entity: Entity) -> None:
        """Note the new form of an entity; one that the batch added stays added."""
        ref_id = str(entity.id)
        section = self.added if ref_id in self.added else self.modified
        section[ref_id] = entity

    def remove(self, entity: Entity) -> None:
        """Note that an entity went; one that the batch added was never there."""
        self.modified.pop(str(entity.id), None)
        if self.added.pop(str(entity.id), None) is None:
            self.removed[str(entity.id)] = entity

    def unlink(self, relation: Relation) -> None:
        """Note that a relation went; one that the batch added was never there."""
        if self.linked.pop(str(relation.id), None) is None:
            self.unlinked[str(relation.id)] = relation

    def event(self) -> KnowledgeGraphStateEvent:
        """The change as it is published: it shares nothing with the graph."""
        sections: dict[str, object] = {
            "entities_added": [*map(copy_of, self.added.values())],
            "entities_modified": [*map(copy_of, self.modified.values())],
            "entities_removed": [entity.id for entity in self.removed.values()],
            "relations_added": [*map(copy_of_relation, self.linked.values())],
            "relations_modified": [],
            "relations_removed": [relation.id for relation in self.unlinked.values()],
        }
        return cast("KnowledgeGraphStateEvent", copied_model(_EMPTY, sections))


def copy_of(entity: Entity) -> Entity:
    """A copy that shares nothing mutable."""
    return copied(entity, {"observations": entity.observations.copy()})


def copy_of_relation(relation: Relation) -> Relation:
    """A copy that shares nothing mutable."""
    return cast("Relation", copied_model(relation, vars(relation).copy()))


def copied(entity: Entity, given: dict[str, object]) -> Entity:
    """The entity with other values, validated already; the rest is shared."""
    return cast("Entity", copied_model(entity, {**vars(entity), **given}))
