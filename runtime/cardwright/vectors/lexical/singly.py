"""Texts are scored one by one."""

from collections.abc import Collection, Iterable
from heapq import nlargest

from .formula import stepped
from .postings import Postings, Term


def ranked(
    postings: Postings, terms: list[Term], top_k: int | None, allowed: Collection[int] | None
) -> list[tuple[int, float]]:
    """Numbers and scores of the texts with a word of `terms`, best first, at most `top_k`."""
    scores: dict[int, float] = {}
    only = None if allowed is None else frozenset(allowed)
    for term in terms:
        add(postings, scores, term, chosen(term.counts, only))
    return best_of(scores, top_k)


def best_of(scores: dict[int, float], top_k: int | None) -> list[tuple[int, float]]:
    """The best of scores by number; equal ones by number."""
    steps = [(stepped(score), -number) for number, score in scores.items()]
    best = sorted(steps, reverse=True) if top_k is None else nlargest(top_k, steps)
    return [(-place, score) for score, place in best]


def add(
    postings: Postings, scores: dict[int, float], term: Term, texts: Iterable[tuple[int, int]]
) -> None:
    """Add what the word is worth to the scores of these texts, given with its count in them."""
    norm, weight = postings.norm(), term.weight
    base, slope = norm.base, norm.slope
    lengths, known = postings.lengths, scores.get
    for number, count in texts:
        part = weight * count / (count + (base + slope * lengths[number]))
        scores[number] = known(number, 0.0) + part


def chosen(counts: dict[int, int], only: Collection[int] | None) -> Iterable[tuple[int, int]]:
    """The texts of a word among `only`, looked up from the shorter side."""
    if only is None:
        return counts.items()
    if len(only) < len(counts):
        return [(number, counts[number]) for number in only if number in counts]
    return [item for item in counts.items() if item[0] in only]
