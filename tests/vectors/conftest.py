"""Stores of all backends, each with a server of its own where it needs one."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import psycopg
import pytest
from tests.store.store_server import Server
from tests.vectors.embedding_server import EmbeddingServer
from tests.vectors.vector_servers import running_pgvector

from cardwright.vectors import InMemoryBackend, VectorStore, embedding_service

if TYPE_CHECKING:  # its client takes more than a second to load
    from tests.vectors.weaviate_server import LocalWeaviate

BACKENDS = ("inmemory", "usearch", "pgvector", "weaviate")


class OpenStore(Protocol):
    """Open the storage of this test for a team, again if it was opened before."""

    def __call__(self, team: str = "team-1") -> VectorStore: ...


@pytest.fixture(autouse=True)
def _vector_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the user's cache, or a server that the environment names."""
    monkeypatch.setenv("CARDWRIGHT_VECTOR_PATH", str(tmp_path / "vectors"))
    monkeypatch.delenv("CARDWRIGHT_WEAVIATE_URL", raising=False)
    monkeypatch.delenv("CARDWRIGHT_PGVECTOR_URL", raising=False)


@pytest.fixture(scope="session")
def pgvector_server() -> Iterator[Server]:
    with running_pgvector() as server:
        yield server


@pytest.fixture(scope="session")
def pgvector_database(pgvector_server: Server) -> str:
    return pgvector_server.create_database()


@pytest.fixture
def pgvector_url(pgvector_database: str) -> str:
    """An empty database; making a new one takes longer."""
    with psycopg.connect(pgvector_database, autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS cardwright_vector, cardwright_collection")
    return pgvector_database


@pytest.fixture(scope="session")
def weaviate_server() -> "Iterator[LocalWeaviate]":
    from tests.vectors.weaviate_server import LocalWeaviate

    server = LocalWeaviate()
    yield server
    server.stop()


@pytest.fixture
def weaviate(weaviate_server: "LocalWeaviate", monkeypatch: pytest.MonkeyPatch) -> "LocalWeaviate":
    """The server, empty."""
    weaviate_server.cluster.clear()
    monkeypatch.setenv("CARDWRIGHT_WEAVIATE_GRPC_PORT", str(weaviate_server.grpc_port))
    return weaviate_server


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_store(backend: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Open this test's storage for a team, once more each time; all are closed at the end."""
    make = _maker(backend, request, tmp_path)
    opened: list[VectorStore] = []

    def open_again(team: str = "team-1") -> VectorStore:
        opened.append(make(team))
        return opened[-1]

    yield open_again
    for store in opened:
        store.close()


def _maker(
    backend: str, request: pytest.FixtureRequest, folder: Path
) -> Callable[[str], VectorStore]:
    if backend == "pgvector":
        from cardwright.vectors import PgVectorBackend

        url: str = request.getfixturevalue("pgvector_url")
        return lambda team: PgVectorBackend(url, team)
    if backend == "weaviate":
        from cardwright.vectors import WeaviateBackend

        server: LocalWeaviate = request.getfixturevalue("weaviate")
        return lambda team: WeaviateBackend(server.url, "a-key", team_id=team)
    if backend == "usearch":
        from cardwright.vectors import ApproximateIndex

        # Beyond eight vectors the graph answers, so that the small tests reach it.
        return lambda team: InMemoryBackend(
            team, folder / "all.sqlite", lambda size: ApproximateIndex(size, above=8)
        )
    return lambda team: InMemoryBackend(team, folder / "all.sqlite")


@pytest.fixture
def embedding_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """The embeddings endpoint that OpenAI's client reaches in this test."""
    running = EmbeddingServer()
    monkeypatch.setenv("OPENAI_BASE_URL", running.url)
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-key")
    embedding_service.cache_clear()  # clients of an earlier test know another address
    yield running
    running.stop()
