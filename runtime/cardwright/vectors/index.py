"""Exact search over vectors in memory."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from .checks import require_dimension, require_top_k

type Floats = NDArray[np.float32]
type Rows = NDArray[np.int64]

INITIAL_ROWS: Final = 64
SCORE_DIGITS: Final = 6
# Sums of the same products differ by less than this, depending on where the row lies.
_NOISE: Final = np.float32(2e-6)
# Fewer allowed rows than one in so many are copied together rather than scored with all others.
_GATHER: Final = 4


class Index(Protocol):
    """What holds the vectors of a collection in memory."""

    def __len__(self) -> int: ...

    def put(self, ref_id: str, vector: Sequence[float]) -> None:
        """Add a vector, or replace that of the same id."""
        ...

    def remove(self, ref_ids: Collection[str]) -> None:
        """Remove vectors; unknown ids are ignored."""
        ...

    def search_cosine(
        self, query: Sequence[float], top_k: int, allowed: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """The best ids with their cosines."""
        ...


type MakeIndex = Callable[[int], Index]


class VectorIndex:
    """Unit vectors as rows of one float32 matrix: a search is one product, exact.

    Rows double when they run out; a removed row is a tombstone until another entry takes it. Equal
    scores stand in the order in which their ids were first put.
    """

    def __init__(self, dimension: int | None = None) -> None:
        """Start empty; without a dimension, the first vector says it."""
        self._fixed = dimension
        self._matrix: Floats = np.zeros((0, 0), np.float32)
        self._order: Rows = np.zeros(0, np.int64)
        self._ids: list[str] = []
        self._rows: dict[str, int] = {}
        self._free: list[int] = []
        self._next = 0

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self._rows)

    def __contains__(self, ref_id: object) -> bool:
        """Whether a vector of that id is there."""
        return ref_id in self._rows

    @property
    def dimension(self) -> int | None:
        """Numbers in a vector; None while anything is accepted."""
        return self._fixed or (self._matrix.shape[1] if self._rows else None)

    def put(self, ref_id: str, vector: Sequence[float]) -> None:
        """Add a vector, or replace that of the same id, which keeps its place among equals.

        Raises:
            ValueError: it has another dimension, or numbers that are not finite.
        """
        unit = self.unit(vector)
        row = self._rows.get(ref_id)
        if row is None:
            row = self._take_row(ref_id, len(unit))
        self._matrix[row] = unit

    def remove(self, ref_ids: Collection[str]) -> None:
        """Remove vectors; unknown ids are ignored."""
        for ref_id in ref_ids:
            row = self._rows.pop(ref_id, None)
            if row is not None:
                self._free.append(row)
        if not self._rows:
            self._ids, self._free = [], []
            self._matrix = np.zeros((0, 0), np.float32)

    def row_of(self, ref_id: str) -> int | None:
        """The row of an id; rows of removed ids are used again."""
        return self._rows.get(ref_id)

    def unit(self, vector: Sequence[float]) -> Floats:
        """`vector` at length 1 as float32; one without a direction stays zero.

        Raises:
            ValueError: it has another dimension, or numbers that are not finite.
        """
        given = np.asarray(vector, np.float64)
        expected = self.dimension
        length = float(np.sqrt(given.dot(given))) if given.ndim == 1 else float("nan")
        if not np.isfinite(length) or (expected is not None and len(given) != expected):
            require_dimension("in memory", expected or len(vector), [float(x) for x in vector])
            raise ValueError("a vector holds numbers that are too large: scale it to length 1")
        unit: Floats = (given / length if length > 0 else given).astype(np.float32)
        return unit

    def search_cosine(
        self, query: Sequence[float], top_k: int, allowed: Collection[str] | None = None
    ) -> list[tuple[str, float]]:
        """The `top_k` best ids with their cosines, best first; only `allowed` ones, if given.

        Raises:
            ValueError: `top_k` is below 1, or the query does not fit.
        """
        require_top_k(top_k)
        unit = self.unit(query)
        if not self._rows:
            return []
        if allowed is None:
            return self.best(self._all_scores(unit), None, min(top_k, len(self._rows)))
        rows = self.rows_of(allowed)
        return self.best(self._scores_of(unit, rows), rows, min(top_k, len(rows)))

    def rows_of(self, ref_ids: Iterable[str]) -> Rows:
        """The rows of the ids that are there, each once."""
        rows = self._rows
        return np.fromiter({rows[ref] for ref in ref_ids if ref in rows}, np.int64)

    def rank(self, unit: Floats, rows: Rows, top_k: int) -> list[tuple[str, float]]:
        """The best of these rows."""
        return self.best(self._matrix[rows] @ unit, rows, min(top_k, len(rows)))

    def best(self, scores: Floats, rows: Rows | None, count: int) -> list[tuple[str, float]]:
        """The `count` best of `scores`, which belong to `rows`, or to all rows in order."""
        if count < 1:
            return []
        cut = np.partition(scores, len(scores) - count)[len(scores) - count]
        near = np.flatnonzero(scores >= cut - _NOISE)
        places = near if rows is None else rows[near]
        rounded = np.round(scores[near].astype(np.float64), SCORE_DIGITS).clip(-1.0, 1.0)
        ranking = np.lexsort((self._order[places], -rounded))[:count]
        return [(self._ids[int(places[i])], float(rounded[i])) for i in ranking]

    def _all_scores(self, unit: Floats) -> Floats:
        scores: Floats = self._matrix[: len(self._ids)] @ unit
        if self._free:
            scores[self._free] = -np.inf
        return scores

    def _scores_of(self, unit: Floats, rows: Rows) -> Floats:
        if len(rows) * _GATHER < len(self._ids):
            gathered: Floats = self._matrix[rows] @ unit
            return gathered
        return self._all_scores(unit)[rows]

    def _take_row(self, ref_id: str, dimension: int) -> int:
        if self._free:
            row = self._free.pop()
            self._ids[row] = ref_id
        else:
            row = len(self._ids)
            self._ids.append(ref_id)
            self._make_room(row, dimension)
        self._rows[ref_id] = row
        self._order[row] = self._next
        self._next += 1
        return row

    def _make_room(self, row: int, dimension: int) -> None:
        capacity = len(self._matrix)
        if row < capacity:
            return
        more = max(INITIAL_ROWS, capacity * 2)
        matrix, order = np.zeros((more, dimension), np.float32), np.zeros(more, np.int64)
        if capacity:
            matrix[:capacity] = self._matrix
            order[:capacity] = self._order[:capacity]
        self._matrix, self._order = matrix, order

    def rows(self, rows: Rows) -> Floats:
        """The unit vectors in these rows."""
        chosen: Floats = self._matrix[rows]
        return chosen

    def __iter__(self) -> Iterator[str]:
        """The ids, in no particular order."""
        return iter(self._rows)
