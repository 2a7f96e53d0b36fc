"""What of an entity or a relation is searched and embedded."""

from typing import Final

from cardwright.vectors import TextEntry
from cardwright_cards.knowledge_graph.types import Entity, Relation

ENTITY: Final = "entity"
RELATION: Final = "relation"


def one_line(text: str) -> str:
    """The text with every run of white space as one blank, so that no text forges a line."""
    return " ".join(text.split())


def entity_fields(entity: Entity) -> list[str]:
    """The fields in which a query is looked for as it stands."""
    return [entity.name, entity.description, entity.entity_type, *entity.observations]


def relation_fields(relation: Relation) -> list[str]:
    """The fields in which a query is looked for as it stands."""
    return [
        relation.relation_type,
        relation.description,
        relation.from_entity,
        relation.to_entity,
    ]


def entity_words(entity: Entity) -> str:
    """The text whose words are indexed."""
    return "\n".join([entity.name, entity.entity_type, entity.description, *entity.observations])


def relation_words(relation: Relation) -> str:
    """The text whose words are indexed."""
    return (
        f"{relation.from_entity}\n{relation.relation_type}\n{relation.to_entity}\n"
        f"{relation.description}"
    )


def entity_entry(entity: Entity) -> TextEntry:
    """What is embedded of an entity: `name: description`, then its observations."""
    text = "\n".join([f"{entity.name}: {entity.description}", *entity.observations])
    return TextEntry(ENTITY, str(entity.id), text)


def relation_entry(relation: Relation) -> TextEntry | None:
    """What is embedded of a relation; nothing of one without a description."""
    if not relation.description:
        return None
    head = f"{relation.from_entity} {relation.relation_type} {relation.to_entity}"
    return TextEntry(RELATION, str(relation.id), f"{head}: {relation.description}")
