"""Tasks found by meaning, on a real store with hashed vectors."""

import logging
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast
from uuid import uuid4

import pytest
from tests.vectors.store_team import until

from cardwright import LocalTeam
from cardwright.actors import Orchestrator, stored_context
from cardwright.actors.proxies import ask_proxy
from cardwright.bench import LocalAgent, RetryRequested
from cardwright.core import ToolCard
from cardwright.core.dependencies import warn_of_absent
from cardwright.planning import PlanningTool, TaskCreate, UpdatePlan
from cardwright.planning.board import Board
from cardwright.planning.logic import COLLECTION
from cardwright.planning.search import Matching, TaskFilter, find
from cardwright.vectors import VectorClient, VectorStoreActor, VectorStoreTool, embedding_service
from cardwright.vectors.embedding.providers import EmbeddingProvider, Kind

HASHING = VectorStoreTool(embedding_provider="hashing")
WORK = {
    1: ("started", "write the parser for numbers", "@Ann"),
    2: ("pending", "book the movers", ""),
    3: ("started", "paint the old bicycle shed", "@Bob"),
    4: ("pending", "repair old bicycles", "@Ann"),
}


@pytest.fixture(autouse=True)
def _vector_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_VECTOR_PATH", str(tmp_path / "vectors"))
    monkeypatch.delenv("CARDWRIGHT_WEAVIATE_URL", raising=False)
    monkeypatch.delenv("CARDWRIGHT_PGVECTOR_URL", raising=False)


@pytest.fixture
def team() -> Iterator[LocalTeam]:
    with LocalTeam() as team:
        yield team


class Recording:
    """The hashing model, with what it was asked, or out of order."""

    name = "hashing-in-tests"
    dimension: int | None = 256

    def __init__(self, model: EmbeddingProvider) -> None:
        self._model = model
        self.asked: list[tuple[str, Kind]] = []
        self.broken = False

    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        if self.broken:
            raise ValueError("ordered by the test")
        self.asked.extend((text, kind) for text in texts)
        return self._model.embed(texts, kind, timeout)

    def documents(self) -> list[str]:
        return [text for text, kind in self.asked if kind == "document"]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Recording:
    service = embedding_service("hashing", HASHING.embedding_model)
    recording = Recording(service.provider)
    monkeypatch.setattr(service, "provider", recording)
    return recording


def store_of(team: LocalTeam) -> VectorStoreActor:
    return team.actor("#VectorStore", VectorStoreActor)


def settle(team: LocalTeam) -> None:
    until(lambda: not store_of(team).state.pending_entries)


def client_of(team: LocalTeam) -> VectorClient:
    store = store_of(team)
    return VectorClient(store.myAddress, COLLECTION, embedding_service(*store.embedding()))


def change(agent: LocalAgent, **sections: object) -> None:
    assert agent.call("update_planning", update=sections) == "Done"


def plan(agent: LocalAgent) -> None:
    tasks = [
        {"id": number, "status": status, "description": text, "owner": owner}
        for number, (status, text, owner) in WORK.items()
    ]
    change(agent, create_tasks=tasks)


@pytest.fixture
def alice(team: LocalTeam) -> LocalAgent:
    agent = team.agent("@Alice", cards=[PlanningTool(), HASHING])
    plan(agent)
    settle(team)
    return agent


def found(agent: LocalAgent, query: str, **asked: object) -> dict[int, str]:
    """Label by task, in the order of the answer."""
    lines = cast("list[str]", agent.call("search_planning", query=query, **asked))
    return {int(line.split()[0][1:]): line.rsplit(" | ", 1)[1] for line in lines}


def members(team: LocalTeam) -> list[str]:
    everyone = ask_proxy(team.orchestrator, Orchestrator).get_team()
    return sorted(it.name for it in everyone if it.name.startswith("#"))


def fused(
    cosines: Mapping[str, float], *, alpha: float = 0.7, query: str = "tea", top_k: int = 9
) -> list[str]:
    """Labels of a board on which tasks 2 and 4 contain the query."""
    board = Board()
    texts = {1: "coffee", 2: "tea", 3: "water", 4: "iced tea"}
    tasks = [TaskCreate(id=n, status="pending", description=t, owner="") for n, t in texts.items()]
    board.apply(UpdatePlan(create_tasks=tasks), "@A")
    matching = Matching("hybrid", alpha, cosines)
    lines = find(board.entries, TaskFilter(), query, top_k, matching)
    return [f"{line.split()[0]} {line.rsplit(' | ', 1)[1]}" for line in lines]


