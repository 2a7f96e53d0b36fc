"""What of an entity or a relation is searched and embedded."""

import re
from typing import Final

from cardwright.vectors import TextEntry
from cardwright_cards.knowledge_graph.types import Entity, Relation

ENTITY: Final = "entity"
RELATION: Final = "relation"
MOST: Final = 500
"""Characters that a list shows of a text."""
_ESCAPE: Final = re.compile(
    r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(00(?:0[0-9a-f]|10)[0-9a-f]{4})|([nrt'\"\\]))"
)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t"}
# Control characters, and those that turn the direction of what follows.
_HIDDEN: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")


def one_line(text: str, most: int = MOST) -> str:
    """The text as one line without control characters, cut after so many characters.

    So no text forges a line, moves the cursor of a terminal or fills the context of a model.
    """
    line = _HIDDEN.sub("\ufffd", " ".join(text[:most].split()))
    return line + _rest(text, most)


def name_line(name: str) -> str:
    """A name as it is; one that is no plain line stands in quotes with escapes, to be used so."""
    return name if name == one_line(name) else quoted(name)


def quoted(name: str, most: int = MOST) -> str:
    """A name in quotes with escapes, cut after so many characters."""
    return repr(name[:most]) + _rest(name, most)


def unquoted(name: str) -> str:
    """The name that `quoted` shows so, or that stands in plain quotes; any other as it is."""
    if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"":
        return _ESCAPE.sub(_meant, name[1:-1])
    return name


def _meant(escape: re.Match[str]) -> str:
    if letter := escape[4]:
        return _ESCAPED.get(letter, letter)
    return chr(int(escape[1] or escape[2] or escape[3], 16))


def _rest(text: str, most: int) -> str:
    return f"... ({len(text) - most} more characters)" if len(text) > most else ""


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
