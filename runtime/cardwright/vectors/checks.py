"""What is refused before anything is touched."""

from collections.abc import Collection, Sequence
from math import isfinite
from typing import Final

from .models import CollectionRecord, VectorEntry

MODEL_DIMENSIONS: Final = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
"""Known models that give vectors of one size."""


def require_dimension(collection: str, expected: int, vector: Sequence[float]) -> None:
    """Refuse a vector of another size, or with numbers that are not finite.

    Raises:
        ValueError: saying which collection wants what.
    """
    if len(vector) != expected:
        raise ValueError(
            f"collection {collection!r} holds vectors of {expected} numbers, not {len(vector)}: "
            "use one embedding model for all of it, or another collection"
        )
    if not all(map(isfinite, vector)):
        raise ValueError(
            f"a vector for collection {collection!r} holds numbers that are not finite"
        )


def require_text(ref_id: str, *parts: str) -> None:
    """Refuse what some backend cannot store: a zero character, or half of a surrogate pair.

    Raises:
        ValueError: naming the entry.
    """
    for part in parts:
        if "\0" in part or not _is_unicode(part):
            raise ValueError(
                f"entry {ref_id!a}: {part[:60]!a} is no text, but holds a zero character "
                "or half of a character"
            )


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def require_batch(collection: str, expected: int, entries: Sequence[VectorEntry]) -> None:
    """Refuse a batch with a wrong vector or text before any of it is stored.

    Raises:
        ValueError: naming the entry.
    """
    for entry in entries:
        require_text(entry.ref_id, entry.ref_id, entry.ref_type, entry.text)
        try:
            require_dimension(collection, expected, entry.vector)
        except ValueError as error:
            raise ValueError(f"entry {entry.ref_id!r}: {error}") from None


def require_top_k(top_k: int) -> None:
    """Refuse less than one hit.

    Raises:
        ValueError: it is less.
    """
    if top_k < 1:
        raise ValueError(f"top_k must be 1 or more, not {top_k}")


def require_same(name: str, known: CollectionRecord, wanted: CollectionRecord) -> None:
    """Refuse to open a collection with another configuration than it has.

    Raises:
        ValueError: naming what differs.
    """
    differing = [
        f"{field} is {getattr(known, field)!r}, not {getattr(wanted, field)!r}"
        for field in ("backend", "dimension", "persistence", "workspace_path", "tenant")
        if getattr(known, field) != getattr(wanted, field)
    ]
    if differing:
        raise ValueError(
            f"collection {name!r} exists with another configuration ({'; '.join(differing)}): "
            "configure all cards that share it alike"
        )


def require_model_dimension(model: str, known: int | None, dimension: int) -> None:
    """Refuse a dimension that the model does not have, as far as that is known.

    Raises:
        ValueError: naming both.
    """
    if known is not None and known != dimension:
        raise ValueError(
            f"{model} gives vectors of {known} numbers: dimension cannot be {dimension}"
        )


def require_known(collection: str, known: Collection[str]) -> None:
    """Refuse a collection that nobody created.

    Raises:
        ValueError: naming it.
    """
    if collection not in known:
        raise ValueError(f"collection {collection!r} does not exist: create it first")