def test_case_32_a_hit_at_the_threshold_counts(team: LocalTeam, alice: LocalAgent) -> None:
    best = client_of(team).semantic_scores("some old bicycles", 1)["4"]
    at: dict[str, object] = {"mode": "vector", "top_k": 1}
    assert list(found(alice, "some old bicycles", score_threshold=best, **at)) == [4]
    assert found(alice, "some old bicycles", score_threshold=min(1, best + 1e-6), **at) == {}


def test_case_32_the_threshold_drops_no_keyword_hit(alice: LocalAgent) -> None:
    assert found(alice, "bicycle", score_threshold=1) == {
        3: "keyword match",
        4: "keyword match",
    }


def test_case_32_the_call_overrides_the_card_both_ways(team: LocalTeam, alice: LocalAgent) -> None:
    strict = team.agent("@Strict", cards=[PlanningTool(search_score_threshold=1), HASHING])
    loose = team.agent("@Loose", cards=[PlanningTool(search_score_threshold=-1), HASHING])
    query = "repairs of bicycles"
    assert found(strict, query) == {}
    assert len(found(strict, query, score_threshold=-1)) == 4
    assert len(found(loose, query)) == 4
    assert found(loose, query, score_threshold=1) == {}


@pytest.mark.parametrize(("asked", "expected"), [({}, 20), ({"top_k": 50}, 100)])
def test_case_33_the_store_is_asked_for_twice_top_k(
    team: LocalTeam,
    alice: LocalAgent,
    monkeypatch: pytest.MonkeyPatch,
    asked: dict[str, object],
    expected: int,
) -> None:
    seen: list[int] = []
    search = VectorStoreActor.search

    def spying(
        store: VectorStoreActor, name: str, vector: Sequence[float], top_k: int, *rest: None
    ) -> object:
        seen.append(top_k)
        return search(store, name, vector, top_k, *rest)

    monkeypatch.setattr(VectorStoreActor, "search", spying)
    found(alice, "bicycles", **asked)
    assert seen == [expected]


def test_case_34_both_legs_make_one_line_with_the_raw_cosine(
    team: LocalTeam, alice: LocalAgent
) -> None:
    cosine = client_of(team).semantic_scores("old bicycles", 10)["4"]
    lines = found(alice, "old bicycles", score_threshold=0.1)
    assert lines[4] == f"hybrid: {cosine:.2f}"
    assert lines[3].startswith("semantic: ")
    assert next(iter(lines)) == 4


def test_case_34_alpha_decides_between_meaning_and_words() -> None:
    assert fused({"1": 0.9}) == ["#1 semantic: 0.90", "#2 keyword match", "#4 keyword match"]
    assert fused({"1": 0.9}, alpha=0.3) == [
        "#2 keyword match",
        "#4 keyword match",
        "#1 semantic: 0.90",
    ]
    assert fused({"1": 0.9}, top_k=2) == ["#1 semantic: 0.90", "#2 keyword match"]


def test_t21_foreign_and_filtered_hits_do_not_shift_the_ranking() -> None:
    assert fused({"99": 0.99, "1": 0.75}) == fused({"1": 0.75})
    assert fused({"entity": 0.99, "1": 0.75})[0] == "#1 semantic: 0.75"


def test_ties_stand_in_board_order() -> None:
    assert fused({"3": 0.8, "1": 0.8}, query="nothing") == [
        "#1 semantic: 0.80",
        "#3 semantic: 0.80",
    ]


def test_case_35_keyword_mode_asks_neither_model_nor_store(
    team: LocalTeam, alice: LocalAgent, model: Recording
) -> None:
    store_of(team).stop()
    assert found(alice, "bicycle", mode="keyword") == {3: "keyword match", 4: "keyword match"}
    assert model.asked == []


def test_case_35_vector_mode_has_no_keyword_label(alice: LocalAgent) -> None:
    labels = found(alice, "bicycle", mode="vector", score_threshold=-1).values()
    assert len(labels) == 4
    assert all(re.fullmatch(r"semantic: \d\.\d\d", label) for label in labels)


@pytest.mark.parametrize("vector_store", [True, False])
def test_case_35_without_a_store_only_words_are_left(team: LocalTeam, vector_store: bool) -> None:
    agent = team.agent("@Alice", cards=[PlanningTool(vector_store=vector_store)])
    plan(agent)
    assert found(agent, "bicycle") == {3: "keyword match", 4: "keyword match"}


def test_case_35_vector_mode_without_the_optional_store_finds_nothing(team: LocalTeam) -> None:
    agent = team.agent("@Alice", cards=[PlanningTool()])
    plan(agent)
    assert agent.call("search_planning", query="bicycle", mode="vector") == []


