"""The graph searched by meaning, on a real store with hashed vectors."""

import logging
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import pytest
from tests.graph.graph_team import (
    HASHING,
    by_words,
    chain,
    entity,
    events_of,
    graph_of,
    link,
    names_of,
    settle,
    store_of,
)

from cardwright import LocalTeam
from cardwright.bench import LocalAgent
from cardwright.core import RetriableError
from cardwright.graph import (
    KG_ACTOR_NAME,
    EntityUpdate,
    KnowledgeGraphActor,
    KnowledgeGraphTool,
    ManageGraph,
    RelationDelete,
)
from cardwright.graph.logic import COLLECTION, NO_SEMANTIC_SEARCH
from cardwright.vectors import VectorClient, VectorStoreTool, embedding_service
from cardwright.vectors.embedding.providers import EmbeddingProvider, Kind

NOTES = ManageGraph(
    create_entities=[
        entity("Ann", "drinks green tea every morning"),
        entity("Bob", "repairs old bicycles"),
        entity("Cid", "sells fresh bread"),
    ],
    create_relations=[link("Ann", "Bob", "married", "since the summer festival")],
)


def note(team: LocalTeam) -> None:
    assert team.actor(KG_ACTOR_NAME, KnowledgeGraphActor).update_graph(NOTES) == "Done"


@pytest.fixture
def alice(bench: LocalTeam) -> LocalAgent:
    agent = bench.agent("@Alice", cards=[KnowledgeGraphTool(), HASHING])
    note(bench)
    settle(bench)
    return agent


def client_of(team: LocalTeam) -> VectorClient:
    """The collection of the graph, as its readers reach it."""
    store = store_of(team)
    return VectorClient(store.myAddress, COLLECTION, embedding_service(*store.embedding()))


def found(agent: LocalAgent, query: str, **asked: object) -> list[str]:
    text = agent.call("search_graph", query={"query": query, **asked})
    assert isinstance(text, str)
    return [line for line in text.splitlines() if line.startswith("- [")]


def change(agent: LocalAgent, name: str, **fields: object) -> None:
    assert agent.call("update_graph", update={"update_entities": [{"name": name, **fields}]})


class Recording:
    """The hashing model, with a list of what it embedded, or out of order."""

    name = "hashing-in-tests"
    dimension: int | None = 256

    def __init__(self, model: EmbeddingProvider) -> None:
        self._model = model
        self.texts: list[str] = []
        self.broken = False

    def embed(self, texts: Sequence[str], kind: Kind, seconds: float) -> list[list[float]]:
        if self.broken:
            raise ValueError("ordered by the test")
        self.texts.extend(texts)
        return self._model.embed(texts, kind, seconds)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Recording:
    service = embedding_service("hashing", HASHING.embedding_model)
    recording = Recording(service.provider)
    monkeypatch.setattr(service, "provider", recording)
    return recording


def test_case_46_what_is_embedded_and_when(bench: LocalTeam, model: Recording) -> None:
    graph = graph_of(bench, [KnowledgeGraphTool(), HASHING])
    graph.update_graph(NOTES)
    graph.update_graph(ManageGraph(create_relations=[link("Bob", "Cid", "knows")]))
    settle(bench)
    assert sorted(model.texts) == [
        "Ann married Bob: since the summer festival",
        "Ann: drinks green tea every morning",
        "Bob: repairs old bicycles",
        "Cid: sells fresh bread",
    ]
    model.texts.clear()
    for update in (
        EntityUpdate(name="Ann", entity_type="person"),
        EntityUpdate(name="Ann", is_root=True),
        EntityUpdate(name="Ann", description="drinks green tea every morning"),
    ):
        graph.update_graph(ManageGraph(update_entities=[update]))
    settle(bench)
    assert model.texts == []
    facts = EntityUpdate(name="Ann", description="drinks coffee", add_observations=["owns a cat"])
    graph.update_graph(ManageGraph(update_entities=[facts]))
    settle(bench)
    assert model.texts == ["Ann: drinks coffee\nowns a cat"]


