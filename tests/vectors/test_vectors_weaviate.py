"""What is particular to Weaviate, on the local protocol server: never run on a real cluster."""

from typing import TYPE_CHECKING

import pytest

from cardwright.vectors import CollectionRecord, VectorEntry
from cardwright.vectors.identifiers import object_id

if TYPE_CHECKING:
    from tests.vectors.weaviate_server import LocalWeaviate

RECORD = CollectionRecord(dimension=2, backend="weaviate")


def entry(ref_id: str, vector: list[float]) -> VectorEntry:
    return VectorEntry(ref_type="t", ref_id=ref_id, text=ref_id, vector=vector)


def test_case_25_distance_becomes_a_score_that_is_never_negative(weaviate: "LocalWeaviate") -> None:
    from cardwright.vectors import WeaviateBackend

    store = WeaviateBackend(weaviate.url, team_id="team-1")
    store.create_collection("c", RECORD)
    store.add("c", [entry("near", [0.8, 0.6]), entry("far", [-0.5, 0.75**0.5])])
    assert [hit.score for hit in store.search("c", [1, 0], 5)] == [0.8, 0.0]


def test_t17_no_distance_is_no_perfect_hit(weaviate: "LocalWeaviate") -> None:
    from cardwright.vectors import WeaviateBackend

    store = WeaviateBackend(weaviate.url, team_id="team-1")
    store.create_collection("c", RECORD)
    store.add("c", [entry("same", [1, 0])])
    assert store.search("c", [1, 0], 1)[0].score == 1.0  # a distance of 0
    weaviate.cluster.without_distance = True
    assert store.search("c", [1, 0], 1)[0].score == 0.0


@pytest.mark.parametrize("where", ["constructor", "collection"])
def test_case_25_a_tenant_is_created_and_used_everywhere(
    weaviate: "LocalWeaviate", where: str
) -> None:
    from cardwright.vectors import WeaviateBackend

    made = {"tenant": "north"} if where == "constructor" else {}
    store = WeaviateBackend(weaviate.url, team_id="team-1", **made)
    record = RECORD if made else RECORD.model_copy(update={"tenant": "north"})
    store.create_collection("c", record)
    store.add("c", [entry("a", [1, 0])])
    assert store.search("c", [1, 0], 1)[0].ref_id == "a"
    stored = weaviate.cluster.classes["C"]
    assert stored.has_tenants
    assert list(stored.parts["north"]) == [str(object_id("team-1", "c", "a", "north"))]
    store.remove("c", ["a"])
    assert store.texts("c") == {}


def test_a_team_is_deleted_in_all_tenants(weaviate: "LocalWeaviate") -> None:
    from cardwright.vectors import WeaviateBackend

    for tenant, team in (("north", "team-1"), ("south", "team-1"), ("south", "team-2")):
        store = WeaviateBackend(weaviate.url, tenant=tenant, team_id=team)
        store.create_collection("c", RECORD)
        store.add("c", [entry("a", [1, 0])])
    sweeper = WeaviateBackend(weaviate.url, team_id="nobody")
    assert sweeper.teams() == {"team-1", "team-2"}
    assert sweeper.delete_team("team-1") == 2
    assert sweeper.teams() == {"team-2"}


def test_case_25_the_connection_follows_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardwright.vectors import WeaviateBackend

    asked: list[dict[str, object]] = []

    def connect(**options: object) -> None:
        asked.append(options)
        raise OSError("not there")

    monkeypatch.setattr("weaviate.connect_to_custom", connect)
    for url in ("https://weaviate.example.org", "http://localhost", "http://localhost:99"):
        with pytest.raises(ConnectionError, match="cannot be reached"):
            WeaviateBackend(url, team_id="team-1").create_collection("c", RECORD)
    facts = ("http_host", "http_port", "http_secure", "grpc_host", "grpc_port", "grpc_secure")
    assert [tuple(options[fact] for fact in facts) for options in asked] == [
        ("weaviate.example.org", 443, True, "weaviate.example.org", 50051, True),
        ("localhost", 8080, False, "localhost", 50051, False),
        ("localhost", 99, False, "localhost", 50051, False),
    ]
    with pytest.raises(ConnectionError, match="a moment ago"):  # T19: a dead one is not retried
        WeaviateBackend("http://localhost", team_id="team-1").create_collection("c", RECORD)
    assert len(asked) == 3


@pytest.mark.parametrize("url", ["weaviate.example.org:8080", "", "ftp://host", "http://"])
def test_t17_an_address_without_scheme_or_host_is_refused(url: str) -> None:
    from cardwright.vectors import WeaviateBackend

    with pytest.raises(ValueError, match="CARDWRIGHT_WEAVIATE_URL must be an address"):
        WeaviateBackend(url, team_id="team-1")


def test_a_backend_without_team_is_refused(weaviate: "LocalWeaviate") -> None:
    from cardwright.vectors import WeaviateBackend

    with pytest.raises(ValueError, match="team_id is empty"):
        WeaviateBackend(weaviate.url)
