"""Pinned cases of changing and reading the graph, by number."""

import pytest
from pydantic import ValidationError
from tests.graph.graph_team import chain, entity, events_of, graph_of, link, root

from cardwright import LocalTeam
from cardwright.core import RetriableError
from cardwright.graph import (
    EntityUpdate,
    GetGraphQuery,
    GraphView,
    KnowledgeGraphActor,
    ManageGraph,
    PathStep,
    RelationDelete,
)


@pytest.fixture
def graph(bench: LocalTeam) -> KnowledgeGraphActor:
    return graph_of(bench)


def viewed(graph: KnowledgeGraphActor, **query: object) -> GraphView:
    return graph.get_graph(GetGraphQuery.model_validate(query))


def names(view: GraphView) -> str:
    return "".join(found.name for found in view.entities)


def links(view: GraphView) -> list[str]:
    return [found.from_entity + found.to_entity for found in view.relations]


def change(graph: KnowledgeGraphActor, name: str, **fields: object) -> None:
    update = EntityUpdate.model_validate({"name": name, **fields})
    graph.update_graph(ManageGraph(update_entities=[update]))


def test_case_43_a_duplicate_relation_is_silent_and_in_no_event(
    bench: LocalTeam, graph: KnowledgeGraphActor
) -> None:
    graph.update_graph(chain("a", "b"))
    again = ManageGraph(create_relations=[link("a", "b", text="other"), link("a", "b", "likes")])
    assert graph.update_graph(again) == "Done"
    assert [found.relation_type for found in graph.get_graph().relations] == ["knows", "likes"]
    _, (_, second) = events_of(bench)
    assert [found.relation_type for found in second.relations_added] == ["likes"]


def test_case_43_the_missing_start_is_named_before_the_missing_end(
    graph: KnowledgeGraphActor,
) -> None:
    with pytest.raises(RetriableError, match="no entity 'x'") as refused:
        graph.update_graph(ManageGraph(create_relations=[link("x", "y")]))
    assert "no entity 'y'" not in str(refused.value)


def test_case_43_a_name_twice_in_one_batch_is_refused_once(graph: KnowledgeGraphActor) -> None:
    with pytest.raises(RetriableError, match="already exists") as refused:
        graph.update_graph(ManageGraph(create_entities=[entity("a", "first"), entity("a", "two")]))
    assert ";" not in str(refused.value)
    assert [found.description for found in graph.get_graph().entities] == ["first"]


def test_a_refusal_says_that_the_rest_was_applied_if_there_is_one(
    graph: KnowledgeGraphActor,
) -> None:
    bad = ManageGraph(delete_entities=["absent"] * 101)
    with pytest.raises(RetriableError, match=r"and 1 more$"):
        graph.update_graph(bad)
    some = bad.model_copy(update={"create_entities": [entity("a", "first")]})
    with pytest.raises(RetriableError, match=r"and 1 more\. Everything else was applied\.$"):
        graph.update_graph(some)


def test_case_45_is_root_is_set_cleared_and_left_alone(graph: KnowledgeGraphActor) -> None:
    def is_root() -> bool:
        return graph.get_graph().entities[0].is_root

    graph.update_graph(ManageGraph(create_entities=[root("a")]))
    change(graph, "a", description="other")
    change(graph, "a", is_root=None)
    assert is_root()
    change(graph, "a", is_root=False)
    assert not is_root()
    change(graph, "a", is_root=True)
    assert is_root()


def test_case_47_a_cascade_is_one_event_with_both_ids(
    bench: LocalTeam, graph: KnowledgeGraphActor
) -> None:
    graph.update_graph(chain("a", "b"))
    before = graph.get_graph()
    unlink = RelationDelete(from_entity="a", to_entity="b", relation_type="knows")
    graph.update_graph(ManageGraph(delete_relations=[unlink], delete_entities=["b"]))
    _, (seq, event) = events_of(bench)
    assert seq == 2
    assert event.entities_removed == [before.entities[1].id]
    assert event.relations_removed == [before.relations[0].id]


def test_case_47_a_mixed_batch_is_one_event_with_all_sections(
    bench: LocalTeam, graph: KnowledgeGraphActor
) -> None:
    graph.update_graph(chain("a", "b", "c"))
    graph.update_graph(
        ManageGraph(
            create_entities=[entity("d")],
            create_relations=[link("d", "a")],
            update_entities=[EntityUpdate(name="a", description="other")],
            delete_entities=["c"],
        )
    )
    _, (_, event) = events_of(bench)
    assert [found.name for found in event.entities_added] == ["d"]
    assert [found.description for found in event.entities_modified] == ["other"]
    assert [found.from_entity for found in event.relations_added] == ["d"]
    assert (len(event.entities_removed), len(event.relations_removed)) == (1, 1)
    assert event.relations_modified == []


def test_case_47_the_start_of_the_actor_is_no_event(
    bench: LocalTeam, graph: KnowledgeGraphActor
) -> None:
    graph.get_graph()
    assert events_of(bench) == []