def test_section_f_vector_mode_with_the_store_declined_says_that_it_is_off(
    team: LocalTeam,
) -> None:
    agent = team.agent("@Alice", cards=[PlanningTool(vector_store=False)])
    plan(agent)
    said = "Search by meaning is off here: use mode keyword."
    assert agent.call("search_planning", query="bicycle", mode="vector") == [said]
    assert agent.dispatch("/search_planning mode=vector bicycle") == said
    assert len(cast("list[str]", agent.call("search_planning", mode="vector", owner="@Ann"))) == 2


def test_decision_d_only_vector_mode_and_a_named_store_report_the_missing_extra(
    team: LocalTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    for module in ("cardwright.vectors.memory", "cardwright.vectors.index"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    agent = team.agent("@Alice", cards=[PlanningTool(), HASHING])
    plan(agent)
    assert found(agent, "bicycle") == {3: "keyword match", 4: "keyword match"}
    (said,) = cast("list[str]", agent.call("search_planning", query="bicycle", mode="vector"))
    assert "pip install 'cardwright[vector]'" in said
    assert "mode keyword" in said
    with pytest.raises(ImportError, match=r"cardwright\[vector\]"):
        team.agent("@Bob", cards=[PlanningTool(vector_store="#VectorStore"), HASHING])


def test_case_35_a_model_that_is_out_of_order_leaves_the_words(
    team: LocalTeam, model: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    agent = team.agent("@Alice", cards=[PlanningTool(), HASHING])
    model.broken = True
    plan(agent)
    assert found(agent, "old bicycle") == {3: "keyword match", 4: "keyword match"}
    assert found(agent, "old bicycle", mode="vector") == {}
    assert "no semantic hits" in caplog.text


def test_t20_a_blank_query_is_no_query_and_embeds_nothing(
    alice: LocalAgent, model: Recording
) -> None:
    lines = cast("list[str]", alice.call("search_planning", query="  ", mode="vector", top_k=1))
    assert len(lines) == 4
    assert model.asked == []


@pytest.mark.parametrize("vector_store", [True, False, "#VectorStore"])
def test_case_36_the_choice_of_a_store_round_trips(vector_store: bool | str) -> None:
    card = PlanningTool(vector_store=vector_store)
    assert PlanningTool.model_validate_json(
        card.model_dump_json()
    ).vector_store is vector_store or (card.vector_store == vector_store)
    assert card.depends_on == (["VectorStoreTool"] if isinstance(vector_store, str) else [])
    assert "depends_on" not in card.model_dump()


@pytest.mark.parametrize("vector_store", ["false", "Store", "", "#"])
def test_t20_a_store_needs_the_name_of_an_actor(vector_store: str) -> None:
    with pytest.raises(ValueError, match="vector_store"):
        PlanningTool.model_validate({"vector_store": vector_store})


def test_case_37_cards_share_no_collection_and_binding_makes_the_plan_only(team: LocalTeam) -> None:
    one, other = PlanningTool(), PlanningTool()
    assert one.collection is not other.collection
    team.agent("@Alice", cards=[one])
    assert members(team) == ["#PlanningTool"]


def test_case_38_a_missing_store_is_told_with_actor_store_and_card(team: LocalTeam) -> None:
    card = PlanningTool(vector_store="#Other")
    with pytest.raises(RuntimeError, match=r"#PlanningTool .* '#Other'.* VectorStoreTool"):
        team.agent("@Alice", cards=[card, HASHING])
    agent = team.agent("@Bob", cards=[PlanningTool(vector_store=False)])
    plan(agent)
    assert list(found(agent, "bicycle")) == [3, 4]


def test_case_38_no_store_is_one_warning_and_false_is_none(
    team: LocalTeam, caplog: pytest.LogCaptureFixture
) -> None:
    warn_of_absent.cache_clear()
    with caplog.at_level(logging.WARNING):
        team.agent("@Quiet", cards=[PlanningTool(vector_store=False)])
        assert caplog.text == ""
        team.agent("@Alice", cards=[PlanningTool()])
        team.agent("@Bob", cards=[PlanningTool()])
    (warning,) = caplog.messages
    assert warning.startswith("PlanningTool works without VectorStoreTool")


@pytest.mark.parametrize("first", [0, 1, 2])
def test_case_60_the_store_comes_first_in_any_order(team: LocalTeam, first: int) -> None:
    from cardwright.graph import KnowledgeGraphTool

    cards: list[ToolCard] = [PlanningTool(), KnowledgeGraphTool(), HASHING]
    team.agent("@Alice", cards=[*cards[first:], *cards[:first]])
    assert set(store_of(team).state.collection_configs) == {"planning", "knowledge_graph"}


def test_t16_filters_come_before_the_cut(team: LocalTeam) -> None:
    agent = team.agent("@Alice", cards=[PlanningTool(), HASHING])
    tasks = [
        {"id": n, "status": "pending", "description": f"repair bicycle {n}", "owner": "@Ann"}
        for n in range(40)
    ]
    rare = {"id": 99, "status": "pending", "description": "bicycles, some day", "owner": "@Bob"}
    change(agent, create_tasks=[*tasks, rare])
    settle(team)
    hits = found(agent, "repair bicycles", owner="@Bob", top_k=1, score_threshold=0.1)
    assert list(hits) == [99]
    assert found(agent, "repair bicycles", owner="@Nobody") == {}


def test_a_description_that_changes_is_found_by_its_new_meaning_only(
    team: LocalTeam, alice: LocalAgent, model: Recording
) -> None:
    change(alice, update_tasks=[{"id": 4, "description": "water the roses"}])
    change(alice, update_tasks=[{"id": 3, "status": "completed", "output": "red"}])
    settle(team)
    assert model.documents() == ["water the roses"]
    hits = found(alice, "watering roses", mode="vector")
    assert list(hits) == [4]
    assert 4 not in found(alice, "repair old bicycles", mode="vector", score_threshold=0.3)


def test_a_description_that_is_emptied_and_a_deleted_task_leave_the_store(
    team: LocalTeam, alice: LocalAgent
) -> None:
    change(alice, update_tasks=[{"id": 4, "description": ""}], delete_tasks=[3])
    settle(team)
    assert set(client_of(team).semantic_scores("bicycles", 10, threshold=-1)) == {"1", "2"}


def test_t6_a_stopped_store_fails_no_change(team: LocalTeam, alice: LocalAgent) -> None:
    store_of(team).stop()
    change(alice, update_tasks=[{"id": 1, "description": "new"}], delete_tasks=[2])
    assert list(found(alice, "new")) == [1]


def test_t10_another_store_for_one_board_is_told(
    team: LocalTeam, alice: LocalAgent, caplog: pytest.LogCaptureFixture
) -> None:
    other = VectorStoreTool(vector_store_name="#Other", embedding_provider="hashing")
    with caplog.at_level(logging.WARNING):
        team.agent("@Bob", cards=[PlanningTool(vector_store="#Other"), other])
    assert "the other card's vector_store is ignored" in caplog.text
    assert 4 in found(alice, "repair bicycles", mode="vector")


def test_t1_a_resumed_board_is_found_by_meaning(tmp_path: Path) -> None:
    url, team_id = f"sqlite:///{tmp_path}/team.db", uuid4()
    with LocalTeam(store=url, team_id=team_id) as team:
        agent = team.agent("@Alice", cards=[PlanningTool(), HASHING])
        plan(agent)
        settle(team)
        change(agent, delete_tasks=[3])
    with LocalTeam(store=url, team_id=team_id) as team:
        agent = team.agent("@Alice", cards=[PlanningTool(), HASHING])
        settle(team)
        assert list(found(agent, "old bicycles", score_threshold=0.1, mode="vector")) == [4]


def test_the_command_reads_options_and_then_words(alice: LocalAgent) -> None:
    text = alice.dispatch("/search_planning status=started score_threshold=0.2 old bicycles")
    assert text is not None
    assert text.startswith("#3 [started] paint the old bicycle shed | owner: @Bob")
    assert "#4" not in text
    assert (
        alice.dispatch("/search_planning mode=vector score_threshold=1 xyz") == "No task matches."
    )


@pytest.mark.parametrize("section", ["create_tasks", "update_tasks"])
def test_an_owner_of_more_than_300_characters_is_refused(alice: LocalAgent, section: str) -> None:
    def update(owner: str) -> dict[str, object]:
        task = {"id": 1, "owner": owner}
        if section == "create_tasks":
            task |= {"id": 9, "status": "pending", "description": "x"}
        return {section: [task]}

    with pytest.raises(RetryRequested, match=rf"{section}.0.owner") as refused:
        alice.call("update_planning", update=update("@" + "o" * 300))
    assert "ooo" not in str(refused.value)
    change(alice, **update("@" + "o" * 299))


def test_cards_that_were_stored_before_there_was_a_store_load() -> None:
    """As a version without semantic search dumped them."""
    stored = {
        "__model__": "cardwright_cards.planning.card.PlanningTool",
        "search_top_k": 7,
        "get_planning": {
            "__model__": "cardwright_cards.planning.card.GetPlanning",
            "expose": ["llm_context", "command"],
            "filter_by_agent": False,
        },
        "get_planning_task": True,
        "update_planning": False,
        "search_planning": True,
    }
    card = PlanningTool.model_validate(stored, context=stored_context())
    assert (card.search_top_k, card.update_planning, card.vector_store) == (7, False, True)
    assert (card.search_score_threshold, card.hybrid_alpha) == (0.5, 0.7)
