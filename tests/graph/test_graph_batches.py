"""Batches, the index behind them, and what they publish."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from tests.actors.actors_support import Recorder
from tests.vectors.store_team import until

from cardwright.actors import ActorAddress, ActorSystem, BaseConfig, Orchestrator
from cardwright.core import RetriableError, ToolStateEvent
from cardwright.graph import (
    EntityCreate,
    EntityUpdate,
    GetGraphQuery,
    KnowledgeGraphActor,
    KnowledgeGraphState,
    KnowledgeGraphStateEvent,
    ManageGraph,
    RelationCreate,
    RelationDelete,
    SearchQuery,
)


@pytest.fixture
def system() -> Iterator[ActorSystem]:
    with ActorSystem() as system:
        yield system


@pytest.fixture
def orchestrator(system: ActorSystem) -> ActorAddress:
    config = BaseConfig(name="@Orchestrator", role="Orchestrator")
    return system.createActor(Orchestrator, config=config)


@pytest.fixture
def team(system: ActorSystem, orchestrator: ActorAddress) -> Orchestrator:
    return system.proxy_ask(orchestrator, Orchestrator)


@pytest.fixture
def graph(system: ActorSystem, team: Orchestrator) -> KnowledgeGraphActor:
    config = BaseConfig(name="#KnowledgeGraphTool", role="ToolActor")
    return system.proxy_ask(
        team.getChildrenOrCreate(KnowledgeGraphActor, config=config), KnowledgeGraphActor
    )


def entity(name: str, kind: str = "thing", root: bool = False) -> EntityCreate:
    return EntityCreate(name=name, entity_type=kind, description=f"about {name}", is_root=root)


def link(start: str, end: str, kind: str = "knows") -> RelationCreate:
    return RelationCreate(from_entity=start, to_entity=end, relation_type=kind)


def chain(*names: str) -> ManageGraph:
    pairs = pairwise(names)
    return ManageGraph(
        create_entities=[entity(name) for name in names],
        create_relations=[link(start, end) for start, end in pairs],
    )


def names(graph: KnowledgeGraphActor, **query: object) -> list[str]:
    view = graph.get_graph(GetGraphQuery.model_validate(query))
    return [found.name for found in view.entities]


def payloads(team: Orchestrator) -> list[tuple[int, KnowledgeGraphStateEvent]]:
    found: list[tuple[int, KnowledgeGraphStateEvent]] = []
    for message in team.get_events(event_class=ToolStateEvent):
        event = message.event
        assert isinstance(event, ToolStateEvent)
        assert isinstance(event.payload, KnowledgeGraphStateEvent)
        found.append((event.seq, event.payload))
    return found


def test_case_43_the_good_part_is_applied_and_every_bad_item_reported(
    graph: KnowledgeGraphActor, team: Orchestrator
) -> None:
    graph.update_graph(chain("a", "b"))
    with pytest.raises(RetriableError) as refused:
        graph.update_graph(
            ManageGraph(
                create_entities=[entity("a"), entity("c")],
                create_relations=[link("a", "b"), link("a", "missing")],
                update_entities=[EntityUpdate(name="nobody")],
                delete_relations=[
                    RelationDelete(from_entity="b", to_entity="a", relation_type="knows")
                ],
                delete_entities=["ghost"],
            )
        )
    assert len(str(refused.value).split("; ")) == 5
    assert names(graph) == ["a", "b", "c"]
    assert len(graph.get_graph().relations) == 1
    (_, first), (seq, second) = payloads(team)
    assert seq == 2
    assert first.relations_added
    assert [added.name for added in second.entities_added] == ["c"]


def test_case_43_the_state_is_notified_of_a_change_of_none_and_of_a_refusal(
    graph: KnowledgeGraphActor, team: Orchestrator
) -> None:
    recorder = Recorder()
    team.subscribe(recorder)

    def told(times: int) -> bool:
        until(lambda: recorder.kinds().count("StateChangedMessage") >= times)
        return recorder.kinds().count("StateChangedMessage") == times

    graph.update_graph(chain("a"))
    assert told(1)
    graph.update_graph(ManageGraph())
    assert told(2)
    with pytest.raises(RetriableError):
        graph.update_graph(chain("a"))
    assert told(3)
    assert recorder.kinds().count("EventMessage") == 1


def test_case_44_a_relation_of_an_entity_that_the_batch_deletes_is_gone(
    graph: KnowledgeGraphActor,
) -> None:
    update = chain("a", "b")
    update.delete_entities = ["b"]
    graph.update_graph(update)
    assert names(graph) == ["a"]
    assert graph.get_graph().relations == []


def test_case_47_a_batch_without_effect_emits_nothing(
    graph: KnowledgeGraphActor, team: Orchestrator
) -> None:
    assert graph.update_graph(ManageGraph()) == "Done"
    graph.update_graph(chain("a"))
    graph.update_graph(ManageGraph(update_entities=[EntityUpdate(name="a", description="about a")]))
    with pytest.raises(RetriableError):
        graph.update_graph(chain("a"))
    assert [seq for seq, _ in payloads(team)] == [1]


def test_t3_an_event_never_shows_a_later_state(
    graph: KnowledgeGraphActor, team: Orchestrator
) -> None:
    graph.update_graph(chain("a"))
    graph.update_graph(
        ManageGraph(update_entities=[EntityUpdate(name="a", add_observations=["later"])])
    )
    (_, first), (_, second) = payloads(team)
    assert first.entities_added[0].observations == []
    assert second.entities_modified[0].observations == ["later"]


def test_t2_numbers_and_graph_go_on_after_a_resume(
    graph: KnowledgeGraphActor, team: Orchestrator
) -> None:
    graph.update_graph(chain("a", "b"))
    stored = graph.state.serializable_copy().model_dump()
    graph.init_state(KnowledgeGraphState.model_validate(stored))
    graph.update_graph(ManageGraph(delete_entities=["a"]))
    assert [seq for seq, _ in payloads(team)] == [1, 2]
    assert names(graph) == ["b"]


@pytest.mark.parametrize(("depth", "expected"), [(0, "a"), (1, "ab"), (2, "abc"), (3, "abcd")])
def test_case_48_a_depth_reaches_that_many_hops(
    graph: KnowledgeGraphActor, depth: int, expected: str
) -> None:
    graph.update_graph(chain("a", "b", "c", "d"))
    assert names(graph, entity_names=["a"], depth=depth) == list(expected)


def test_case_48_an_unknown_seed_is_an_empty_view(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a"))
    assert names(graph, entity_names=["x"]) == []


def test_case_50_a_walk_is_followed_in_its_direction_only(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b", "c"))
    step = {"relation_type": "knows", "to_entity": "b"}
    assert names(graph, entity_names=["a"], path=[step], depth=0) == ["a", "b"]
    assert names(graph, entity_names=["c"], path=[step]) == []


def test_case_51_t11_keywords_find_observations_too(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b"))
    graph.update_graph(
        ManageGraph(update_entities=[EntityUpdate(name="b", add_observations=["Likes Tea"])])
    )
    (hit,) = graph.search(SearchQuery(query="likes tea", mode="keyword")).hits
    assert (hit.score, hit.entity and hit.entity.name) == (1.0, "b")


def test_case_54_a_path_alternates_and_surroundings_are_asked_for(
    graph: KnowledgeGraphActor,
) -> None:
    graph.update_graph(chain("a", "b", "c"))
    found = graph.search(
        SearchQuery(query="about", mode="keyword", top_k=1, include_neighbors=True)
    )
    assert [entity.name for entity in found.neighbors] == ["b"]
    found = graph.search(SearchQuery(query="about", mode="keyword", find_paths=True))
    assert sorted(len(path) for path in found.paths) == [3, 3, 5]


def test_t21_an_unknown_hit_does_not_shift_the_ranking(graph: KnowledgeGraphActor) -> None:
    graph.update_graph(chain("a", "b"))
    ref_id = str(graph.get_graph().entities[1].id)
    hits = graph.search(SearchQuery(query="zzz"), {"foreign": 0.99, ref_id: 0.75}).hits
    assert [(hit.ref_id, hit.score) for hit in hits] == [(ref_id, 0.7)]


def test_eight_writers_lose_nothing(graph: KnowledgeGraphActor, team: Orchestrator) -> None:
    def work(writer: int) -> None:
        for step in range(20):
            graph.update_graph(chain(f"{writer}-{step}", f"{writer}-{step}-end"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len(graph.get_graph().entities) == 320
    assert len(graph.get_graph().relations) == 160
    assert [seq for seq, _ in payloads(team)] == list(range(1, 161))
