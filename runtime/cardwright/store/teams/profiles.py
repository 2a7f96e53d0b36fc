"""The profiles of a team's roles: stored once for all teams, by content."""

import json
import logging
from collections.abc import Sequence

from cardwright.actors import AgentCard, deserialize_object, serialize
from cardwright.store.protocol import EventStore
from cardwright.store.teams.json_text import as_text
from cardwright.store.teams.process import CardRef

logger = logging.getLogger(__name__)


def save_profiles(store: EventStore, cards: Sequence[AgentCard]) -> list[CardRef]:
    """Store cards and return what the record of a team says of them."""
    hashes = store.save_cards(as_text(serialize(card)) for card in cards)
    return [
        CardRef(role=card.role, card_hash=digest, can_be_hired=card.can_be_hired)
        for card, digest in zip(cards, hashes, strict=True)
    ]


def load_profiles(store: EventStore, refs: Sequence[CardRef]) -> list[AgentCard]:
    """Return the cards; one whose types are not declared here is left out with a warning.

    Raises:
        CardNotFoundError: a card is missing.
    """
    texts = store.load_cards(ref.card_hash for ref in refs)
    found = [(ref, _loaded(ref, texts[ref.card_hash])) for ref in refs]
    return [card for _, card in found if card is not None]


def _loaded(ref: CardRef, text: str) -> AgentCard | None:
    data = {**json.loads(text), "can_be_hired": ref.can_be_hired}
    try:
        card = deserialize_object(data)
    except ValueError as error:
        card = error
    if isinstance(card, AgentCard):
        return card
    logger.warning("The profile %r stays out of the team: %s", ref.role, card)
    return None