def test_case_46_case_52_a_model_that_is_out_of_order_fails_nothing(
    bench: LocalTeam, model: Recording
) -> None:
    model.broken = True
    graph = graph_of(bench, [KnowledgeGraphTool(), HASHING])
    assert graph.update_graph(NOTES) == "Done"
    assert len(events_of(bench)) == 1
    agent = bench.agents["@Alice"]
    assert found(agent, "bicycles", mode="vector") == []
    assert found(agent, "bicycles") == ["- [0.30] entity Bob (thing): repairs old bicycles"]


def test_case_46_deleted_entities_and_their_relations_leave_the_store(
    bench: LocalTeam, alice: LocalAgent
) -> None:
    client = client_of(bench)
    everything = client.semantic_scores("festival", 10, threshold=-1)
    graph = bench.actor(KG_ACTOR_NAME, KnowledgeGraphActor)
    assert len(everything) == 4
    unlink = RelationDelete(from_entity="Ann", to_entity="Bob", relation_type="married")
    graph.update_graph(ManageGraph(delete_relations=[unlink], delete_entities=["Cid"]))
    left = client.semantic_scores("festival", 10, threshold=-1)
    assert set(left) == {str(entity.id) for entity in graph.get_graph().entities}
    assert alice.call("search_graph", query={"query": "festival"}) != ""


def test_case_52_a_hit_at_the_threshold_counts_and_the_call_overrides_the_card(
    bench: LocalTeam, alice: LocalAgent
) -> None:
    (best,) = client_of(bench).semantic_scores("green bicycles", 10, threshold=0.3).values()
    asked: dict[str, object] = {"mode": "vector", "top_k": 1}
    assert len(found(alice, "green bicycles", score_threshold=best, **asked)) == 1
    assert found(alice, "green bicycles", score_threshold=min(1, best + 1e-6), **asked) == []
    assert len(found(alice, "green bicycles", mode="vector")) == 1
    assert len(found(alice, "green bicycles", mode="vector", score_threshold=-1)) == 4
    strict = bench.agent("@Bob", cards=[KnowledgeGraphTool(search_score_threshold=1), HASHING])
    assert found(strict, "green bicycles", mode="vector") == []
    assert len(found(strict, "green bicycles", mode="vector", score_threshold=0.3)) == 1


def test_case_52_the_score_of_a_vector_search_is_the_raw_cosine(
    bench: LocalTeam, alice: LocalAgent
) -> None:
    scores = client_of(bench).semantic_scores("old bicycles", 10, threshold=0.3)
    (line,) = found(alice, "old bicycles", mode="vector")
    assert line == f"- [{next(iter(scores.values())):.2f}] entity Bob (thing): repairs old bicycles"


def test_case_52_t11_observations_are_found_by_meaning(bench: LocalTeam, alice: LocalAgent) -> None:
    change(alice, "Cid", add_observations=["plays the violin at weddings"])
    settle(bench)
    (line,) = found(alice, "wedding violin", mode="vector")
    assert "entity Cid" in line


def test_case_52_without_a_store_meaning_says_what_is_missing(bench: LocalTeam) -> None:
    agent = bench.agent("@Alice", cards=[KnowledgeGraphTool()])
    note(bench)
    asked = agent.call("search_graph", query={"query": "tea", "mode": "vector"})
    assert asked == agent.dispatch("/search_graph mode=vector tea") == NO_SEMANTIC_SEARCH
    assert len(found(agent, "tea")) == 1
    other = bench.agent("@Bob", cards=[KnowledgeGraphTool(vector_store=False)])  # section F
    assert "is off" in str(other.call("search_graph", query={"query": "tea", "mode": "vector"}))


def test_case_52_a_stopped_store_leaves_the_words(
    bench: LocalTeam, alice: LocalAgent, caplog: pytest.LogCaptureFixture
) -> None:
    store_of(bench).stop()
    assert found(alice, "green tea", mode="vector") == []
    assert len(found(alice, "green tea")) == 1
    assert "no semantic hits" in caplog.text


