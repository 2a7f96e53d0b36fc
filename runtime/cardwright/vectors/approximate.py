"""Approximate search above a stated size."""

import threading
from collections.abc import Collection, Sequence
from typing import Final, final, override

import numpy as np
from usearch.index import Index as Graph

from .checks import require_top_k
from .index import Floats, Index, Rows, VectorIndex

APPROXIMATE_ABOVE: Final = 100_000
"""Vectors of a collection from which on a search without filter is approximate."""
# How many more candidates the graph gives than are wanted, to be ranked exactly.
_CANDIDATES: Final = 8
_LEAST_CANDIDATES: Final = 128
# Vectors that enter the graph at once; a search waits for so many at most.
_BATCH: Final = 64
# A graph of which so much was removed finds less, and is built anew.
_STALE: Final = 0.3


@final
class ApproximateIndex(Index):
    """All vectors exactly, and a graph over them (HNSW, half precision) once there are many.

    A thread brings the graph up to date; what it has not reached yet is looked at exactly, so a
    search sees each vector at once. The candidates of the graph are ranked by their exact scores.
    Filtered searches are exact.
    """

    def __init__(self, dimension: int, *, above: int = APPROXIMATE_ABOVE) -> None:
        """Start empty; `above` so many vectors the graph is used."""
        self._exact = VectorIndex(dimension)
        self._dimension = dimension
        self._above = above
        self._lock = threading.RLock()
        self._graph = self._new_graph()
        self._in_graph: set[int] = set()
        self._waiting: dict[str, None] = {}
        self._removed = 0
        self._builder: threading.Thread | None = None

    def _new_graph(self) -> Graph:
        return Graph(ndim=self._dimension, metric="ip", dtype="f16")

    @override
    def __len__(self) -> int:
        return len(self._exact)

    @override
    def put(self, ref_id: str, vector: Sequence[float]) -> None:
        with self._lock:
            self._drop(self._exact.row_of(ref_id))
            self._exact.put(ref_id, vector)
            self._waiting[ref_id] = None
            self._start_builder()

    @override
    def remove(self, ref_ids: Collection[str]) -> None:
        with self._lock:
            for ref_id in ref_ids:
                self._waiting.pop(ref_id, None)
                self._drop(self._exact.row_of(ref_id))
            self._exact.remove(ref_ids)
            if self._removed > _STALE * max(len(self._exact), 1):
                self._graph, self._removed = self._new_graph(), 0
                self._in_graph.clear()
                self._waiting = dict.fromkeys(self._exact)
            self._start_builder()

    @override
    def search_cosine(
        self, query: Sequence[float], top_k: int, allowed: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        require_top_k(top_k)
        with self._lock:
            if allowed is not None or not self._is_worth_it():
                return self._exact.search_cosine(query, top_k, allowed)
            unit = self._exact.unit(query)
            return self._exact.rank(unit, self._candidates(unit, top_k), top_k)

    def wait(self, timeout: float = 60.0) -> bool:
        """Wait until the graph is up to date; tell whether it is."""
        builder = self._builder
        if builder is not None:
            builder.join(timeout)
        return not self._waiting

    def _is_worth_it(self) -> bool:
        size = len(self._exact)
        return size > self._above and len(self._waiting) * 2 < size

    def _candidates(self, unit: Floats, top_k: int) -> Rows:
        wanted = min(len(self._in_graph), max(top_k * _CANDIDATES, _LEAST_CANDIDATES))
        found = np.asarray(self._graph.search(unit, wanted).keys).astype(np.int64)
        fresh = self._exact.rows_of(self._waiting)
        return np.unique(np.concatenate([found, fresh]))

    def _drop(self, row: int | None) -> None:
        if row is not None and row in self._in_graph:
            self._in_graph.discard(row)
            self._graph.remove(row)
            self._removed += 1

    def _start_builder(self) -> None:
        due = len(self._exact) > self._above and self._waiting
        if due and (self._builder is None or not self._builder.is_alive()):
            self._builder = threading.Thread(
                target=self._build, name="cardwright-vectors", daemon=True
            )
            self._builder.start()

    def _build(self) -> None:
        while self._add_batch():
            pass

    def _add_batch(self) -> bool:
        """Move some waiting vectors into the graph; tell whether there were any."""
        with self._lock:
            batch = [ref_id for ref_id, _ in zip(self._waiting, range(_BATCH), strict=False)]
            if not batch:
                self._builder = None
                return False
            rows = self._exact.rows_of(batch)
            self._graph.add(rows.astype(np.uint64), self._exact.rows(rows), threads=1)
            for ref_id in batch:
                del self._waiting[ref_id]
            self._in_graph.update(map(int, rows))
            return True
