"""Many texts are scored at once, where numpy is installed."""

from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .formula import STEPS
from .postings import MOST, Postings, Term

# A word that a smaller part of all texts has is looked up where it stands.
_SPARSE: Final = 6

type _Scores = NDArray[np.float64]
type _Numbers = NDArray[np.intp]


def ranked(
    postings: Postings, terms: list[Term], top_k: int | None, allowed: Collection[int] | None
) -> list[tuple[int, float]]:
    """Numbers and scores of the texts with a word of `terms`, best first, at most `top_k`."""
    scores = _scored(postings, terms)
    if allowed is not None:
        scores = _only(scores, allowed)
    numbers = np.flatnonzero(scores)
    steps = np.floor(scores[numbers] * STEPS + 0.5)
    best = _best(steps, top_k)
    order = best[np.lexsort((best, -steps[best]))]
    told = steps[order] / STEPS
    return list(zip(numbers[order].tolist(), told.tolist(), strict=True))


def _scored(postings: Postings, terms: list[Term]) -> _Scores:
    norm = postings.norm()
    lengths = norm.base + norm.slope * np.array(postings.lengths, np.float64)
    scores = np.zeros(postings.size)
    for term in terms:
        at, counts = _counted(term)
        parts = counts + lengths[at]
        counts *= term.weight
        scores[at] += np.divide(counts, parts, out=parts)
    return scores


def _counted(term: Term) -> tuple[_Numbers | slice, _Scores]:
    """Where a word may stand, and how often it does there."""
    known = term.counts
    if term.codes is None:
        at = np.fromiter(known.keys(), np.intp, len(known))
        return at, np.fromiter(known.values(), np.float64, len(known))
    seen = np.frombuffer(term.codes, np.uint8)
    if len(known) * _SPARSE > len(seen):
        counts = seen.astype(np.float64)
        places: _Numbers | slice = slice(len(seen))
    else:
        places = np.flatnonzero(seen != 0)
        counts = seen[places].astype(np.float64)
    for place in np.flatnonzero(counts == MOST).tolist():
        number = place if isinstance(places, slice) else int(places[place])
        counts[place] = known[number]
    return places, counts


def _only(scores: _Scores, allowed: Collection[int]) -> _Scores:
    left = np.zeros_like(scores)
    at = np.fromiter(allowed, np.intp, len(allowed))
    left[at] = scores[at]
    return left


def _best(steps: _Scores, top_k: int | None) -> _Numbers:
    """Where the best stand; of those that are equal to the last of them, the first."""
    if top_k is None or len(steps) <= top_k:
        return np.arange(len(steps))
    last = np.partition(steps, len(steps) - top_k)[len(steps) - top_k]
    above = np.flatnonzero(steps > last)
    return np.concatenate([above, np.flatnonzero(steps == last)[: top_k - len(above)]])
