"""The texts of the graph as searches read them."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from cardwright.vectors import LexicalIndex
from cardwright_cards.knowledge_graph.types import Entity, Relation

from .blocks import Blocks
from .texts import entity_fields, entity_words, relation_fields, relation_words

# Changed texts that may wait for the next search.
_UNREAD: Final = 64


class TextIndex:
    """Texts of entities and relations by id, looked through as they stand or by their words.

    What is written is read at the next search, or when so much was that a search had to wait.
    """

    def __init__(self) -> None:
        """Start without texts."""
        self._words = LexicalIndex()
        self._entities, self._relations = Blocks(), Blocks()
        self._unread: dict[str, Entity | Relation | None] = {}

    def put(self, ref_id: str, item: Entity | Relation) -> None:
        """Add the texts of an entity or a relation, or replace them at their place."""
        self._write(ref_id, item)

    def drop(self, ref_id: str) -> None:
        """Remove the texts of that id."""
        self._write(ref_id, None)

    def containing(self, text: str) -> Iterator[str]:
        """Ids of what has the text in a field, in any case: entities first, the oldest first."""
        self._read()
        return chain(self._entities.containing(text), self._relations.containing(text))

    def by_words(self, query: str, limit: int) -> dict[str, float]:
        """Ids of what shares words with the query, best first, with a part of the best score."""
        self._read()
        return self._words.relative(query, limit)

    def _write(self, ref_id: str, item: Entity | Relation | None) -> None:
        self._unread[ref_id] = item
        if len(self._unread) > _UNREAD:
            self._read()

    def _read(self) -> None:
        for ref_id, item in self._unread.items():
            if item is None:
                self._words.discard(ref_id)
                self._entities.drop(ref_id)
                self._relations.drop(ref_id)
            elif isinstance(item, Entity):
                self._words.put(ref_id, entity_words(item))
                self._entities.put(ref_id, entity_fields(item))
            else:
                self._words.put(ref_id, relation_words(item))
                self._relations.put(ref_id, relation_fields(item))
        self._unread.clear()
