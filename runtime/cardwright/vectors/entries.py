"""Entries on their way into a collection: which are taken, and which are there already."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from cardwright.core import RetriableError

from .checks import require_dimension, require_text
from .models import CollectionRecord, KnownText, TextEntry, VectorEntry


def newest_texts(entries: Iterable[TextEntry]) -> dict[str, TextEntry]:
    """The last text of each id, as every backend can store it."""
    newest: dict[str, TextEntry] = {}
    for entry in entries:
        clean = replace(entry, text=entry.text.replace("\0", " ")) if "\0" in entry.text else entry
        require_storable(clean)
        newest[clean.ref_id] = clean
    return newest


def require_storable(entry: TextEntry | VectorEntry) -> None:
    """Refuse an entry that some backend cannot store.

    Raises:
        RetriableError: naming it.
    """
    try:
        require_text(entry.ref_id, entry.ref_id, entry.ref_type, entry.text)
    except ValueError as error:
        raise RetriableError(str(error)) from error


def fitting(
    record: CollectionRecord, collection: str, entries: Iterable[VectorEntry]
) -> tuple[list[VectorEntry], dict[str, str]]:
    """The entries that a collection takes, and why it does not take the others, by id."""
    good: list[VectorEntry] = []
    bad: dict[str, str] = {}
    for entry in entries:
        try:
            require_dimension(collection, record.dimension, entry.vector)
        except ValueError as error:
            bad[entry.ref_id] = str(error)
        else:
            good.append(entry)
    return good, bad


def is_stored(known: Mapping[str, KnownText], entry: TextEntry, model: str) -> bool:
    """Whether a text has its vector of this model."""
    there = known.get(entry.ref_id)
    return there is not None and (there.text, there.model) == (entry.text, model)
