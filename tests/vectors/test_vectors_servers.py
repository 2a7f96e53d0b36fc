"""A server that is slow, hangs, dies or comes back: the store goes on, in order."""

import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from threading import Thread
from time import monotonic

import psycopg
import pytest
from tests.store.store_server import Server
from tests.vectors.embedding_server import EmbeddingServer
from tests.vectors.store_team import COLLECTION, StoreTeam, entries, until

from cardwright import LocalTeam, RetriableError
from cardwright.actors import ActorDeadError
from cardwright.actors.proxies import ask_proxy, tell_proxy
from cardwright.vectors import (
    CollectionRecord,
    CollectionStatus,
    TextEntry,
    VectorEntry,
    VectorStoreActor,
    VectorStoreTool,
)

HERE = [1.0] + [0.0] * 255
MEMORY = CollectionRecord(dimension=256, backend="inmemory")
SERVER = CollectionRecord(dimension=256, backend="pgvector")


def made(ref_id: str, vector: Sequence[float] = HERE) -> VectorEntry:
    return VectorEntry(ref_type="thing", ref_id=ref_id, text=ref_id, vector=list(vector))


@pytest.fixture
def hashing() -> Iterator[StoreTeam]:
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool(embedding_provider="hashing")])
        yield StoreTeam(team)


@pytest.fixture
def stored(hashing: StoreTeam, pgvector_url: str, monkeypatch: pytest.MonkeyPatch) -> StoreTeam:
    """A store with a collection in memory and one on the server."""
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", pgvector_url)
    hashing.store.create_collection("memory", MEMORY)
    hashing.client(SERVER)
    return hashing


