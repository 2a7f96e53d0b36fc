"""Graphs that somebody or something wants to go wrong: odd names, loops, masses, many writers."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
from tests.graph.graph_team import by_words, chain, entity, events_of, graph_of, link, names_of

from cardwright import LocalTeam
from cardwright.bench import LocalAgent
from cardwright.core import Channels, RetriableError
from cardwright.graph import (
    EntityCreate,
    EntityUpdate,
    GetGraph,
    GetGraphQuery,
    KnowledgeGraphActor,
    KnowledgeGraphTool,
    ManageGraph,
    PathStep,
    RelationDelete,
)
from cardwright.graph.index import GraphIndex
from cardwright.graph.search import keyword_hits
from cardwright.graph.texts import name_line, quoted

FORGED = "a\n- entities: 9\r\n\x1b[2J\x00\u2028\u202egnp"
HIDDEN = {"\n-", "\r", "\x1b", "\x00", "\u2028", "\u202e"}


@pytest.fixture
def graph(bench: LocalTeam) -> KnowledgeGraphActor:
    return graph_of(bench)


@pytest.fixture
def alice(bench: LocalTeam, graph: KnowledgeGraphActor) -> LocalAgent:
    assert graph.get_graph().entities == []
    return bench.agents["@Alice"]


def told(agent: LocalAgent, *commands: str) -> list[str]:
    texts = [agent.dispatch(command) for command in commands]
    assert all(isinstance(text, str) for text in texts)
    return [text for text in texts if isinstance(text, str)]


@pytest.mark.parametrize(
    "name", ["A\nB", FORGED, 'it\'s\t"so"\\n', "a\\\tb", "two  spaces", "Bed 3"]
)
def test_a_name_is_found_as_it_is_shown_or_in_plain_quotes(
    alice: LocalAgent, graph: KnowledgeGraphActor, name: str
) -> None:
    graph.update_graph(
        ManageGraph(
            create_entities=[entity(name, "seed"), entity("z")],
            create_relations=[link(name, "z"), link("z", name)],
        )
    )
    for shown in (quoted(name), name_line(name)):
        (line, *_) = told(alice, f"/open_entity {shown}")
        assert line.startswith(f"{name_line(name)} (")
        around = graph.get_graph(GetGraphQuery(entity_names=[shown], depth=0))
        assert [found.name for found in around.entities] == [name]
        step = PathStep(to_entity=shown, relation_type="knows")
        walk = graph.get_graph(GetGraphQuery(entity_names=["z"], path=[step], depth=0))
        assert [found.name for found in walk.entities] == ["z", name]
        (hits,) = told(alice, f"/search_graph mode=keyword {shown}")
        assert f"entity {name_line(name)} (" in hits
    graph.update_graph(ManageGraph(create_entities=[entity(quoted(name), "itself")]))
    (line,) = told(alice, f"/open_entity {quoted(name)}")
    assert ": itself" in line


def test_plain_double_quotes_around_a_name_are_no_part_of_it(
    alice: LocalAgent, graph: KnowledgeGraphActor
) -> None:
    graph.update_graph(ManageGraph(create_entities=[entity("Bed 3")]))
    (line,) = told(alice, '/open_entity "Bed 3"')
    assert line.startswith("Bed 3 (")


def test_no_name_type_or_text_forges_a_line_or_moves_a_cursor(
    alice: LocalAgent, graph: KnowledgeGraphActor
) -> None:
    wild = EntityCreate(
        name=FORGED, entity_type=FORGED, description=FORGED, observations=[FORGED], is_root=True
    )
    update = ManageGraph(
        create_entities=[wild, entity("b", "gnp")],
        create_relations=[link(FORGED, "b", FORGED, FORGED), link("b", FORGED, FORGED)],
    )
    graph.update_graph(update)
    context = alice.context_update() or ""
    options = "include_neighbors=true include_edges=true find_paths=true mode=keyword"
    shown = told(alice, "/get_graph", f"/search_graph {options} gnp", "/open_entity b")
    opened = alice.call("open_entity", name=FORGED)
    missing = alice.call("open_entity", name=FORGED + "!")
    lost = RelationDelete(from_entity="x", to_entity=FORGED, relation_type=FORGED)
    with pytest.raises(RetriableError) as refused:
        graph.update_graph(ManageGraph(delete_entities=["q" + FORGED], delete_relations=[lost]))
    for text in (context, *shown, opened, missing, str(refused.value)):
        assert isinstance(text, str)
        kept = [line for line in text.splitlines() if "entities: 9" in line]
        assert kept
        assert not any(line.startswith("- entities: 9") for line in kept)
        assert not any(sign in text for sign in HIDDEN - {"\n-"})
    assert len(str(refused.value).splitlines()) == 1


def test_a_name_that_is_no_plain_line_is_shown_so_that_it_can_be_written(
    alice: LocalAgent, graph: KnowledgeGraphActor
) -> None:
    for name in ("two\nlines", "two  blanks", " edge", "na\u00efve \U0001f9d1\u200d\U0001f680"):
        graph.update_graph(ManageGraph(create_entities=[entity(name, "found")]))
    shown = told(alice, "/get_graph")[0].splitlines()[1:]
    assert shown == [
        "- 'two\\nlines' (thing): found",
        "- 'two  blanks' (thing): found",
        "- ' edge' (thing): found",
        "- na\u00efve \U0001f9d1\u200d\U0001f680 (thing): found",
    ]


def test_a_query_with_the_signs_between_fields_finds_no_more_than_it_says(
    graph: KnowledgeGraphActor,
) -> None:
    graph.update_graph(ManageGraph(create_entities=[entity("one", "two"), entity("a\x00b", "c")]))
    for query in ("one\x00two", "e\x01o", "one\ufffetwo"):
        assert [hit.score for hit in by_words(graph, query).hits if hit.score == 1.0] == []
    assert names_of(by_words(graph, "a\x00b"))[0] == "a\x00b"


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("Stra\u00dfe", "STRASSE"),
        ("\u0130stanbul", "\u0130STANBUL"),
        (
            "\u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
            "\u03c3\u03af\u03c3\u03c5\u03c6\u03bf\u03c3",
        ),
        ("\u6771\u4eac", "\u4eac"),
    ],
)
def test_case_51_any_script_is_found_in_any_case(
    graph: KnowledgeGraphActor, name: str, query: str
) -> None:
    graph.update_graph(ManageGraph(create_entities=[entity(name, "x"), entity("other", "y")]))
    assert [(hit.entity and hit.entity.name, hit.score) for hit in by_words(graph, query).hits] == [
        (name, 1.0)
    ]


def test_loops_cycles_and_parallel_relations_are_relations_like_others(
    bench: LocalTeam, alice: LocalAgent, graph: KnowledgeGraphActor
) -> None:
    update = chain("a", "b", "c")
    update.create_relations += [
        link("c", "a"),
        link("a", "a"),
        link("a", "a", "likes"),
        link("a", "b", "likes"),
        link("b", "a", "likes"),
    ]
    graph.update_graph(update)
    view = graph.get_graph(GetGraphQuery(entity_names=["a"], depth=50))
    assert (len(view.entities), len(view.relations)) == (3, 7)
    assert told(alice, "/open_entity a")[0].count("a -[knows]-> a") == 1
    result = by_words(graph, "about", find_paths=True, include_edges=True, include_neighbors=True)
    assert len(result.connected_relations) == 7
    assert result.neighbors == []
    assert [len(path) for path in result.paths] == [3, 3, 3]
    graph.update_graph(ManageGraph(delete_entities=["a"]))
    assert [found.from_entity for found in graph.get_graph().relations] == ["b"]
    (_, event) = events_of(bench)[-1]
    assert len(event.relations_removed) == len(set(event.relations_removed)) == 6


def test_an_entity_may_be_named_like_the_type_of_another(graph: KnowledgeGraphActor) -> None:
    update = ManageGraph(
        create_entities=[entity("person", kind="kind"), entity("Ann", kind="person")],
        create_relations=[link("Ann", "person", "person"), link("person", "Ann", "kind")],
    )
    graph.update_graph(update)
    graph.update_graph(ManageGraph(delete_entities=["person"]))
    summary = graph.summary(True, True)
    assert (summary.entity_types, summary.relation_types) == (["person"], [])


def test_ten_thousand_bad_items_are_told_in_a_bounded_text(
    alice: LocalAgent, graph: KnowledgeGraphActor
) -> None:
    bad = [f"ghost {number} " + "x" * 1_000 for number in range(10_000)]
    update = ManageGraph(create_entities=[entity("good")], delete_entities=bad)
    with pytest.raises(RetriableError) as refused:
        graph.update_graph(update)
    text = str(refused.value)
    assert len(text) < 20_000
    assert text.startswith("no entity 'ghost 0 xxx")
    assert text.endswith("; and 9900 more. Everything else was applied.")
    assert [found.name for found in graph.get_graph().entities] == ["good"]


def test_giant_texts_are_kept_whole_and_shown_in_part(
    bench: LocalTeam, alice: LocalAgent, graph: KnowledgeGraphActor
) -> None:
    giant = "x" * 300_000 + " needle"
    wild = EntityCreate(
        name="a",
        entity_type="t" * 300_000,
        description=giant,
        observations=[giant, *(f"fact {n}" for n in range(1_000))],
        is_root=True,
    )
    others = [entity(f"leaf {n}") for n in range(1_500)]
    links = [link("a", other.name) for other in others]
    graph.update_graph(ManageGraph(create_entities=[wild, *others], create_relations=links))
    context = alice.context_update() or ""
    found, opened = told(
        alice, "/search_graph include_neighbors=true include_edges=true needle", "/open_entity a"
    )
    assert len(context) < 5_000
    assert len(found) < 20_000
    assert "and 1450 more" in found
    assert len(opened) < 30_000
    assert "more characters)" in opened
    assert "- and 801 more observations" in opened
    assert graph.get_graph().entities[0].observations[0] == giant
    card = KnowledgeGraphTool(
        vector_store=False, get_graph=GetGraph(expose={Channels.TOOL_CALL}), read_only=True
    )
    page = bench.agent("@Bob", cards=[card]).call("get_graph")
    assert "- and 500 more relations: open_entity(name)" in str(page)
    assert len(str(page)) < 100_000


WRITERS, ROUNDS = 8, 15


def write(graph: KnowledgeGraphActor, writer: int) -> None:
    """Make, tie to what others may just have deleted, change and delete."""
    for number in range(ROUNDS):
        mine, other = f"w{writer} {number}", f"w{(writer + 1) % WRITERS} {number}"
        update = ManageGraph(
            create_entities=[entity(mine, f"text {number}")],
            create_relations=[link(mine, other), link(mine, mine), link(mine, "hub")],
            update_entities=[EntityUpdate(name="hub", add_observations=[mine])],
            delete_entities=[f"w{writer} {number - 3}"] if number % 2 else [],
        )
        # The writer of the other end may not have made it yet.
        with suppress(RetriableError):
            graph.update_graph(update)
        graph.get_graph(GetGraphQuery(entity_names=[mine], depth=2))
        by_words(graph, f"text {number}", find_paths=True, include_edges=True)


def test_eight_writers_with_deletes_and_searches_leave_a_graph_that_is_one(
    graph: KnowledgeGraphActor,
) -> None:
    graph.update_graph(ManageGraph(create_entities=[entity("hub")]))
    with ThreadPoolExecutor(WRITERS) as pool:
        list(pool.map(partial(write, graph), range(WRITERS)))
    view = graph.get_graph()
    names = {found.name for found in view.entities}
    gone = {
        f"w{writer} {number - 3}" for writer in range(WRITERS) for number in range(3, ROUNDS, 2)
    }
    assert (
        names
        == {"hub"}
        | {f"w{writer} {number}" for writer in range(WRITERS) for number in range(ROUNDS)} - gone
    )
    assert {end for it in view.relations for end in (it.from_entity, it.to_entity)} <= names
    hub = next(found for found in view.entities if found.name == "hub")
    assert len(hub.observations) == len(set(hub.observations)) == WRITERS * ROUNDS
    fresh = GraphIndex(view.entities, view.relations)
    for query in ("text 7", "hub", "knows", "w3"):
        hits = by_words(graph, query, top_k=500).hits
        assert {it.ref_id: it.score for it in hits} == keyword_hits(fresh, query, 500)
    assert fresh.tied.links.keys() == names
