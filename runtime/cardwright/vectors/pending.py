"""The texts that have no vector yet, in the order in which they came."""

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice

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
        self._waiting: dict[str, dict[str, None]] = {}
        for entry in list(state.pending_entries.values()):
            self._count(entry, 1)
        for entry in [it for it in state.pending_entries.values() if it.failed]:
            self._replace(entry, failed=False)
        for entry in state.pending_entries.values():
            self._wait(entry)

    def __len__(self) -> int:
        """How many texts have no vector, given up ones too."""
        return len(self._state.pending_entries)

    @property
    def waiting(self) -> list[str]:
        """Collections of which some text waits for a worker."""
        return list(self._waiting)

    def waiting_ids(self, collection: str) -> list[str]:
        """The entries of a collection whose texts wait for a worker."""
        rows = self._state.pending_entries
        return [rows[key].ref_id for key in self._waiting.get(collection, ())]

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
        self._wait(entry)

    def drop(self, key: str) -> None:
        """Forget a text: it has its vector, or needs none."""
        entry = self._state.pending_entries.pop(key, None)
        if entry is not None:
            self._leave(entry)
            self._count(entry, -1)

    def drop_all(self, collection: str, ref_ids: Iterable[str]) -> None:
        """Forget the texts of these entries."""
        for ref_id in ref_ids:
            self.drop(pending_key(collection, ref_id))

    def ids_of(self, collection: str) -> list[str]:
        """The entries of a collection that wait or were given up."""
        rows = self._state.pending_entries.values()
        return [entry.ref_id for entry in rows if entry.collection == collection]

    def take(self, size: int, held: Collection[str] = ()) -> list[PendingEntry]:
        """The next texts for a worker, all of one collection that is not `held`, or none."""
        collection = next((name for name in self._waiting if name not in held), None)
        if collection is None:
            return []
        rows = self._state.pending_entries
        batch = [rows[key] for key in islice(self._waiting[collection], size)]
        for entry in batch:
            self._leave(entry)
        if (rest := self._waiting.pop(collection, None)) is not None:
            self._waiting[collection] = rest  # behind the others: none of them starves
        return batch

    def is_current(self, entry: PendingEntry) -> bool:
        """Whether the text is still the one that is wanted."""
        return self._state.pending_entries.get(entry.key) == entry

    def rows(self, collection: str, ref_ids: Iterable[str]) -> list[PendingEntry]:
        """The texts of these entries, as far as they have no vector."""
        keys = (pending_key(collection, ref_id) for ref_id in ref_ids)
        return [
            self._state.pending_entries[key] for key in keys if key in self._state.pending_entries
        ]

    def give_up(self, entries: Iterable[PendingEntry]) -> None:
        """Set texts aside until something changes."""
        for entry in entries:
            if self.is_current(entry) and not entry.failed:
                self._leave(entry)
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
            self._wait(entry)

    def _wait(self, entry: PendingEntry) -> None:
        self._waiting.setdefault(entry.collection, {})[entry.key] = None

    def _leave(self, entry: PendingEntry) -> None:
        keys = self._waiting.get(entry.collection)
        if keys is not None:
            keys.pop(entry.key, None)
            if not keys:
                del self._waiting[entry.collection]

    def _replace(self, entry: PendingEntry, *, failed: bool, refused: str = "") -> None:
        fresh = entry.model_copy(update={"failed": failed, "refused": refused})
        self._count(entry, -1)
        self._state.pending_entries[entry.key] = fresh
        self._count(fresh, 1)

    def _count(self, entry: PendingEntry, by: int) -> None:
        (self._failed if entry.failed else self._open)[entry.collection] += by
