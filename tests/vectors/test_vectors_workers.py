"""Workers that embed, and what becomes of their results."""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from tests.vectors.embedding_server import EmbeddingServer
from tests.vectors.store_team import COLLECTION, StoreTeam, entries, until

from cardwright import LocalTeam
from cardwright.actors import ActorAddress, ActorSystem, Akgent, BaseConfig, Orchestrator
from cardwright.actors.proxies import ask_proxy
from cardwright.vectors import (
    CollectionRecord,
    CollectionStatus,
    EmbeddingActor,
    EmbeddingError,
    EmbeddingRequest,
    EmbeddingResult,
    VectorStoreTool,
    weaviate_url,
)
from cardwright.vectors.memory import WORKSPACE_FILE, InMemoryBackend
from cardwright.vectors.models import PendingEntry

RECORD = CollectionRecord(dimension=256, backend="inmemory")
HERE = [1.0] + [0.0] * 255


@pytest.fixture
def hashing() -> Iterator[StoreTeam]:
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool(embedding_provider="hashing")])
        yield StoreTeam(team)


class Parent(Akgent):
    """Has workers, and keeps what they tell."""

    told: ClassVar[list[object]] = []

    def employ(self, request: EmbeddingRequest) -> ActorAddress:
        worker = self.createActor(EmbeddingActor, config=BaseConfig(name="#embed-x"))
        worker.tell(request)
        return worker

    def receiveMsg_EmbeddingResult(self, result: EmbeddingResult) -> None:
        self.told.append(result)

    def receiveMsg_EmbeddingError(self, error: EmbeddingError) -> None:
        self.told.append(error)


def request(provider: str, *texts: str) -> EmbeddingRequest:
    rows = [
        PendingEntry(collection="c", ref_type="t", ref_id=str(at), text=text)
        for at, text in enumerate(texts)
    ]
    return EmbeddingRequest(
        collection="c", entries=rows, request_id="r-1", embedding_provider=provider
    )


@pytest.fixture
def system() -> Iterator[ActorSystem]:
    Parent.told.clear()
    system = ActorSystem()
    yield system
    system.shutdown()


def test_case_21_a_worker_keeps_order_and_request_and_stops(system: ActorSystem) -> None:
    parent = ask_proxy(system.createActor(Parent), Parent)
    worker = parent.employ(request("hashing", "b", "a", "c"))
    until(lambda: not worker.is_alive())
    until(lambda: len(Parent.told) == 1)
    (result,) = Parent.told
    assert isinstance(result, EmbeddingResult)
    assert result.request_id == "r-1"
    assert [(it.ref_id, it.text) for it in result.entries] == [("0", "b"), ("1", "a"), ("2", "c")]


def test_case_21_a_failure_is_told_with_its_text_and_the_worker_stops(
    system: ActorSystem, embedding_server: EmbeddingServer
) -> None:
    embedding_server.faults.extend([401] * 9)
    parent = ask_proxy(system.createActor(Parent), Parent)
    worker = parent.employ(request("openai", "a"))
    until(lambda: not worker.is_alive())
    until(lambda: len(Parent.told) == 1)
    (error,) = Parent.told
    assert isinstance(error, EmbeddingError)
    assert (error.request_id, error.collection) == ("r-1", "c")
    assert "401" in error.error


def test_case_21_a_worker_without_parent_only_logs(
    system: ActorSystem, caplog: pytest.LogCaptureFixture
) -> None:
    worker = system.createActor(EmbeddingActor)
    worker.tell(request("hashing", "a"))
    until(lambda: not worker.is_alive())
    assert "has no store to tell its result" in caplog.text


def test_case_11_a_result_that_cannot_be_stored_is_an_error_and_is_not_stuck(
    hashing: StoreTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashing.client(RECORD)
    add = InMemoryBackend.add

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(InMemoryBackend, "add", full)
    hashing.store.put_texts(COLLECTION, entries(3))

    def result() -> tuple[CollectionStatus, int]:
        found = hashing.store.search(COLLECTION, HERE, 9)
        return found.status, found.indexing_pending

    until(lambda: result() == (CollectionStatus.ERROR, 0))
    monkeypatch.setattr(InMemoryBackend, "add", add)
    hashing.store.put_texts(COLLECTION, entries(4))  # decided: set aside until the next change
    until(lambda: len(hashing.store.search(COLLECTION, HERE, 9).hits) == 4)
    assert result() == (CollectionStatus.READY, 0)


def test_t19_workers_are_gone_with_their_work(hashing: StoreTeam) -> None:
    client = hashing.client(RECORD)
    for entry in entries(300):
        client.put([entry])
    hashing.wait()
    root = ask_proxy(hashing.team.orchestrator, Orchestrator)
    until(lambda: not [it for it in root.get_team() if it.name.startswith("#embed")])


def test_t19_nothing_to_remove_and_an_empty_address_ask_no_server(
    hashing: StoreTeam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_URL", "")
    assert weaviate_url() is None
    hashing.store.remove("nowhere", [])
    assert hashing.store.state.collection_configs == {}


def test_case_19_and_t23_a_workspace_is_one_file_that_follows_every_change(tmp_path: Path) -> None:
    where = {"persistence": "workspace", "workspace_path": str(tmp_path)}
    record = RECORD.model_copy(update=where)
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool(embedding_provider="hashing")])
        only = StoreTeam(team)
        only.store.create_collection("../odd \0 name", record)
        only.store.put_texts("../odd \0 name", entries(5))
        until(lambda: len(only.store.search("../odd \0 name", HERE, 9).hits) == 5)
        only.store.remove("../odd \0 name", ["1"])
        before = only.store.search("../odd \0 name", HERE, 9)
        # Opening it again reads nothing and drops nothing.
        only.store.create_collection("../odd \0 name", record)
        assert only.store.search("../odd \0 name", HERE, 9) == before
        again = InMemoryBackend(str(team.team_id))
        again.create_collection("../odd \0 name", record)
        assert again.search("../odd \0 name", HERE, 9) == before.hits
        again.close()
    files = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {tmp_path / WORKSPACE_FILE}
    empty = InMemoryBackend(str(team.team_id))
    other = record.model_copy(update={"workspace_path": str(tmp_path / "elsewhere")})
    empty.create_collection("../odd \0 name", other)
    assert empty.texts("../odd \0 name") == {}
    empty.close()
