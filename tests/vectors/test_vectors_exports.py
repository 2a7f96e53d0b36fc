"""Each name that decisions.md lists for `cardwright.vectors` is there and means it."""

import pytest
from pydantic import BaseModel

import cardwright.vectors as room
from cardwright.actors import Akgent
from cardwright.vectors import CollectionConfig, VectorStore

MODELS: dict[str, dict[str, object]] = {
    "CollectionConfig": {"persistence": "actor_state", "workspace_path": None, "tenant": None},
    "VectorEntry": {"ref_type": ..., "ref_id": ..., "text": ..., "vector": ...},
    "SearchHit": {"ref_type": ..., "ref_id": ..., "text": ..., "score": ...},
    "SearchResult": {"hits": ..., "status": ..., "indexing_pending": 0},
    "VectorStoreConfig": {
        "embedding_model": "text-embedding-3-small",
        "embedding_provider": "openai",
    },
    "VectorStoreState": {"pending_entries": {}, "collection_configs": {}},
    "EmbeddingRequest": {
        "collection": ...,
        "entries": ...,
        "embedding_model": "text-embedding-3-small",
        "embedding_provider": "openai",
    },
    "EmbeddingResult": {"collection": ..., "entries": ..., "request_id": ...},
    "EmbeddingError": {"collection": ..., "error": ..., "request_id": ...},
}
BACKENDS = ("InMemoryBackend", "WeaviateBackend", "PgVectorBackend")
ACTORS = ("VectorStoreActor", "EmbeddingActor")
HELPERS = ("default_backend", "weaviate_url", "weaviate_api_key", "require_weaviate_configured")


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_fields_and_defaults_of_the_contract(name: str) -> None:
    model = getattr(room, name)
    assert issubclass(model, BaseModel)
    for field, default in MODELS[name].items():
        found = model.model_fields[field]
        assert found.is_required() if default is ... else found.get_default() == default


def test_the_other_names() -> None:
    assert {*MODELS, *BACKENDS, *ACTORS, *HELPERS} <= set(room.__all__)
    assert room.VS_ACTOR_NAME == "#VectorStore"
    assert all(issubclass(getattr(room, name), Akgent) for name in ACTORS)
    names = [name for name in vars(VectorStore) if not name.startswith("_")]
    for backend in BACKENDS:
        assert all(callable(getattr(getattr(room, backend), name)) for name in names)
    assert {"VectorStoreTool", "EmbeddingService", "EmbeddingProvider", "fuse"} <= set(room.__all__)
    assert room.VectorIndex(2).search_cosine([1.0, 0.0], 3) == []


def test_the_helpers_read_the_environment_late(monkeypatch: pytest.MonkeyPatch) -> None:
    in_cluster = CollectionConfig(backend="weaviate")
    monkeypatch.delenv("CARDWRIGHT_WEAVIATE_URL", raising=False)
    room.require_weaviate_configured(CollectionConfig(), "ACard")
    room.require_weaviate_configured(CollectionConfig(backend="pgvector"), "ACard")
    with pytest.raises(ValueError, match=r"ACard .*WEAVIATE_URL .*WEAVIATE_API_KEY.*'inmemory'"):
        room.require_weaviate_configured(in_cluster, "ACard")
    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_URL", "http://localhost:8080")
    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_API_KEY", "k")
    room.require_weaviate_configured(in_cluster, "ACard")
    assert (room.weaviate_url(), room.weaviate_api_key()) == ("http://localhost:8080", "k")
    assert room.default_backend() == "weaviate"
