"""Speed of vectors and words, as ratios and at two sizes."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from tests.benchmarks.conftest import Measure

from cardwright.vectors import LexicalIndex, VectorIndex
from cardwright.vectors.memory import InMemoryBackend
from cardwright.vectors.models import CollectionRecord, VectorEntry

DIMENSION = 256


def filled(rows: int) -> VectorIndex:
    index = VectorIndex(DIMENSION)
    vectors = np.random.default_rng(1).standard_normal((rows, DIMENSION))
    for at, vector in enumerate(vectors):
        index.put(str(at), vector)
    return index


def test_exact_search_costs_the_bare_product(measure: Measure, note: Callable[..., None]) -> None:
    index = filled(100_000)
    query = np.random.default_rng(2).standard_normal(DIMENSION).astype(np.float32)
    bare_query = query / np.linalg.norm(query)
    matrix = np.ascontiguousarray(index.rows(np.arange(100_000)))
    from time import perf_counter

    def bare() -> float:
        began = perf_counter()
        np.dot(matrix, bare_query)
        return perf_counter() - began

    product = min(bare() for _ in range(30))
    search = measure(lambda: index.search_cosine(query, 10), rounds=30)  # type: ignore[arg-type] # an array
    note(ratio=search / product)
    print(f"\nsearch {search * 1e3:.2f} ms, product {product * 1e3:.2f} ms: {search / product:.2f}")
    assert search <= 1.3 * product


def test_adding_is_constant(measure: Measure, note: Callable[..., None]) -> None:
    entries = [
        VectorEntry(ref_type="x", ref_id=str(n), text="", vector=[float(n % 7)] * DIMENSION)
        for n in range(10_000)
    ]

    def add_singly(count: int) -> None:
        store = InMemoryBackend("team")
        store.create_collection("c", CollectionRecord(dimension=DIMENSION, backend="inmemory"))
        for entry in entries[:count]:
            store.add("c", [entry])

    from time import perf_counter

    began = perf_counter()
    add_singly(2_500)
    small = perf_counter() - began
    large = measure(lambda: add_singly(10_000), rounds=3)
    note(growth=large / small)
    print(f"\n10,000 single adds {large:.2f} s, {large / small:.1f} times 2,500")
    assert large < 1.0
    assert large < 4 * small * 1.5


def test_adding_with_the_file(measure: Measure, tmp_path: Path) -> None:
    store = InMemoryBackend("team", tmp_path / "v.sqlite")
    store.create_collection("c", CollectionRecord(dimension=DIMENSION, backend="inmemory"))
    entries = [
        VectorEntry(ref_type="x", ref_id=str(n), text="", vector=[1.0] * DIMENSION)
        for n in range(1000)
    ]
    took = measure(lambda: [store.add("c", [entry]) for entry in entries], rounds=3)
    print(f"\n1,000 single adds to memory and file: {took * 1e3:.0f} ms")


def test_keyword_search_of_50_000(measure: Measure, note: Callable[..., None]) -> None:
    random = Random(3)
    vocabulary = [f"word{n}" for n in range(20_000)]
    weights = [1 / (n + 1) for n in range(20_000)]
    index = LexicalIndex()
    for at in range(50_000):
        index.put(str(at), " ".join(random.choices(vocabulary, weights, k=12)))
    rare = measure(lambda: index.search("word900 word40 word7000", 10), rounds=20)
    from time import perf_counter

    def common() -> float:
        began = perf_counter()
        index.search("word0 word1 word2", 10)  # in about half of all texts, each
        return perf_counter() - began

    worst = min(common() for _ in range(10))
    note(worst_ms=worst * 1e3)
    print(f"\nkeyword search of 50,000: {rare * 1e3:.2f} ms, commonest words {worst * 1e3:.1f} ms")
    assert rare < 0.010
