"""Pinned cases of searching the graph, by number."""

import pytest
from pydantic import ValidationError
from tests.graph.graph_team import by_words, chain, entity, graph_of, link, names_of

from cardwright import LocalTeam
from cardwright.graph import (
    Entity,
    EntityUpdate,
    KnowledgeGraphActor,
    KnowledgeGraphTool,
    ManageGraph,
    Relation,
    SearchQuery,
    SearchResult,
)
from cardwright.graph.search import Limits


@pytest.fixture
def graph(bench: LocalTeam) -> KnowledgeGraphActor:
    return graph_of(bench)


def ids(graph: KnowledgeGraphActor) -> dict[str, str]:
    return {found.name: str(found.id) for found in graph.get_graph().entities}


def test_case_51_substrings_count_one_in_every_field_entities_first(
    graph: KnowledgeGraphActor,
) -> None:
    update = ManageGraph(
        create_entities=[
            entity("plain"),
            entity("TEAname"),
            entity("b", "black tea"),
            entity("c", kind="Tea house"),
        ],
        create_relations=[
            link("plain", "b", "sells-tea"),
            link("plain", "c", text="steam"),
            link("plain", "TEAname"),
        ],
    )
    graph.update_graph(update)
    found = by_words(graph, "tEa")
    assert names_of(found) == ["TEAname", "b", "c", "plain-b", "plain-c", "plain-TEAname"]
    assert {hit.score for hit in found.hits} == {1.0}
    assert names_of(by_words(graph, "tea", top_k=2)) == ["TEAname", "b"]


def test_case_51_single_words_of_a_query_count_less_than_all_of_it(
    graph: KnowledgeGraphActor,
) -> None:
    """Decided beyond the contract: a question of several words finds by BM25 what has some."""
    graph.update_graph(
        ManageGraph(create_entities=[entity("a", "tea"), entity("b", "green tea from Uji")])
    )
    hits = by_words(graph, "green tea").hits
    assert [hit.entity and hit.entity.name for hit in hits] == ["b", "a"]
    assert hits[0].score == 1.0
    assert 0 < hits[1].score <= 0.9


