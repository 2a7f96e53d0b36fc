"""The store actor: routing, pending texts, failures."""

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Thread

import pytest
from tests.vectors.embedding_server import EmbeddingServer
from tests.vectors.store_team import COLLECTION, StoreTeam, entries, until

from cardwright import LocalTeam, RetriableError
from cardwright.vectors import (
    CollectionRecord,
    CollectionStatus,
    TextEntry,
    VectorClient,
    VectorEntry,
    VectorStoreTool,
    find_store,
    forget_team,
)
from cardwright.vectors.backends import team_file
from cardwright.vectors.memory import InMemoryBackend

HASHED = CollectionRecord(dimension=256, backend="inmemory")
WIDE = CollectionRecord(dimension=1536, backend="inmemory")
HERE = [1.0] + [0.0] * 255


@pytest.fixture
def hashing() -> Iterator[StoreTeam]:
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool(embedding_provider="hashing")])
        yield StoreTeam(team)


@pytest.fixture
def remote(embedding_server: EmbeddingServer) -> Iterator[StoreTeam]:
    """A store whose embedding model is the loopback server."""
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool()])
        yield StoreTeam(team)
        embedding_server.gate.set()


def made(ref_id: str, vector: Sequence[float] = HERE) -> VectorEntry:
    return VectorEntry(ref_type="thing", ref_id=ref_id, text=ref_id, vector=list(vector))


def test_case_1_a_fresh_store_is_empty(hashing: StoreTeam) -> None:
    state = hashing.store.state
    assert state.collection_configs == {}
    assert state.pending_entries == {}


def test_case_5_a_missing_collection_is_a_retry(hashing: StoreTeam) -> None:
    for use in (
        lambda: hashing.store.add("nowhere", [made("a")]),
        lambda: hashing.store.remove("nowhere", ["a"]),
        lambda: hashing.store.search("nowhere", HERE, 1),
        lambda: hashing.store.put_texts("nowhere", entries(1)),  # T14: before anything is spawned
    ):
        with pytest.raises(RetriableError, match="'nowhere' does not exist"):
            use()


def test_case_4_and_6_vectors_are_put_at_once_and_nothing_is_nothing(hashing: StoreTeam) -> None:
    hashing.client(HASHED)
    hashing.store.add(COLLECTION, [])
    hashing.store.add("nowhere", [])
    hashing.store.add(COLLECTION, [made("a")])
    result = hashing.store.search(COLLECTION, HERE, 3)
    assert [hit.ref_id for hit in result.hits] == ["a"]
    assert result.status is CollectionStatus.READY


def test_case_7_8_10_13_texts_wait_while_vectors_are_there(
    remote: StoreTeam, embedding_server: EmbeddingServer
) -> None:
    embedding_server.free = 0
    embedding_server.gate.clear()
    remote.client(WIDE)
    near = [1.0] + [0.0] * 1535
    remote.store.add(COLLECTION, [made("there", near), made("later", []), made("too", [])])
    result = remote.store.search(COLLECTION, near, 9)
    assert [hit.ref_id for hit in result.hits] == ["there"]
    assert (result.status, result.indexing_pending) == (CollectionStatus.INDEXING, 2)
    embedding_server.gate.set()
    remote.wait()
    result = remote.store.search(COLLECTION, near, 9)
    assert (result.status, result.indexing_pending, len(result.hits)) == ("ready", 0, 3)


def test_case_9_12_a_failed_batch_is_an_error_until_the_next_change(
    remote: StoreTeam, embedding_server: EmbeddingServer
) -> None:
    embedding_server.faults.extend([400] * 5)  # the batch, its halves, their halves
    client = remote.client(WIDE)
    client.put(entries(3))
    query = [1.0] + [0.0] * 1535

    def status() -> CollectionStatus:
        return remote.store.search(COLLECTION, query, 9).status

    until(lambda: status() is CollectionStatus.ERROR)
    assert remote.store.search(COLLECTION, query, 9).indexing_pending == 0
    client.put([TextEntry("thing", "new", "a new text")])  # nothing was lost: all go together
    until(lambda: status() is CollectionStatus.READY)
    assert len(remote.store.search(COLLECTION, query, 9).hits) == 4


