"""How keyword and vector hits become one list."""

from collections.abc import Iterable, Mapping
from typing import Final, cast

DEFAULT_ALPHA: Final = 0.7
"""Weight of the vector leg."""
OVERFETCH: Final = 2
"""A vector search asks for so many times the hits that are wanted, as some will be dropped."""


def fuse(
    keyword: Iterable[str] | Mapping[str, float],
    vector: Mapping[str, float],
    *,
    alpha: float = DEFAULT_ALPHA,
) -> list[tuple[str, float]]:
    """Rank the hits of both legs, best first: relative score fusion.

        score(key) = alpha * norm(cosine(key)) + (1 - alpha) * keyword(key)
        norm(s) = (s - min) / (max - min) over the vector leg, and 1 where max = min

    A leg without the key contributes 0. The vector leg is normalised over the hits given, so drop
    what is stale, filtered out or below the threshold before: a foreign hit would push real ones
    down. The weakest of several different scores gets 0; one hit, or only equal scores, get 1. The
    keyword leg is not normalised. Equal scores keep the order of the vector leg, then that of the
    keyword leg. Scores lie between 0 and 1 and compare within one query only.

    Args:
        keyword: ids of the hits, each counting 1, or their weights between 0 and 1.
        vector: cosine by id, best first.
        alpha: weight of the vector leg, from 0 to 1.

    Raises:
        ValueError: `alpha` or a keyword weight lies outside 0 to 1.
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be between 0 and 1, not {alpha}")
    weights = _weights(keyword)
    near = _normalised(vector)
    scores = {
        key: alpha * near.get(key, 0.0) + (1 - alpha) * weights.get(key, 0.0)
        for key in dict.fromkeys([*near, *weights])
    }
    return sorted(scores.items(), key=lambda item: -item[1])


def _weights(keyword: Iterable[str] | Mapping[str, float]) -> dict[str, float]:
    if isinstance(keyword, Mapping):
        weights = dict(cast("Mapping[str, float]", keyword))
    else:
        weights = dict.fromkeys(keyword, 1.0)
    if any(not 0 <= weight <= 1 for weight in weights.values()):
        raise ValueError("keyword weights must be between 0 and 1: divide by the best score")
    return weights


def _normalised(scores: Mapping[str, float]) -> dict[str, float]:
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if low == high:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}