def test_case_51_a_query_never_matches_across_two_fields(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(ManageGraph(create_entities=[entity("one", "two", kind="three")]))
    assert [hit.score for hit in by_words(graph, "one two").hits] != [1.0]


@pytest.mark.parametrize("query", ["nothing", " ", "\n"])
def test_case_51_an_empty_graph_and_t20_a_blank_query_find_nothing(
    graph: KnowledgeGraphActor, query: str
) -> None:
    assert by_words(graph, query) == SearchResult()
    graph.update_graph(chain("a", "b"))
    assert by_words(graph, query) == SearchResult()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"query": ""},
        {"query": "x", "mode": "fuzzy"},
        {"query": "x", "top_k": 0},
        {"query": "x", "top_k": -1},
        {"query": "x", "score_threshold": 1.1},
        {"query": "x", "score_threshold": -1.1},
    ],
)
def test_case_51_t20_a_query_out_of_bounds_is_refused(asked: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        SearchQuery.model_validate(asked)


@pytest.mark.parametrize(
    "field",
    [
        {"search_top_k": 0},
        {"search_score_threshold": 2},
        {"hybrid_alpha": 1.1},
        {"vector_store": "false"},
        {"vector_store": ""},
    ],
)
def test_t20_a_card_out_of_bounds_is_refused(field: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        KnowledgeGraphTool.model_validate(field)


def test_case_53_keyword_hits_alone_count_three_tenths(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b"))
    hits = graph.search(SearchQuery(query="about")).hits
    assert [hit.score for hit in hits] == pytest.approx([0.3, 0.3])


def test_case_53_both_legs_make_one_hit_and_the_weaker_of_two_normalises_to_zero(
    graph: KnowledgeGraphActor,
) -> None:
    graph.update_graph(ManageGraph(create_entities=[entity("a", "xxx"), entity("b", "tea")]))
    known = ids(graph)
    cosines = {known["a"]: 0.9, known["b"]: 0.8}
    hits = graph.search(SearchQuery(query="tea"), cosines).hits
    assert [(hit.ref_id, round(hit.score, 6)) for hit in hits] == [
        (known["a"], 0.7),
        (known["b"], 0.3),
    ]


def test_case_53_a_third_hit_lets_both_legs_win(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(
        ManageGraph(create_entities=[entity("a", "xxx"), entity("b", "tea"), entity("c", "yyy")])
    )
    known = ids(graph)
    cosines = {known["a"]: 0.9, known["b"]: 0.8, known["c"]: 0.31}
    hits = graph.search(SearchQuery(query="tea"), cosines).hits
    assert [hit.ref_id for hit in hits] == [known["b"], known["a"], known["c"]]
    assert [hit.score for hit in hits] == pytest.approx([0.88, 0.7, 0.0], abs=0.01)


def test_case_53_there_are_at_most_top_k_and_stale_ids_take_no_place(
    graph: KnowledgeGraphActor,
) -> None:
    graph.update_graph(chain(*"abcdef"))
    cosines = {"stale": 0.99, **dict.fromkeys(ids(graph).values(), 0.8)}
    found = graph.search(SearchQuery(query="about", top_k=4), cosines)
    assert names_of(found) == ["a", "b", "c", "d"]
    assert len({hit.ref_id for hit in found.hits}) == 4
    assert len(graph.search(SearchQuery(query="about"), cosines, Limits(top_k=3)).hits) == 3


def test_case_53_a_low_alpha_prefers_words(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(ManageGraph(create_entities=[entity("a", "xxx"), entity("b", "tea")]))
    cosines = {ids(graph)["a"]: 0.9}
    query = SearchQuery(query="tea")
    assert names_of(graph.search(query, cosines)) == ["a", "b"]
    assert names_of(graph.search(query, cosines, Limits(alpha=0.3))) == ["b", "a"]


def test_case_54_neighbours_are_unique_and_no_hits(graph: KnowledgeGraphActor) -> None:
    update = ManageGraph(
        create_entities=[entity("tea1"), entity("n"), entity("tea2"), entity("far")],
        create_relations=[link("tea1", "n"), link("n", "tea2"), link("tea1", "tea2")],
    )
    update.create_relations += [link("n", "far"), link("n", "tea1", "likes")]
    graph.update_graph(update)
    found = by_words(graph, "tea", include_neighbors=True, include_edges=True, top_k=2)
    assert [entity.name for entity in found.neighbors] == ["n"]
    ends = [(edge.from_entity, edge.to_entity) for edge in found.connected_relations]
    assert ends == [("tea1", "n"), ("n", "tea2"), ("tea1", "tea2"), ("n", "tea1")]


def test_case_54_relations_alone_have_no_surroundings(graph: KnowledgeGraphActor) -> None:
    update = chain("a", "b")
    update.create_relations.append(link("a", "b", "special"))
    graph.update_graph(update)
    flags = dict.fromkeys(("include_neighbors", "include_edges", "find_paths"), True)
    found = by_words(graph, "special", **flags)
    assert names_of(found) == ["a-b"]
    assert (found.neighbors, found.connected_relations, found.paths) == ([], [], [])


def test_case_54_six_hits_make_ten_paths_over_the_first_five(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain(*"abcdef"))
    found = by_words(graph, "about", find_paths=True)
    ends = {(first_name(path), first_name(path[::-1])) for path in found.paths}
    assert len(found.paths) == len(ends) == 10
    assert {name for pair in ends for name in pair} == set("abcde")


def first_name(path: list[Entity | Relation]) -> str:
    assert isinstance(path[0], Entity)
    return path[0].name


def test_case_54_direct_links_have_three_elements_and_islands_are_skipped(
    graph: KnowledgeGraphActor,
) -> None:
    update = chain("a", "b")
    update.create_entities.append(entity("island"))
    graph.update_graph(update)
    (path,) = by_words(graph, "about", find_paths=True).paths
    assert [type(step) for step in path] == [Entity, Relation, Entity]
    assert by_words(graph, "about island", find_paths=True, top_k=1).paths == []
    quiet = by_words(graph, "about")
    assert (quiet.neighbors, quiet.connected_relations, quiet.paths) == ([], [], [])


def test_case_54_mixed_paths_survive_the_round_trip(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b", "c"))
    found = by_words(graph, "about", find_paths=True)
    assert SearchResult.model_validate_json(found.model_dump_json()) == found
    loaded = SearchResult.model_validate(found.model_dump())
    assert [type(step) for step in loaded.paths[0]] == [Entity, Relation, Entity]


def test_t22_a_search_sees_every_change_at_once(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b"))
    update = EntityUpdate(name="a", description="zebra", add_observations=["Okapi"])
    graph.update_graph(ManageGraph(update_entities=[update]))
    assert names_of(by_words(graph, "zebra")) == names_of(by_words(graph, "okapi")) == ["a"]
    assert names_of(by_words(graph, "about")) == ["b"]
    graph.update_graph(ManageGraph(delete_entities=["a"]))
    assert names_of(by_words(graph, "zebra")) == names_of(by_words(graph, "knows")) == []