def test_a_refused_text_is_set_aside_alone_with_the_reason(
    remote: StoreTeam, embedding_server: EmbeddingServer, caplog: pytest.LogCaptureFixture
) -> None:
    embedding_server.unwanted = "poison"
    client = remote.client(WIDE)
    client.put([*entries(90), TextEntry("thing", "bad", "poison here"), *entries(120)[90:]])
    query = client.service.embed_query("text number 91")

    def found() -> int:
        return len(remote.store.search(COLLECTION, query, 500).hits)

    until(lambda: found() == 120)
    (aside,) = remote.store.state.pending_entries.values()
    assert (aside.ref_id, aside.failed) == ("bad", True)
    assert "input is not acceptable" in aside.refused
    assert "the text of 'bad' in 'things' is not searched by meaning" in caplog.text
    assert len(embedding_server.requests) <= 2 + 2 * 7
    asked = len(embedding_server.requests)
    client.put([TextEntry("thing", "other", "another text")])
    until(lambda: found() == 121)
    assert len(embedding_server.requests) == asked + 1  # the refused one was not sent again
    client.put([TextEntry("thing", "bad", "no longer bad")])
    remote.wait()
    assert found() == 122


def test_many_small_requests_go_together(
    remote: StoreTeam, embedding_server: EmbeddingServer
) -> None:
    embedding_server.free = 0
    embedding_server.gate.clear()
    client = remote.client(WIDE)
    for entry in entries(200):
        client.put([entry])
    until(lambda: remote.pending() == 200)
    embedding_server.gate.set()
    remote.wait()
    assert sorted(embedding_server.texts) == sorted(entry.text for entry in entries(200))
    assert len(embedding_server.requests) <= 5


def test_t9_a_newer_text_wins_over_one_that_is_being_embedded(
    remote: StoreTeam, embedding_server: EmbeddingServer
) -> None:
    embedding_server.free = 0
    embedding_server.gate.clear()
    client = remote.client(WIDE)
    client.put([TextEntry("thing", "1", "old"), TextEntry("thing", "2", "gone")])
    until(lambda: len(embedding_server.requests) == 1)
    client.put([TextEntry("thing", "1", "new")])
    client.remove(["2"])
    embedding_server.gate.set()
    remote.wait()
    hits = remote.store.search(COLLECTION, client.service.embed_query("new"), 9).hits
    assert [(hit.ref_id, hit.text, hit.score) for hit in hits] == [("1", "new", 1.0)]


def test_the_same_text_is_not_embedded_again_a_blank_one_never(
    remote: StoreTeam, embedding_server: EmbeddingServer
) -> None:
    client = remote.client(WIDE)
    client.put(entries(5))
    remote.wait()
    client.put([*entries(5), TextEntry("thing", "blank", "  ")])
    client.put([TextEntry("thing", "3", "   ")])
    client.sync([*entries(3), TextEntry("thing", "9", "ninth")])
    remote.wait()
    until(lambda: len(embedding_server.texts) == 6)
    assert sorted(client.semantic_scores("ninth", 9, threshold=-1)) == ["0", "1", "2", "9"]


def test_t8_a_hanging_model_does_not_hold_the_store_up(
    remote: StoreTeam, embedding_server: EmbeddingServer
) -> None:
    embedding_server.free = 0
    embedding_server.gate.clear()
    client = remote.client(WIDE)
    client.put(entries(10))
    until(lambda: len(embedding_server.requests) == 1)
    vector = [0.5] * 1536
    for n in range(20):
        remote.store.add(COLLECTION, [made(f"x{n}", vector)])
    assert len(remote.store.search(COLLECTION, vector, 50).hits) == 20


def test_t14_a_worker_that_vanishes_leaves_an_error_and_no_stuck_collection(
    remote: StoreTeam, embedding_server: EmbeddingServer
) -> None:
    embedding_server.short = True
    client = remote.client(WIDE)
    client.put(entries(2))
    query = [1.0] + [0.0] * 1535
    until(lambda: remote.store.search(COLLECTION, query, 1).status is CollectionStatus.ERROR)
    embedding_server.short = False
    client.put(entries(3))
    remote.wait()


def test_case_2_and_t10_another_configuration_is_refused(hashing: StoreTeam) -> None:
    hashing.client(HASHED)
    hashing.client(HASHED)
    other = HASHED.model_copy(update={"persistence": "workspace", "workspace_path": "elsewhere"})
    with pytest.raises(ValueError, match="persistence is 'actor_state', not 'workspace'"):
        hashing.store.create_collection(COLLECTION, other)
    with pytest.raises(ValueError, match="vectors of 256 numbers: dimension cannot be 3"):
        hashing.store.create_collection("wrong", HASHED.model_copy(update={"dimension": 3}))


def test_case_3_16_and_t5_a_backend_without_address_refuses_and_records_nothing(
    hashing: StoreTeam, caplog: pytest.LogCaptureFixture
) -> None:
    record = HASHED.model_copy(update={"backend": "weaviate"})
    with pytest.raises(ValueError, match="CARDWRIGHT_WEAVIATE_URL"):
        hashing.store.create_collection(COLLECTION, record)
    assert hashing.store.state.collection_configs == {}
    assert VectorClient.open(hashing.address, COLLECTION, record) is None
    assert "no semantic search in 'things'" in caplog.text


