"""Collections in memory, kept in a file of the team."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, final, override

from .checks import require_batch, require_dimension, require_known, require_same, require_top_k
from .index import Index, MakeIndex, VectorIndex
from .models import CollectionRecord, KnownText, SearchHit, VectorEntry
from .protocol import Vector, VectorStore
from .vector_file import VectorFile

WORKSPACE_FILE: Final = Path(".vector_store", "vectors.sqlite")
"""Where a collection lies inside the folder of its workspace."""


@dataclass(frozen=True, slots=True)
class _Label:
    ref_type: str
    known: KnownText


@dataclass(frozen=True, slots=True)
class _Opened:
    """A collection: vectors, what they stand for, and where they are kept."""

    record: CollectionRecord
    index: Index
    file: VectorFile | None
    labels: dict[str, _Label] = field(default_factory=dict[str, _Label])

    def take(self, entry: VectorEntry, model: str) -> None:
        self.index.put(entry.ref_id, entry.vector)
        self.labels[entry.ref_id] = _Label(entry.ref_type, KnownText(entry.text, model))


@final
class InMemoryBackend(VectorStore):
    """Exact search in this process; with a file, what was added is there again after a restart.

    The file is written with each batch, in the time of that batch, and read once when a collection
    is opened. Without one everything is gone with the process.
    """

    def __init__(
        self, team_id: str, path: Path | None = None, make_index: MakeIndex = VectorIndex
    ) -> None:
        """Hold nothing yet.

        Args:
            team_id: whose vectors these are.
            path: file of the collections that name no workspace; None keeps them in memory alone.
            make_index: makes the index of a collection from its dimension.
        """
        self._team = team_id
        self._path = path
        self._make_index = make_index
        self._files: dict[Path, VectorFile] = {}
        self._open: dict[str, _Opened] = {}

    @override
    def create_collection(self, name: str, record: CollectionRecord) -> None:
        known = self._open.get(name)
        if known is not None:
            require_same(name, known.record, record)
            return
        file = self._file_of(record)
        opened = _Opened(record, self._make_index(record.dimension), file)
        if file is not None:
            file.open_collection(name, record.dimension)
            for entry, model in file.load(name):
                opened.take(entry, model)
        self._open[name] = opened

    @override
    def add(self, collection: str, entries: Sequence[VectorEntry], model: str = "") -> None:
        opened = self._opened(collection)
        require_batch(collection, opened.record.dimension, entries)
        if opened.file is not None and entries:
            opened.file.put(collection, entries, model)
        for entry in entries:
            opened.take(entry, model)

    @override
    def remove(self, collection: str, ref_ids: Collection[str]) -> None:
        opened = self._opened(collection)
        there = [ref_id for ref_id in ref_ids if ref_id in opened.labels]
        if opened.file is not None and there:
            opened.file.remove(collection, there)
        opened.index.remove(there)
        for ref_id in there:
            opened.labels.pop(ref_id, None)

    @override
    def search(
        self,
        collection: str,
        vector: Vector,
        top_k: int,
        *,
        allowed: Collection[str] | None = None,
        ref_types: Collection[str] | None = None,
    ) -> list[SearchHit]:
        opened = self._opened(collection)
        require_top_k(top_k)
        require_dimension(collection, opened.record.dimension, vector)
        chosen = _chosen(opened.labels, allowed, ref_types)
        found = opened.index.search_cosine(vector, top_k, chosen)
        return [_hit(ref_id, opened.labels[ref_id], score) for ref_id, score in found]

    @override
    def texts(
        self, collection: str, ref_ids: Collection[str] | None = None
    ) -> Mapping[str, KnownText]:
        labels = self._opened(collection).labels
        asked = labels if ref_ids is None else [ref_id for ref_id in ref_ids if ref_id in labels]
        return {ref_id: labels[ref_id].known for ref_id in asked}

    @override
    def list_collections(self) -> list[str]:
        stored = self._default_file()
        kept = [] if stored is None else stored.collections(self._team)
        return sorted({*kept, *self._open})

    @override
    def delete_by_team(self, collection: str, team_id: str) -> int:
        mine = self._open.pop(collection, None) if team_id == self._team else None
        file = self._default_file() if mine is None else mine.file
        if file is not None and (mine is not None or collection in file.collections(team_id)):
            return file.delete(collection, team_id)
        require_known(collection, () if mine is None else (collection,))
        return 0 if mine is None else len(mine.labels)

    @override
    def delete_team(self, team_id: str) -> int:
        file = self._default_file()
        mine = list(self._open) if team_id == self._team else []
        kept = [] if file is None else file.collections(team_id)
        return sum(self.delete_by_team(name, team_id) for name in {*mine, *kept})

    @override
    def teams(self) -> set[str]:
        file = self._default_file()
        mine = {self._team} if any(it.labels for it in self._open.values()) else set[str]()
        return mine | (set() if file is None else file.teams())

    @override
    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()
        self._open.clear()

    def _opened(self, collection: str) -> _Opened:
        require_known(collection, self._open)
        return self._open[collection]

    def _file_of(self, record: CollectionRecord) -> VectorFile | None:
        if record.persistence == "workspace" and record.workspace_path:
            return self._file(Path(record.workspace_path, WORKSPACE_FILE))
        return self._default_file()

    def _default_file(self) -> VectorFile | None:
        return None if self._path is None else self._file(self._path)

    def _file(self, path: Path) -> VectorFile:
        if path not in self._files:
            self._files[path] = VectorFile(path, self._team)
        return self._files[path]


def _chosen(
    labels: Mapping[str, _Label],
    allowed: Collection[str] | None,
    ref_types: Collection[str] | None,
) -> Collection[str] | None:
    """The ids that a search may give; None for all."""
    if ref_types is None:
        return allowed
    asked = labels if allowed is None else [ref_id for ref_id in allowed if ref_id in labels]
    return [ref_id for ref_id in asked if labels[ref_id].ref_type in ref_types]


def _hit(ref_id: str, label: _Label, score: float) -> SearchHit:
    return SearchHit.model_construct(
        ref_type=label.ref_type, ref_id=ref_id, text=label.known.text, score=max(0.0, score)
    )
