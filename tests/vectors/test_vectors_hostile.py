"""Names, ids, texts and vectors that mean harm, and two processes on one file."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.vectors.conftest import OpenStore
from tests.vectors.store_team import COLLECTION, StoreTeam, entries, until
from tests.vectors.weaviate_server import LocalWeaviate

from cardwright import LocalTeam, RetriableError
from cardwright.vectors import (
    CollectionRecord,
    TextEntry,
    VectorEntry,
    VectorStoreTool,
    WeaviateBackend,
    embedding_service,
)
from cardwright.vectors.embedding.providers import EmbeddingProvider, Kind
from cardwright.vectors.memory import InMemoryBackend

HOSTILE = (
    "x'; DROP TABLE cardwright_vector; --",
    '{"a": 1} ") { id } } #',
    "%_\\",
    "a/b\n*",
    "名前 🜚",
    "x" * 3000,
)
RECORD = CollectionRecord(dimension=2, backend="inmemory")


def entry(ref_id: str, text: str = "text", vector: Sequence[float] = (1.0, 0.0)) -> VectorEntry:
    return VectorEntry(ref_type="thing", ref_id=ref_id, text=text, vector=list(vector))


def test_hostile_ids_texts_and_teams_are_only_texts(open_store: OpenStore, backend: str) -> None:
    team = 'o\'team "1" } --'
    store, other = open_store(team), open_store("other")
    record = RECORD.model_copy(update={"backend": backend})
    for one in (store, other):
        one.create_collection("c", record)
        one.add("c", [entry(text, text) for text in HOSTILE])
    assert sorted(store.texts("c")) == sorted(HOSTILE)
    for text in HOSTILE:
        (hit,) = store.search("c", [1, 0], 9, allowed=[text])
        assert (hit.ref_id, hit.text) == (text, text)
    assert store.search("c", [1, 0], 9, ref_types=HOSTILE) == []
    store.remove("c", HOSTILE[:2])
    assert sorted(store.texts("c")) == sorted(HOSTILE[2:])
    assert store.delete_team(HOSTILE[0]) == 0
    assert store.delete_team(team) == len(HOSTILE) - 2
    assert len(other.texts("c")) == len(HOSTILE)


@pytest.mark.parametrize("name", HOSTILE[:-1])
def test_a_hostile_name_of_a_collection_is_a_name_or_refused(
    open_store: OpenStore, backend: str, name: str
) -> None:
    store = open_store()
    record = RECORD.model_copy(update={"backend": backend})
    if backend == "weaviate":
        with pytest.raises(ValueError, match="letters, digits and _"):
            store.create_collection(name, record)
        return
    store.create_collection(name, record)
    store.create_collection("c", record)
    store.add(name, [entry("a")])
    assert [hit.ref_id for hit in store.search(name, [1, 0], 9)] == ["a"]
    assert store.texts("c") == {}
    assert store.list_collections() == sorted(["c", name])


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"])
def test_what_is_no_text_refuses_the_batch_on_every_backend(
    open_store: OpenStore, backend: str, bad: str
) -> None:
    store = open_store()
    store.create_collection("c", RECORD.model_copy(update={"backend": backend}))
    wrong = VectorEntry.model_construct(ref_type="t", ref_id="b", text=bad, vector=[1.0, 0.0])
    with pytest.raises(ValueError, match=r"'b'.*text"):
        store.add("c", [entry("a"), wrong])
    with pytest.raises(ValueError, match="text"):
        store.add("c", [entry("a"), wrong.model_copy(update={"ref_id": bad, "text": "t"})])
    assert store.texts("c") == {}


def test_names_that_weaviate_takes_for_one_are_refused(weaviate: LocalWeaviate) -> None:
    store = WeaviateBackend(weaviate.url, team_id="team-1")
    record = RECORD.model_copy(update={"backend": "weaviate"})
    store.create_collection("notes", record)
    with pytest.raises(ValueError, match=r"'Notes'.* 'notes'"):
        store.create_collection("Notes", record)
    WeaviateBackend(weaviate.url, team_id="team-2").create_collection("notes", record)


@pytest.fixture
def hashing() -> Iterator[StoreTeam]:
    with LocalTeam() as team:
        team.agent("@A", [VectorStoreTool(embedding_provider="hashing")])
        yield StoreTeam(team)


def test_a_huge_text_and_one_with_a_zero_are_found_like_others(hashing: StoreTeam) -> None:
    client = hashing.client(CollectionRecord(dimension=256, backend="inmemory"))
    client.put([*entries(3), TextEntry("thing", "huge", "violin " * 300_000)])
    client.put([TextEntry("thing", "zero", "tea\0pot")])
    hashing.wait()
    assert next(iter(client.semantic_scores("violin", 1))) == "huge"
    assert "zero" in client.semantic_scores("tea pot", 9, threshold=-1)
    state = hashing.store.state
    client.put([TextEntry("thing", "zero", "tea\0pot")])  # known: nothing is to be done
    hashing.wait()
    assert state.pending_entries == {}
    with pytest.raises(RetriableError, match="no text"):
        hashing.store.put_texts(COLLECTION, [TextEntry("thing", "bad", "\ud800")])
    with pytest.raises(RetriableError, match="no text"):
        hashing.store.put_texts(COLLECTION, [TextEntry("thing", "a\0b", "words")])


class Faulty:
    """A model that answers some texts with what is no vector of a collection."""

    name = "faulty"
    dimension: int | None = 256

    def __init__(self, model: EmbeddingProvider) -> None:
        self._model = model

    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        made = self._model.embed(texts, kind, timeout)
        for text, vector in zip(texts, made, strict=True):
            if "nan" in text:
                vector[0] = float("nan")
            if "short" in text:
                vector.pop()
        return made


def test_a_vector_that_does_not_fit_is_set_aside_alone(
    hashing: StoreTeam, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service = embedding_service("hashing", VectorStoreTool().embedding_model)
    monkeypatch.setattr(service, "provider", Faulty(service.provider))
    client = hashing.client(CollectionRecord(dimension=256, backend="inmemory"))
    bad = [TextEntry("thing", "n", "a nan here"), TextEntry("thing", "s", "a short one")]
    client.put([*entries(20), *bad])
    until(lambda: hashing.pending() == 2)
    assert len(client.semantic_scores("text", 50, threshold=-1)) == 20
    aside = hashing.store.state.pending_entries.values()
    reasons = sorted(it.refused for it in aside)
    assert "not finite" in reasons[0]
    assert "256 numbers, not 255" in reasons[1]
    assert "is not searched by meaning" in caplog.text


WRITER = """
import sys
from pathlib import Path
from tests.vectors.test_vectors_hostile import RECORD, entry
from cardwright.vectors.memory import InMemoryBackend

team, path = sys.argv[1], Path(sys.argv[2])
store = InMemoryBackend(team, path)
store.create_collection("c", RECORD)
for n in range(50):
    store.add("c", [entry(f"{n}-{part}", team) for part in range(3)])
    store.remove("c", [f"{n}-0"])
store.close()
"""


def test_two_processes_on_one_file_lose_nothing(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "shared.sqlite"
    teams = ["one", "two", "two"]  # the last two write the very same entries
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, team, str(path)], cwd=root, stderr=subprocess.PIPE
        )
        for team in teams
    ]
    failed = [process.communicate()[1].decode() for process in running if process.wait()]
    assert failed == []
    for team in set(teams):
        store = InMemoryBackend(team, path)
        store.create_collection("c", RECORD)
        assert len(store.texts("c")) == 100
        assert {known.text for known in store.texts("c").values()} == {team}
        store.close()
