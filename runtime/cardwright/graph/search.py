"""Searching the graph: words, meaning or both, and what surrounds the hits."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from cardwright.vectors import DEFAULT_ALPHA, OVERFETCH, fuse
from cardwright_cards.knowledge_graph.types import (
    Entity,
    Relation,
    SearchHit,
    SearchQuery,
    SearchResult,
)

from .delta import copy_of, copy_of_relation
from .index import GraphIndex
from .paths import Paths
from .texts import ENTITY, RELATION

_WORDS: Final = 0.9
_PATH_SEEDS: Final = 5
_PATHS: Final = 10


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query that leaves it out takes from the card."""

    top_k: int = 10
    alpha: float = DEFAULT_ALPHA


def search(
    index: GraphIndex, query: SearchQuery, cosines: Mapping[str, float], limits: Limits
) -> SearchResult:
    """The hits of a query, best first, and what it asks to see around them.

    `cosines` are the semantic hits above the threshold, best first; unknown ids are dropped before
    they can shift the ranking.
    """
    top_k = query.top_k or limits.top_k
    hits = [
        hit
        for ref_id, score in islice(_ranked(index, query, cosines, top_k, limits.alpha), top_k)
        if (hit := _hit(index, ref_id, score)) is not None
    ]
    names = dict.fromkeys(hit.entity.name for hit in hits if hit.entity is not None)
    return SearchResult(
        hits=hits,
        neighbors=_neighbors(index, names) if query.include_neighbors else [],
        connected_relations=_edges(index, names) if query.include_edges else [],
        paths=paths_between(index, names) if query.find_paths else [],
    )


def keyword_hits(index: GraphIndex, query: str, limit: int) -> dict[str, float]:
    """Weights of the hits by id, best first.

    An entry that contains the query as it stands, whatever the case, counts 1: entities first, then
    relations, oldest first. One that has only words of it counts less, by its BM25 score.
    """
    text = index.known_as(query.strip())
    if not text:
        return {}
    weights = dict.fromkeys(islice(index.texts.containing(text), limit), 1.0)
    if len(weights) < limit:
        for ref_id, part in index.texts.by_words(text, limit).items():
            weights.setdefault(ref_id, _WORDS * part)
    return dict(islice(weights.items(), limit))


def paths_between(index: GraphIndex, names: Mapping[str, None]) -> list[list[Entity | Relation]]:
    """Copies of the shortest paths between each two of the first names."""
    pairs = islice(combinations(list(names)[:_PATH_SEEDS], 2), _PATHS)
    paths = Paths(index)
    found = (paths.between(start, end) for start, end in pairs)
    return [[step.model_copy(deep=True) for step in path] for path in found if path is not None]


def _ranked(
    index: GraphIndex,
    query: SearchQuery,
    cosines: Mapping[str, float],
    top_k: int,
    alpha: float,
) -> Iterator[tuple[str, float]]:
    if query.mode == "keyword":
        return iter(keyword_hits(index, query.query, top_k).items())
    known = {ref_id: score for ref_id, score in cosines.items() if _known(index, ref_id)}
    if query.mode == "vector":
        return iter(known.items())
    words = keyword_hits(index, query.query, top_k * OVERFETCH)
    return iter(fuse(words, known, alpha=alpha))


def _known(index: GraphIndex, ref_id: str) -> bool:
    return ref_id in index.edges or index.entity_of(ref_id) is not None


def _hit(index: GraphIndex, ref_id: str, score: float) -> SearchHit | None:
    if (entity := index.entity_of(ref_id)) is not None:
        return SearchHit(ref_type=ENTITY, ref_id=ref_id, score=score, entity=copy_of(entity))
    if (edge := index.edges.get(ref_id)) is not None:
        relation = copy_of_relation(edge.relation)
        return SearchHit(ref_type=RELATION, ref_id=ref_id, score=score, relation=relation)
    return None


def _neighbors(index: GraphIndex, names: Mapping[str, None]) -> list[Entity]:
    others = dict.fromkeys(
        other for name in names for other in index.tied.links[name].values() if other not in names
    )
    return [copy_of(index.nodes[name].entity) for name in others]


def _edges(index: GraphIndex, names: Mapping[str, None]) -> list[Relation]:
    ref_ids = {ref_id for name in names for ref_id in index.tied.links[name]}
    edges = sorted((index.edges[ref_id] for ref_id in ref_ids), key=lambda edge: edge.place)
    return [copy_of_relation(edge.relation) for edge in edges]