def test_t6_a_stopped_store_fails_no_change(
    bench: LocalTeam, alice: LocalAgent, caplog: pytest.LogCaptureFixture
) -> None:
    store_of(bench).stop()
    change(alice, "Ann", description="new")
    update = {"delete_entities": ["Bob"]}
    assert alice.call("update_graph", update=update) == "Done"
    assert [seq for seq, _ in events_of(bench)] == [1, 2, 3]
    assert "not up to date" in caplog.text


def test_case_53_words_and_meaning_make_one_list(alice: LocalAgent) -> None:
    lines = found(alice, "bread", score_threshold=-1)
    assert lines[0] == "- [1.00] entity Cid (thing): sells fresh bread"
    assert len(lines) == len(set(lines)) == 4
    assert len(found(alice, "bread", score_threshold=-1, top_k=2)) == 2
    assert len(found(alice, "e", score_threshold=1)) == 4
    assert {line[:8] for line in found(alice, "e", score_threshold=1)} == {"- [0.30]"}


def test_case_60_the_store_comes_first_in_any_order(bench: LocalTeam) -> None:
    bench.agent("@Last", cards=[KnowledgeGraphTool(vector_store="#VectorStore"), HASHING])
    assert "knowledge_graph" in store_of(bench).state.collection_configs


def test_case_60_a_named_store_without_its_card_is_refused_by_both_names(
    bench: LocalTeam,
) -> None:
    with pytest.raises(ValueError, match="KnowledgeGraphTool depends on VectorStoreTool"):
        bench.agent("@Alice", cards=[KnowledgeGraphTool(vector_store="#VectorStore")])


def test_t4_a_store_of_another_name_is_refused_and_the_graph_goes_on(bench: LocalTeam) -> None:
    card = KnowledgeGraphTool(vector_store="#Other")
    with pytest.raises(RuntimeError, match=r"#KnowledgeGraphTool .* '#Other'.* VectorStoreTool"):
        bench.agent("@Alice", cards=[HASHING, card])
    graph = graph_of(bench)
    assert graph.update_graph(chain("a")) == "Done"


def test_t10_another_store_for_one_graph_is_told(
    bench: LocalTeam, alice: LocalAgent, caplog: pytest.LogCaptureFixture
) -> None:
    other = VectorStoreTool(vector_store_name="#Other", embedding_provider="hashing")
    with caplog.at_level(logging.WARNING):
        bench.agent("@Bob", cards=[KnowledgeGraphTool(vector_store="#Other"), other])
    assert "the other card's vector_store is ignored" in caplog.text
    assert len(found(alice, "old bicycles", mode="vector")) == 1


def test_a_store_that_comes_later_is_filled(bench: LocalTeam) -> None:
    bench.agent("@Alice", cards=[KnowledgeGraphTool()])
    note(bench)
    later = bench.agent("@Bob", cards=[KnowledgeGraphTool(), HASHING])
    settle(bench)
    assert len(found(later, "old bicycles", mode="vector")) == 1


def test_t1_a_resumed_graph_is_searched_by_meaning_with_what_changed_offline(
    tmp_path: Path,
) -> None:
    url, team_id = f"sqlite:///{tmp_path}/team.db", uuid4()
    with LocalTeam(store=url, team_id=team_id) as team:
        team.agent("@Alice", cards=[KnowledgeGraphTool(), HASHING])
        note(team)
        settle(team)
        with pytest.raises(RetriableError):
            team.actor(KG_ACTOR_NAME, KnowledgeGraphActor).update_graph(
                ManageGraph(delete_entities=["nobody", "Cid"])
            )
    with LocalTeam(store=url, team_id=team_id) as team:
        agent = team.agent("@Alice", cards=[KnowledgeGraphTool(), HASHING])
        settle(team)
        assert len(found(agent, "old bicycles", mode="vector")) == 1
        assert found(agent, "fresh bread", mode="vector") == []
        change(agent, "Bob", add_observations=["collects stamps"])
        settle(team)
        assert len(found(agent, "stamps", mode="vector")) == 1
        assert [seq for seq, _ in events_of(team)] == [1, 2, 3]
        graph = team.actor(KG_ACTOR_NAME, KnowledgeGraphActor)
        assert names_of(by_words(graph, "stamps")) == ["Bob"]
