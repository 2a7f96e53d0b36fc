"""A batch of changes: the good part is applied, every bad item is reported."""

from collections.abc import Iterable
from typing import Final

from cardwright_cards.knowledge_graph.types import (
    Entity,
    EntityCreate,
    EntityUpdate,
    ManageGraph,
    Relation,
    RelationCreate,
    RelationDelete,
)

from .delta import Delta, copied
from .index import GraphIndex
from .texts import one_line, quoted

# Refusals that are told one by one.
_TOLD: Final = 100
# Characters of a name in one.
_NAME: Final = 100


class Batch:
    """Applies one update to the index and collects what changed and what was refused."""

    def __init__(self, index: GraphIndex) -> None:
        """Work on `index`."""
        self._index = index
        self.delta = Delta()
        self._refusals: list[str] = []
        self._untold = 0
        self._items = 0

    @property
    def applied(self) -> int:
        """How many items were not refused, whether or not they made a difference."""
        return self._items - len(self._refusals) - self._untold

    @property
    def refusals(self) -> tuple[str, ...]:
        """What was refused and why; of very many the first ones and the number of the others."""
        rest = [f"and {self._untold} more"] if self._untold else []
        return (*self._refusals, *rest)

    def apply(self, update: ManageGraph) -> None:
        """Create entities, then relations; change entities; delete relations, then entities."""
        self._items += sum(len(items) for _, items in update)
        for created in update.create_entities:
            self._create_entity(created)
        for link in update.create_relations:
            self._create_relation(link)
        for change in update.update_entities:
            self._update_entity(change)
        for unlink in update.delete_relations:
            self._delete_relation(unlink)
        self._delete_entities(update.delete_entities)

    def _create_entity(self, item: EntityCreate) -> None:
        if item.name in self._index.nodes:
            self._refuse(f"entity {quoted(item.name, _NAME)} already exists: update it")
            return
        entity = Entity(
            name=item.name,
            entity_type=item.entity_type,
            description=item.description,
            observations=list(item.observations),
            is_root=item.is_root,
        )
        self._index.put_entity(entity)
        self.delta.added[str(entity.id)] = entity

    def _create_relation(self, item: RelationCreate) -> None:
        for end in (item.from_entity, item.to_entity):
            if end not in self._index.nodes:
                self._refuse(f"no entity {quoted(end, _NAME)} for relation {_told(item)}")
                return
        if self._index.relation_of((item.from_entity, item.to_entity, item.relation_type)):
            return
        relation = Relation(
            from_entity=item.from_entity,
            to_entity=item.to_entity,
            relation_type=item.relation_type,
            description=item.description,
        )
        self._index.put_relation(relation)
        self.delta.linked[str(relation.id)] = relation

    def _update_entity(self, item: EntityUpdate) -> None:
        node = self._index.nodes.get(item.name)
        if node is None:
            self._refuse(f"no entity {quoted(item.name, _NAME)} to update")
            return
        if (entity := changed(node.entity, item)) is not None:
            self._index.put_entity(entity)
            self.delta.change(entity)

    def _delete_relation(self, item: RelationDelete) -> None:
        triple = (item.from_entity, item.to_entity, item.relation_type)
        relation = self._index.relation_of(triple)
        if relation is None:
            self._refuse(f"no relation {_told(item)} to delete")
            return
        self._unlink([relation])

    def _delete_entities(self, names: Iterable[str]) -> None:
        for name in names:
            node = self._index.nodes.get(name)
            if node is None:
                self._refuse(f"no entity {quoted(name, _NAME)} to delete")
                continue
            self._unlink(list(self._index.relations_at(name)))
            self._index.drop_entity(name)
            self.delta.remove(node.entity)

    def _unlink(self, relations: Iterable[Relation]) -> None:
        for relation in relations:
            self._index.drop_relation(relation)
            self.delta.unlink(relation)

    def _refuse(self, text: str) -> None:
        if len(self._refusals) < _TOLD:
            self._refusals.append(text)
        else:
            self._untold += 1


def changed(entity: Entity, item: EntityUpdate) -> Entity | None:
    """The entity as the update makes it, or None if it makes no difference."""
    given: dict[str, object] = {
        name: value
        for name, value in (
            ("description", item.description),
            ("entity_type", item.entity_type),
            ("is_root", item.is_root),
        )
        if value is not None and value != getattr(entity, name)
    }
    if item.add_observations or item.remove_observations:
        added = [*entity.observations, *(item.add_observations or ())]
        dropped = set(item.remove_observations or ())
        observations = [fact for fact in added if fact not in dropped]
        if observations != entity.observations:
            given["observations"] = observations
    return copied(entity, given) if given else None


def _told(item: RelationCreate | RelationDelete) -> str:
    kind = one_line(item.relation_type, _NAME)
    return f"{quoted(item.from_entity, _NAME)} -{kind}-> {quoted(item.to_entity, _NAME)}"
