"""Speed of vectors and words, as ratios and at two sizes."""

from collections.abc import Callable
from functools import partial
from itertools import accumulate
from pathlib import Path
from random import Random
from time import thread_time

import numpy as np
import pytest
from tests.benchmarks.conftest import Measure

from cardwright.vectors import ApproximateIndex, LexicalIndex, VectorIndex
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


def words_of(texts: int, arrays: bool | None = None) -> LexicalIndex:
    random = Random(3)
    vocabulary = [f"word{n}" for n in range(20_000)]
    weights = list(accumulate(1 / (n + 1) for n in range(20_000)))
    index = LexicalIndex(arrays=arrays)
    for at in range(texts):
        drawn = random.choices(vocabulary, cum_weights=weights, k=12)
        index.put(str(at), " ".join(["entity", *drawn]))
    return index


def processor_time(function: Callable[[], object], rounds: int = 20) -> float:
    """Seconds of this thread alone, at best: these calls neither wait nor use other threads."""

    def once() -> float:
        began = thread_time()
        function()
        return thread_time() - began

    return min(once() for _ in range(rounds))


QUERIES = {
    "usual": "word900 word40 word7000",
    "one of all texts": "entity",
    "commonest": "word0",
    "three commonest": "word0 word1 word2",
    "mixed": "word20 word30 word1 entity",
    "ten commonest": " ".join(f"word{n}" for n in range(10)),
    "forty commonest": " ".join(f"word{n}" for n in range(40)),
    "forty rarer": " ".join(f"word{n}" for n in range(300, 340)),
}
PLAIN = ["usual", "one of all texts", "commonest", "three commonest"]


@pytest.mark.parametrize("arrays", [True, False], ids=["numpy", "plain"])
def test_keyword_search_of_50_000(
    note: Callable[..., None], measure: Measure, arrays: bool
) -> None:
    """All queries with numpy; without it those of few words, also if all texts have them."""
    index, small = words_of(50_000, arrays), words_of(12_500, arrays)
    queries = QUERIES if arrays else {name: QUERIES[name] for name in PLAIN}
    took = {
        name: processor_time(partial(index.search, query, 10)) for name, query in queries.items()
    }
    before = {
        name: processor_time(partial(small.search, query, 10)) for name, query in queries.items()
    }
    half = [str(n) for n in range(0, 50_000, 2)]
    query = QUERIES["mixed"]
    filtered = processor_time(partial(index.search, query, 10, half)) if arrays else 0.0
    measure(partial(index.search, QUERIES["three commonest"], 10), rounds=10)
    for name, seconds in took.items():
        growth = seconds / before[name]
        print(f"\n{name}: {seconds * 1e3:.2f} ms of 50,000, {growth:.1f} times 12,500", end="")
    print(f"\nmixed among half of all ids: {filtered * 1e3:.2f} ms")
    note(worst_ms=max(took.values()) * 1e3, filtered_ms=filtered * 1e3)
    assert max(*took.values(), filtered) < 0.010
    assert sum(took.values()) < 6 * sum(before.values())


def changing(index: LexicalIndex, text: str) -> None:
    for n in range(0, 1_000, 7):
        index.put(str(n), f"{text} {n}")


def test_a_change_of_the_words_does_not_depend_on_the_size(
    note: Callable[..., None], measure: Measure
) -> None:
    text = "entity word0 word1 word17 word400"
    took: dict[int, float] = {}
    for size in (12_500, 50_000):
        index = words_of(size)
        took[size] = processor_time(partial(changing, index, text))
    note(growth=took[50_000] / took[12_500])
    print(
        f"\none change {took[50_000] / 143 * 1e6:.1f} us, {took[50_000] / took[12_500]:.2f} times"
    )
    assert took[50_000] <= 2 * took[12_500]


def test_recall_and_speed_of_the_approximate_index(note: Callable[..., None]) -> None:
    rows = 20_000
    random = np.random.default_rng(5)
    centres = random.standard_normal((200, DIMENSION))
    drawn = centres[random.integers(0, 200, rows + 2000)]
    vectors = drawn + 0.7 * random.standard_normal(drawn.shape)
    exact, near = VectorIndex(DIMENSION), ApproximateIndex(DIMENSION, above=5_000)
    for index in (exact, near):
        for at in range(rows):
            index.put(str(at), vectors[at])
        for at in range(0, 2000, 2):  # other vectors under known ids, and fewer of them
            index.put(str(at), vectors[rows + at])
        index.remove([str(at) for at in range(2000, 4000)])
    assert near.wait(120)
    queries = vectors[random.integers(4000, rows, 50)] + 0.3 * random.standard_normal(
        (50, DIMENSION)
    )
    wanted = [{ref for ref, _ in exact.search_cosine(query, 10)} for query in queries]
    found = [{ref for ref, _ in near.search_cosine(query, 10)} for query in queries]
    recall = sum(len(a & b) for a, b in zip(wanted, found, strict=True)) / 500
    slow = processor_time(lambda: [exact.search_cosine(query, 10) for query in queries], 5)
    fast = processor_time(lambda: [near.search_cosine(query, 10) for query in queries], 5)
    note(recall=recall, speed_up=slow / fast)
    print(f"\n{rows} x {DIMENSION}: recall@10 {recall:.3f}, {slow / fast:.1f} times as fast")
    assert recall >= 0.95
    assert fast < slow
