"""The texts that have no vector yet, in the order in which they came."""

from collections import Counter
from collections.abc import Iterable

from .models import CollectionStatus, PendingEntry, VectorStoreState, pending_key


class PendingTexts:
    """Keeps the store's waiting texts in its state, and counts and orders them beside it.

    A newer text of an entry takes the place of the older one, whose vector is refused then.
    """

    def __init__(self, state: VectorStoreState) -> None:
        """Take up what the state holds; what was given up is tried again."""
        self._state = state
        self._open: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._waiting: dict[str, None] = {}
        for entry in list(state.pending_entries.values()):
            self._count(entry, 1)
        for entry in [it for it in state.pending_entries.values() if it.failed]:
            self._replace(entry, failed=False)
        self._waiting = dict.fromkeys(state.pending_entries)

    def __len__(self) -> int:
        """How many texts have no vector, given up ones too."""
        return len(self._state.pending_entries)

    @property
    def has_waiting(self) -> bool:
        """Whether some text waits for a worker."""
        return bool(self._waiting)

    def open(self, collection: str) -> int:
        """How many texts of a collection are on their way."""
        return self._open[collection]

    def status(self, collection: str) -> CollectionStatus:
        """What a search of the collection has to say."""
        if self._open[collection]:
            return CollectionStatus.INDEXING
        return CollectionStatus.ERROR if self._failed[collection] else CollectionStatus.READY

    def text_of(self, collection: str, ref_id: str) -> str | None:
        """The text that waits, or is being embedded, for an entry."""
        entry = self._state.pending_entries.get(pending_key(collection, ref_id))
        return None if entry is None or entry.failed else entry.text

    def put(self, entry: PendingEntry) -> None:
        """Have a text embedded."""
        self.drop(entry.key)
        self._state.pending_entries[entry.key] = entry
        self._count(entry, 1)
        self._waiting[entry.key] = None

    def drop(self, key: str) -> None:
        """Forget a text: it has its vector, or needs none."""
        entry = self._state.pending_entries.pop(key, None)
        self._waiting.pop(key, None)
        if entry is not None:
            self._count(entry, -1)

    def drop_all(self, collection: str, ref_ids: Iterable[str]) -> None:
        """Forget the texts of these entries."""
        for ref_id in ref_ids:
            self.drop(pending_key(collection, ref_id))

    def ids_of(self, collection: str) -> list[str]:
        """The entries of a collection that wait or were given up."""
        rows = self._state.pending_entries.values()
        return [entry.ref_id for entry in rows if entry.collection == collection]

    def take(self, size: int) -> list[PendingEntry]:
        """The next texts for a worker, all of one collection."""
        rows = self._state.pending_entries
        first = rows[next(iter(self._waiting))].collection
        keys: list[str] = []
        for key in self._waiting:
            if rows[key].collection == first:
                keys.append(key)
            if len(keys) == size:
                break
        for key in keys:
            del self._waiting[key]
        return [rows[key] for key in keys]

    def is_current(self, entry: PendingEntry) -> bool:
        """Whether the text is still the one that is wanted."""
        return self._state.pending_entries.get(entry.key) == entry

    def give_up(self, entries: Iterable[PendingEntry]) -> None:
        """Set texts aside until something changes."""
        for entry in entries:
            if self.is_current(entry) and not entry.failed:
                self._replace(entry, failed=True)

    def refuse(self, entry: PendingEntry, reason: str) -> None:
        """Set a text aside that the provider does not take."""
        if self.is_current(entry) and not entry.failed:
            self._replace(entry, failed=True, refused=reason)

    def retry_failed(self) -> None:
        """Let the texts that were set aside wait again, except refused ones."""
        if not self._failed.total():
            return
        rows = self._state.pending_entries.values()
        for entry in [it for it in rows if it.failed and not it.refused]:
            self._replace(entry, failed=False)
            self._waiting[entry.key] = None

    def _replace(self, entry: PendingEntry, *, failed: bool, refused: str = "") -> None:
        fresh = entry.model_copy(update={"failed": failed, "refused": refused})
        self._count(entry, -1)
        self._state.pending_entries[entry.key] = fresh
        self._count(fresh, 1)

    def _count(self, entry: PendingEntry, by: int) -> None:
        (self._failed if entry.failed else self._open)[entry.collection] += by
