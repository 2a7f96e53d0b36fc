"""Agent cards, stored once under the hash of their content and shared by all teams."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import cast

from cardwright.store.errors import CardNotFoundError, CorruptStoreError
from cardwright.store.session import Session

_OF_THE_TEAM = "can_be_hired"


def canonical(payload: str) -> str:
    """Return a card as key-sorted compact JSON without what belongs to the team that uses it.

    Raises:
        ValueError: the payload is no JSON object.
    """
    card: object = json.loads(payload)
    if not isinstance(card, dict):
        raise ValueError("an agent card must be a JSON object")  # noqa: TRY004 - the text is wrong
    fields = cast("dict[str, object]", card)
    kept = {key: value for key, value in fields.items() if key != _OF_THE_TEAM}
    # Escapes stay: half a surrogate pair is legal in JSON, but not in a database.
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def card_hash(text: str) -> str:
    """Return the SHA-256 of a canonical card, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def save(session: Session, cards: Mapping[str, str]) -> None:
    """Store canonical cards by hash; those that are there already stay."""
    # Sorted, so that two processes that save the same cards never wait for each other in a ring.
    session.run_many(
        "INSERT INTO cards (hash, payload) VALUES (?, ?) ON CONFLICT DO NOTHING",
        sorted(cards.items()),
    )


def load(session: Session, hashes: Sequence[str]) -> dict[str, str]:
    """Return cards by hash, checked against it."""
    found: dict[str, str] = {}
    for digest in hashes:
        for (payload,) in session.rows("SELECT payload FROM cards WHERE hash = ?", digest):
            if card_hash(payload) != digest:
                raise CorruptStoreError(f"Agent card {digest}", "its content has another hash")
            found[digest] = payload
    if missing := set(hashes) - set(found):
        raise CardNotFoundError(missing)
    return found
