"""The card and what is checked before anything is made."""

import pytest
from pydantic import ValidationError

from cardwright import LocalTeam
from cardwright.actors import ActorConflictError, Orchestrator
from cardwright.actors.proxies import ask_proxy
from cardwright.vectors import (
    CollectionRecord,
    CollectionStatus,
    SearchResult,
    VectorStoreTool,
    default_backend,
    require_vector_store,
)
from cardwright.vectors.extra import MissingVectorExtraError


def test_case_23_two_names_are_two_stores_one_name_is_one() -> None:
    with LocalTeam() as team:
        agent = team.agent("@A", [VectorStoreTool(), VectorStoreTool(vector_store_name="#Other")])
        team.agent("@B", [VectorStoreTool()])
        members = [it.name for it in ask_proxy(team.orchestrator, Orchestrator).get_team()]
        assert sorted(name for name in members if name.startswith("#")) == [
            "#Other",
            "#VectorStore",
        ]
        assert list(agent.tools) == []


def test_t10_another_model_under_the_same_name_is_refused() -> None:
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool()])
        with pytest.raises(ActorConflictError):
            team.agent("@B", [VectorStoreTool(embedding_provider="hashing")])


def test_case_23_an_unknown_provider_and_t20_a_name_without_hash_are_refused() -> None:
    with pytest.raises(ValidationError):
        VectorStoreTool.model_validate({"embedding_provider": "nobody"})
    with pytest.raises(ValidationError):
        VectorStoreTool(vector_store_name="false")


def test_t18_no_key_is_in_the_configuration() -> None:
    assert set(VectorStoreTool.model_fields) >= {"vector_store_name", "embedding_model"}
    assert not [name for name in VectorStoreTool.model_fields if "key" in name or "url" in name]


def test_case_24_bounds() -> None:
    for dimension in (0, -1):
        with pytest.raises(ValidationError):
            CollectionRecord(dimension=dimension, backend="inmemory")
    with pytest.raises(ValidationError):
        SearchResult(hits=[], status=CollectionStatus.READY, indexing_pending=-1)
    assert [one.value for one in CollectionStatus] == ["ready", "indexing", "error"]


def test_the_environment_decides_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_URL", " ")
    assert default_backend() == "inmemory"
    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_URL", "http://localhost:8080")
    assert default_backend() == "weaviate"


@pytest.mark.parametrize("backend", ["weaviate", "pgvector"])
def test_a_named_server_without_address_is_refused(backend: str) -> None:
    record = CollectionRecord(dimension=3, backend=backend)
    with pytest.raises(ValueError, match=rf"PlanningTool .* {backend}: export CARDWRIGHT_"):
        require_vector_store(record, "PlanningTool")
    require_vector_store(record.model_copy(update={"backend": "inmemory"}), "PlanningTool")
    with pytest.raises(ValueError, match="there are inmemory, usearch, pgvector, weaviate"):
        require_vector_store(record.model_copy(update={"backend": "chroma"}), "PlanningTool")


def test_a_named_server_without_its_library_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_URL", "http://localhost:8080")
    monkeypatch.setitem(sys.modules, "weaviate", None)
    record = CollectionRecord(dimension=3, backend="weaviate")
    with pytest.raises(MissingVectorExtraError, match=r"cardwright\[weaviate\]"):
        require_vector_store(record, "PlanningTool")
