"""Shortest paths: against a plain search, and where graphs are odd."""

from collections import deque
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cardwright.graph import Entity, Relation, SearchQuery
from cardwright.graph.index import GraphIndex
from cardwright.graph.paths import Path, Paths
from cardwright.graph.search import Limits, search

type Pairs = list[tuple[int, int]]


def graph(size: int, pairs: Iterable[tuple[int, int]], kinds: str = "t") -> GraphIndex:
    """Entities `0`, `1` and so on with relations of each kind between the pairs."""
    return GraphIndex(
        [Entity(name=str(n), entity_type="t", description="word") for n in range(size)],
        [
            Relation(from_entity=str(a), to_entity=str(b), relation_type=kind)
            for a, b in pairs
            for kind in kinds
        ],
    )


def plain(index: GraphIndex, start: str, end: str) -> Path | None:
    """Breadth first from the start, neighbours in the order of their relations."""
    entity = {name: node.entity for name, node in index.nodes.items()}
    paths: dict[str, Path] = {start: [entity[start]]}
    queue = deque([start])
    while queue and end not in paths:
        here = queue.popleft()
        for relation in index.relations_at(here):
            ends = [relation.from_entity, relation.to_entity]
            other = ends[ends[0] == here]
            if other not in paths:
                paths[other] = [*paths[here], relation, entity[other]]
                queue.append(other)
    return paths.get(end)


@settings(max_examples=60, deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=18))
@example(pairs=[(0, 1), (0, 1), (1, 1), (1, 2)])
def test_case_54_a_path_is_that_of_a_plain_search_also_where_another_one_looked(
    pairs: Pairs,
) -> None:
    index = graph(10, dict.fromkeys(pairs))
    shared = Paths(index)
    for start, end in combinations(map(str, range(10)), 2):
        wanted = plain(index, start, end)
        assert Paths(index).between(start, end) == wanted
        assert shared.between(start, end) == wanted
        assert shared.between(end, start) == plain(index, end, start)


@settings(max_examples=10, deadline=None)
@given(st.randoms(use_true_random=False))
def test_case_54_a_path_through_a_wide_graph_is_that_of_a_plain_search(random: object) -> None:
    from random import Random

    assert isinstance(random, Random)
    pairs = [
        (random.randrange(120), random.randrange(120)) for _ in range(random.choice([90, 160]))
    ]
    index = graph(120, dict.fromkeys(pairs))
    shared = Paths(index)
    for _ in range(25):
        start, end = (str(random.randrange(120)) for _ in range(2))
        assert shared.between(start, end) == plain(index, start, end)


def test_a_path_to_itself_is_the_entity() -> None:
    index = graph(2, [(0, 0), (0, 1)])
    assert Paths(index).between("0", "0") == [index.nodes["0"].entity]


def test_several_relations_between_two_give_the_oldest_whatever_its_direction() -> None:
    index = graph(2, [(1, 0), (0, 1)], kinds="ab")
    path = Paths(index).between("0", "1")
    assert path is not None
    assert isinstance(path[1], Relation)
    assert (path[1].from_entity, path[1].relation_type) == ("1", "a")


@pytest.mark.parametrize("end", ["150", "201", "399"])
def test_a_hub_is_crossed_to_a_leaf_and_beyond(end: str) -> None:
    """0 - 1 - hub 2 with 197 leaves, one of which leads on by a chain."""
    pairs = [(0, 1), (1, 2), *((2, leaf) for leaf in range(3, 200))]
    index = graph(400, [*pairs, (180, 200), *((n, n + 1) for n in range(200, 399))])
    assert Paths(index).between("0", end) == plain(index, "0", end)


def test_case_54_paths_of_a_search_skip_pairs_without_one() -> None:
    index = graph(4, [(0, 1), (2, 3)])
    asked = SearchQuery(query="word", mode="keyword", find_paths=True)
    found = search(index, asked, {}, Limits()).paths
    ends = [[it.name for it in path if isinstance(it, Entity)] for path in found]
    assert ends == [["0", "1"], ["2", "3"]]