@pytest.fixture
def mute(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that accepts connections and never says a word."""
    monkeypatch.setattr("cardwright.vectors.actor._DRAIN_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"postgresql://nobody@127.0.0.1:{server.getsockname()[1]}/none"
        monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", url)
        yield url


def in_background(team: StoreTeam, method: str, *arguments: object) -> list[object]:
    """Call the store on another thread; what comes of it is in the list."""
    came: list[object] = []

    def call() -> None:
        try:
            came.append(getattr(ask_proxy(team.address, VectorStoreActor), method)(*arguments))
        except Exception as error:  # noqa: BLE001 - looked at by the test
            came.append(error)

    Thread(target=call, daemon=True).start()
    return came


def test_a_server_that_never_answers_holds_up_nobody_else(hashing: StoreTeam, mute: str) -> None:
    del mute
    hashing.store.create_collection("memory", MEMORY)
    tell = tell_proxy(hashing.address, VectorStoreActor)
    creation = in_background(hashing, "create_collection", COLLECTION, SERVER)
    tell.put_texts("memory", entries(3))
    until(lambda: len(hashing.store.search("memory", HERE, 9).hits) == 3)
    assert COLLECTION not in hashing.store.state.collection_configs  # a status query
    addition = in_background(hashing, "add", COLLECTION, [made("a")])
    assert (creation, addition) == ([], [])
    hashing.team.stop()  # does not wait for the server
    until(lambda: len(creation) == len(addition) == 1)
    assert isinstance(creation[0], ActorDeadError)
    assert isinstance(addition[0], ActorDeadError)


def test_a_server_that_never_answers_is_an_error_in_time_and_then_at_once(
    hashing: StoreTeam, mute: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    del mute
    monkeypatch.setattr("cardwright.vectors.pgvector_backend._CONNECT_S", 2)
    monkeypatch.setattr("cardwright.vectors.pgvector_backend._SLOW_S", 1)
    with pytest.raises(ConnectionError, match="does not answer"):
        hashing.store.create_collection(COLLECTION, SERVER)
    with pytest.raises(ConnectionError, match="a moment ago"):  # T19
        hashing.store.create_collection(COLLECTION, SERVER)
    with pytest.raises(RetriableError, match="does not exist"):
        hashing.store.put_texts(COLLECTION, entries(1))


def test_t8_a_lock_in_the_database_holds_up_its_collection_alone(
    stored: StoreTeam, pgvector_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored.store.add(COLLECTION, [made("a")])
    tell = tell_proxy(stored.address, VectorStoreActor)
    with psycopg.connect(pgvector_url) as other:
        other.execute("LOCK TABLE cardwright_vector")  # until the end of this transaction
        tell.add(COLLECTION, [made("b")])
        tell.remove(COLLECTION, ["a"])
        found = in_background(stored, "search", COLLECTION, HERE, 9)
        stored.store.add("memory", [made("m")])
        assert [hit.ref_id for hit in stored.store.search("memory", HERE, 9).hits] == ["m"]
        assert stored.pending() == 0
        assert found == []
    until(lambda: len(found) == 1)
    assert [hit.ref_id for hit in found[0].hits] == ["b"]  # type: ignore[attr-defined] # a result


def test_each_caller_sees_what_it_did_before(stored: StoreTeam) -> None:
    tell = tell_proxy(stored.address, VectorStoreActor)
    for n in range(30):
        tell.add(COLLECTION, [made(f"x{n}")])
        tell.remove(COLLECTION, [f"x{n - 1}"])
        assert [hit.ref_id for hit in stored.store.search(COLLECTION, HERE, 9).hits] == [f"x{n}"]
    tell.put_texts(COLLECTION, [TextEntry("thing", "x29", "another text")])
    tell.remove(COLLECTION, ["x29"])
    stored.wait()
    assert stored.store.search(COLLECTION, HERE, 9).hits == []


def test_texts_that_wait_for_a_server_wait_together_and_the_rest_is_bounded(
    stored: StoreTeam, pgvector_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardwright.vectors.lane.MAX_WAITING", 20)
    tell = tell_proxy(stored.address, VectorStoreActor)
    with psycopg.connect(pgvector_url) as other:
        other.execute("LOCK TABLE cardwright_vector")
        for entry in entries(200):
            tell.put_texts(COLLECTION, [entry])
        for n in range(18):
            tell.remove(COLLECTION, [f"nobody-{n}"])
        for _ in range(5):
            tell.remove(COLLECTION, ["nobody"])
        with pytest.raises(RetriableError, match=r"20 operations wait for pgvector.*try again"):
            stored.store.add(COLLECTION, [made("late")])
        assert stored.store.search("memory", HERE, 1).hits == []

    def found() -> int:
        with suppress(RetriableError):
            return len(stored.store.search(COLLECTION, HERE, 500).hits)
        return 0

    until(lambda: found() == 200)


def test_a_wrong_vector_is_the_same_answer_as_in_memory(stored: StoreTeam) -> None:
    for name in ("memory", COLLECTION):
        with pytest.raises(RetriableError, match="256 numbers, not 2"):
            stored.store.add(name, [made("a"), made("b", [1.0, 0.0])])
        with pytest.raises(RetriableError, match="top_k"):
            stored.store.search(name, HERE, 0)
        with pytest.raises(RetriableError, match="not finite"):
            stored.store.add(name, [made("a", [float("inf")] + [0.0] * 255)])
        assert stored.store.search(name, HERE, 9).hits == []


def test_a_frozen_server_is_cut_off_and_found_again(
    stored: StoreTeam, pgvector_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps no limit of its own: every process of it is stopped."""
    monkeypatch.setattr("cardwright.vectors.pgvector_backend._CALL_S", 0.5)
    monkeypatch.setattr("cardwright.vectors.pgvector_backend._SLOW_S", 0.3)
    monkeypatch.setattr("cardwright.vectors.pgvector_backend._DEAD_S", 0.2)
    stored.store.add(COLLECTION, [made("a")])
    frozen = pgvector_server.freeze()
    try:
        began = monotonic()
        assert stored.store.search(COLLECTION, HERE, 9).hits == []
        assert monotonic() - began < 10
    finally:
        pgvector_server.thaw(frozen)
    until(lambda: len(stored.store.search(COLLECTION, HERE, 9).hits) == 1)


def test_a_server_that_restarts_loses_nothing_and_nothing_is_embedded_twice(
    pgvector_server: Server,
    pgvector_url: str,
    embedding_server: EmbeddingServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CARDWRIGHT_PGVECTOR_URL", pgvector_url)
    record = CollectionRecord(dimension=1536, backend="pgvector")
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool()])
        remote = StoreTeam(team)
        client = remote.client(record)
        client.put(entries(20))
        remote.wait()
        pgvector_server.stop(signal.SIGQUIT)
        client.put(entries(40))  # whether the first 20 are there cannot be seen
        until(lambda: remote.pending() == 40)
        status = remote.store.search(COLLECTION, [1.0] * 1536, 1).status
        assert status is CollectionStatus.ERROR
        pgvector_server.start()
        client.put([TextEntry("thing", "new", "a new text")])
        until(lambda: len(client.semantic_scores("text", 50, threshold=-1)) == 41)
        assert embedding_server.texts.count("text number 3") == 1
        assert embedding_server.texts.count("text number 33") == 1


def test_what_was_begun_is_finished_before_the_team_has_stopped(
    stored: StoreTeam, pgvector_url: str
) -> None:
    tell = tell_proxy(stored.address, VectorStoreActor)
    for n in range(50):
        tell.add(COLLECTION, [made(str(n))])
    stored.team.stop()
    with psycopg.connect(pgvector_url) as connection:
        assert connection.execute("SELECT count(*) FROM cardwright_vector").fetchall() == [(50,)]