def test_case_15_and_t13_a_servers_collection_goes_there_with_its_late_vectors(
    hashing: StoreTeam, pgvector_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", pgvector_url)
    client = hashing.client(HASHED.model_copy(update={"backend": "pgvector"}))
    client.put(entries(30))
    hashing.wait()
    assert next(iter(client.semantic_scores("text number 7", 3))) == "7"
    import psycopg

    with psycopg.connect(pgvector_url) as connection:
        rows = connection.execute("SELECT count(*) FROM cardwright_vector").fetchall()
    assert rows == [(30,)]


def test_t8_a_slow_database_holds_a_search_up_for_a_bounded_time(
    hashing: StoreTeam, pgvector_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", pgvector_url)
    monkeypatch.setattr("cardwright.vectors.pgvector_backend._STATEMENT_MS", 300)
    client = hashing.client(HASHED.model_copy(update={"backend": "pgvector"}))
    client.put(entries(3))
    hashing.wait()
    import psycopg

    with psycopg.connect(pgvector_url) as other:
        other.execute("LOCK TABLE cardwright_vector")  # until the end of this transaction
        assert hashing.store.search(COLLECTION, HERE, 3).hits == []
    assert len(hashing.store.search(COLLECTION, HERE, 3).hits) == 3  # the same connection goes on


def test_case_19_a_workspace_collection_is_found_again_by_its_team(tmp_path: Path) -> None:
    record = HASHED.model_copy(
        update={"persistence": "workspace", "workspace_path": str(tmp_path / "work")}
    )
    first, second = InMemoryBackend("team-1"), InMemoryBackend("team-1")
    first.create_collection("odd/../name", record)  # T23: names are no paths
    first.add("odd/../name", [made("a")])
    second.create_collection("odd/../name", record)
    assert second.search("odd/../name", HERE, 1)[0].ref_id == "a"
    assert [path.name for path in (tmp_path / "work").iterdir()] == [".vector_store"]
    first.close()
    second.close()


def test_the_file_of_a_team_that_is_gone_is_deleted(hashing: StoreTeam) -> None:
    client = hashing.client(HASHED)
    client.put(entries(3))
    hashing.wait()
    team_id = str(hashing.team.team_id)
    assert team_file(team_id).exists()
    hashing.team.stop()
    assert forget_team(team_id)
    assert list(team_file(team_id).parent.iterdir()) == []
    assert not forget_team(team_id)


def test_eight_writers_of_one_collection(hashing: StoreTeam) -> None:
    client = hashing.client(HASHED)

    def write(writer: int) -> None:
        mine = [TextEntry("thing", f"{writer}-{n}", f"writer {writer} text {n}") for n in range(60)]
        for entry in mine:
            client.put([entry])
        client.remove([entry.ref_id for entry in mine[::2]])

    threads = [Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hashing.wait()
    assert len(client.semantic_scores("writer text", 480, threshold=-1)) == 8 * 30


def test_case_35_semantic_scores_never_raise_and_ask_nothing_without_a_query(
    hashing: StoreTeam, caplog: pytest.LogCaptureFixture
) -> None:
    client = hashing.client(HASHED)
    client.put(entries(30))
    hashing.wait()
    assert client.semantic_scores("  ", 5) == {}
    assert client.semantic_scores("text", 5, allowed=[]) == {}
    assert len(client.semantic_scores("text number", 5, threshold=-1)) == 10  # overfetched
    assert next(iter(client.semantic_scores("text number 4", 5, allowed=["4", "9"]))) == "4"
    assert client.semantic_scores("text", 5, threshold=0.99) == {}
    ids = client.semantic_scores("text number 4", 5, ref_types=["other"])
    assert ids == {}
    lost = VectorClient(hashing.address, "nowhere", client.service)
    assert lost.semantic_scores("text", 5) == {}
    assert "no semantic hits in 'nowhere'" in caplog.text
    hashing.team.stop()
    assert client.semantic_scores("other text", 5) == {}
    client.put(entries(1))
    client.remove(["1"])


class Lonely:
    orchestrator = None


def test_case_38_the_store_is_optional_unless_it_is_named(
    hashing: StoreTeam, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        assert find_store(Lonely(), False, needed_by="PlanningTool") is None
        assert caplog.text == ""
        assert find_store(Lonely(), True, needed_by="PlanningTool") is None
    assert caplog.text.count("PlanningTool searches by keywords only") == 1
    with pytest.raises(RuntimeError, match=r"PlanningTool needs .*'#Other'.*VectorStoreTool"):
        find_store(Lonely(), "#Other", needed_by="PlanningTool")