def test_case_47_a_change_and_its_reverse_in_one_update_are_nothing(
    bench: LocalTeam, graph: KnowledgeGraphActor
) -> None:
    graph.update_graph(chain("a"))
    change(graph, "a", add_observations=["x"], remove_observations=["x"])
    assert len(events_of(bench)) == 1


def test_t3_an_entity_stands_in_one_section_once(
    bench: LocalTeam, graph: KnowledgeGraphActor
) -> None:
    twice = [EntityUpdate(name="a", description=text) for text in ("one", "two")]
    update = ManageGraph(create_entities=[entity("a")], update_entities=twice)
    graph.update_graph(update)
    graph.update_graph(ManageGraph(update_entities=[*twice, *twice[:1]]))
    (_, first), (_, second) = events_of(bench)
    assert [found.description for found in first.entities_added] == ["two"]
    assert first.entities_modified == []
    assert [found.description for found in second.entities_modified] == ["one"]


def test_t3_who_changes_an_event_changes_no_graph(
    bench: LocalTeam, graph: KnowledgeGraphActor
) -> None:
    graph.update_graph(chain("a", "b"))
    ((_, event),) = events_of(bench)
    event.entities_added[0].observations.append("forged")
    event.relations_added[0].description = "forged"
    view = graph.get_graph()
    assert view.entities[0].observations == []
    assert view.relations[0].description == ""


def test_t3_answers_are_copies(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a"))
    graph.get_graph().entities[0].observations.append("forged")
    graph.get_graph().entities[0].name = "forged"
    assert graph.get_graph().entities[0].observations == []
    assert names(graph.get_graph()) == "a"


def test_observations_keep_duplicates_and_drop_every_equal_one(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a"))
    change(graph, "a", add_observations=["x", "x", "y"])
    assert graph.get_graph().entities[0].observations == ["x", "x", "y"]
    change(graph, "a", remove_observations=["x", "never there"])
    assert graph.get_graph().entities[0].observations == ["y"]


def test_case_48_the_default_is_the_whole_graph(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b", "c"))
    assert (names(graph.get_graph()), links(graph.get_graph())) == ("abc", ["ab", "bc"])


def test_case_48_types_limit_the_reach_and_not_what_is_returned(graph: KnowledgeGraphActor) -> None:
    update = chain("a", "b", "c")
    update.create_relations += [link("b", "a", "likes"), link("c", "d", "likes")]
    update.create_entities.append(entity("d"))
    graph.update_graph(update)
    view = viewed(graph, entity_names=["a"], depth=9, relation_types=["likes"])
    assert (names(view), links(view)) == ("ab", ["ab", "ba"])


def test_case_48_both_ends_of_every_relation_are_in_the_view(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain(*"abcdef"))
    for depth in range(4):
        view = viewed(graph, entity_names=["c", "unknown"], depth=depth)
        assert {end for pair in links(view) for end in pair} <= set(names(view))


def test_case_48_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValidationError):
        GetGraphQuery(depth=-1)


def test_case_49_roots_and_the_relations_among_them(graph: KnowledgeGraphActor) -> None:
    update = ManageGraph(
        create_entities=[root("r"), entity("a"), root("s"), entity("b")],
        create_relations=[link("r", "s"), link("r", "a"), link("a", "b")],
    )
    graph.update_graph(update)
    view = viewed(graph, roots_only=True, entity_names=["b"])
    assert (names(view), links(view)) == ("rs", ["rs"])
    assert names(viewed(graph, roots_only=True, depth=1)) == "ras"


def test_case_49_without_roots_the_view_is_empty(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a"))
    assert viewed(graph, roots_only=True, depth=3) == GraphView()


@pytest.mark.parametrize(
    ("start", "steps"),
    [
        (["a"], [("likes", "b")]),
        (["a"], [("knows", "nobody")]),
        (["a"], [("knows", "b"), ("knows", "a")]),
        (["nobody"], [("knows", "b")]),
        ([], [("knows", "b")]),
    ],
)
def test_case_50_a_step_that_is_not_there_is_an_empty_view(
    graph: KnowledgeGraphActor, start: list[str], steps: list[tuple[str, str]]
) -> None:
    graph.update_graph(chain("a", "b", "c"))
    path = [PathStep(relation_type=kind, to_entity=end) for kind, end in steps]
    assert viewed(graph, entity_names=start, path=path) == GraphView()


def test_case_50_a_walk_expands_at_its_end_and_not_at_its_way_points(
    graph: KnowledgeGraphActor,
) -> None:
    update = chain("a", "b", "c", "d", "e")
    update.create_entities += [entity("x"), entity("y")]
    update.create_relations += [link("a", "x"), link("b", "y")]
    graph.update_graph(update)
    path = [PathStep(relation_type="knows", to_entity=end) for end in "bc"]
    only = viewed(graph, entity_names=["a", "e"], path=path, depth=0)
    assert (names(only), links(only)) == ("abc", ["ab", "bc"])
    around = viewed(graph, entity_names=["a"], path=path)
    assert (names(around), links(around)) == ("abcd", ["ab", "bc", "cd"])
    far = viewed(graph, entity_names=["a"], path=path, depth=9)
    assert names(far) == "abcde"
