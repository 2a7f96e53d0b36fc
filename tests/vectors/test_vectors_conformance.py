"""What every backend promises, on each of them."""

from math import sqrt
from random import Random
from threading import Thread

import pytest
from tests.vectors.conftest import OpenStore

from cardwright.vectors import CollectionRecord, VectorEntry, VectorStore

NAME = "things"


def record(backend: str, dimension: int = 3) -> CollectionRecord:
    return CollectionRecord(dimension=dimension, backend=backend)


def entry(ref_id: str, vector: list[float], text: str = "", ref_type: str = "thing") -> VectorEntry:
    return VectorEntry(
        ref_type=ref_type, ref_id=ref_id, text=text or f"text {ref_id}", vector=vector
    )


def unit(random: Random, dimension: int = 8) -> list[float]:
    return [random.gauss(0, 1) for _ in range(dimension)]


def ids(store: VectorStore, vector: list[float], top_k: int = 10, **filters: object) -> list[str]:
    return [hit.ref_id for hit in store.search(NAME, vector, top_k, **filters)]  # type: ignore[arg-type] # filters of the test


@pytest.fixture
def store(open_store: OpenStore, backend: str) -> VectorStore:
    opened = open_store()
    opened.create_collection(NAME, record(backend))
    return opened


def test_case_20_identical_is_one_orthogonal_zero_opposite_zero(store: VectorStore) -> None:
    store.add(NAME, [entry("a", [2, 0, 0]), entry("b", [0, 1, 0]), entry("c", [-1, 0, 0])])
    hits = store.search(NAME, [5, 0, 0], 10)
    assert hits[0].ref_id == "a"
    assert [hit.score for hit in hits] == [1.0, 0.0, 0.0]
    assert (hits[0].ref_type, hits[0].text) == ("thing", "text a")


def test_case_20_top_k_beyond_the_size_gives_all_and_none_of_an_empty_one(
    store: VectorStore,
) -> None:
    assert ids(store, [1, 0, 0]) == []
    store.add(NAME, [entry("a", [1, 0, 0]), entry("b", [1, 1, 0])])
    assert ids(store, [1, 0, 0], 50) == ["a", "b"]


def test_case_20_removing_unknown_ids_and_nothing_is_nothing(store: VectorStore) -> None:
    store.add(NAME, [entry("a", [1, 0, 0])])
    store.remove(NAME, ["nobody"])
    store.remove(NAME, [])  # T19
    assert ids(store, [1, 0, 0]) == ["a"]
    store.remove(NAME, ["a"])
    assert ids(store, [1, 0, 0]) == []


def test_t9_adding_again_replaces(store: VectorStore) -> None:
    store.add(NAME, [entry("a", [1, 0, 0], "old")], "model-1")
    store.add(NAME, [entry("a", [0, 1, 0], "older"), entry("a", [0, 0, 1], "new")], "model-2")
    hits = store.search(NAME, [0, 0, 1], 10)
    assert [(hit.ref_id, hit.text, hit.score) for hit in hits] == [("a", "new", 1.0)]
    assert store.texts(NAME, ["a", "b"])["a"].model == "model-2"
    assert list(store.texts(NAME)) == ["a"]


@pytest.mark.parametrize("bad", [[1.0], [1.0, 0.0, 0.0, 0.0], [], [float("nan"), 0.0, 0.0]])
def test_t15_a_wrong_vector_refuses_the_whole_batch(store: VectorStore, bad: list[float]) -> None:
    with pytest.raises(ValueError, match=r"'b'.*(3 numbers|finite)"):
        store.add(NAME, [entry("a", [1, 0, 0]), entry("b", bad)])
    assert store.texts(NAME) == {}
    with pytest.raises(ValueError, match=r"3 numbers|finite"):
        store.search(NAME, bad, 3)


def test_t15_an_emptied_collection_keeps_its_dimension(
    open_store: OpenStore, backend: str, store: VectorStore
) -> None:
    store.add(NAME, [entry("a", [1, 0, 0])])
    store.remove(NAME, ["a"])
    with pytest.raises(ValueError, match="3 numbers"):
        store.add(NAME, [entry("a", [1, 0])])


@pytest.mark.parametrize("top_k", [0, -1])
def test_t20_top_k_below_one_is_refused(store: VectorStore, top_k: int) -> None:
    store.add(NAME, [entry("a", [1, 0, 0])])
    with pytest.raises(ValueError, match="top_k"):
        store.search(NAME, [1, 0, 0], top_k)


def test_case_5_an_unknown_collection_is_named(open_store: OpenStore) -> None:
    store = open_store()
    for use in (
        lambda: store.add("nowhere", []),
        lambda: store.remove("nowhere", ["a"]),
        lambda: store.search("nowhere", [1.0], 1),
        lambda: store.texts("nowhere"),
        lambda: store.delete_by_team("nowhere", "team-1"),
    ):
        with pytest.raises(ValueError, match="'nowhere' does not exist"):
            use()


def test_case_2_creating_again_keeps_the_data_and_t10_another_dimension_is_refused(
    store: VectorStore, backend: str
) -> None:
    store.add(NAME, [entry("a", [1, 0, 0])])
    store.create_collection(NAME, record(backend))
    assert ids(store, [1, 0, 0]) == ["a"]
    with pytest.raises(ValueError, match="dimension is 3, not 4"):
        store.create_collection(NAME, record(backend, 4))


def test_case_18_collections_are_independent(store: VectorStore, backend: str) -> None:
    store.create_collection("others", record(backend, 2))
    store.add(NAME, [entry("a", [1, 0, 0])])
    store.add("others", [entry("a", [0, 1])])
    assert store.search("others", [0, 1], 5)[0].score == 1.0
    store.remove("others", ["a"])
    assert ids(store, [1, 0, 0]) == ["a"]
    assert store.list_collections() in (["others", NAME], [NAME, "others"])


def test_t16_filters_come_before_the_cut(store: VectorStore) -> None:
    """Of 200 nearer entries none passes; all that pass are found."""
    store.add(NAME, [entry(f"near-{n}", [1, n / 1000, 0]) for n in range(200)])
    far = [entry(f"far-{n}", [0.1, 1, n / 100], ref_type="task") for n in range(10)]
    store.add(NAME, far)
    wanted = [one.ref_id for one in far]
    assert sorted(ids(store, [1, 0, 0], 10, allowed=wanted)) == sorted(wanted)
    assert sorted(ids(store, [1, 0, 0], 10, ref_types=["task"])) == sorted(wanted)
    assert ids(store, [1, 0, 0], 10, allowed=["near-3", *wanted], ref_types=["thing"]) == ["near-3"]
    assert ids(store, [1, 0, 0], 10, allowed=[]) == []
    assert ids(store, [1, 0, 0], 10, ref_types=["relation"]) == []


def test_equal_scores_have_one_order(store: VectorStore, backend: str) -> None:
    names = ["c", "a", "b"]
    store.add(NAME, [entry(name, [0, 1, 1]) for name in names])
    store.add(NAME, [entry("a", [0, 1, 1], "again")])
    expected = sorted(names) if backend == "weaviate" else names
    assert ids(store, [1, 1, 0]) == expected
    assert ids(store, [1, 1, 0], 2) == expected[:2]


def test_t12_teams_never_meet(open_store: OpenStore, backend: str) -> None:
    one, two = open_store("team-1"), open_store("team-2")
    for store in (one, two):
        store.create_collection(NAME, record(backend))
    one.add(NAME, [entry("1", [1, 0, 0], "of one")])
    two.add(NAME, [entry("1", [1, 0, 0], "of two"), entry("2", [0, 1, 0])])
    assert [hit.text for hit in one.search(NAME, [1, 0, 0], 9)] == ["of one"]
    assert list(one.texts(NAME)) == ["1"]
    assert one.texts(NAME, ["2"]) == {}
    assert ids(one, [0, 1, 0], 9, allowed=["2"]) == []
    one.remove(NAME, ["1", "2"])
    assert sorted(two.texts(NAME)) == ["1", "2"]
    assert two.search(NAME, [1, 0, 0], 1)[0].text == "of two"
    two.create_collection("secret", record(backend))
    two.add("secret", [entry("x", [1, 0, 0])])
    assert "secret" not in one.list_collections()


def test_deletion_by_team_spares_the_others(open_store: OpenStore, backend: str) -> None:
    one, two = open_store("team-1"), open_store("team-2")
    for store in (one, two):
        store.create_collection(NAME, record(backend))
        store.add(NAME, [entry(str(n), [1, n, 0]) for n in range(120)])
    sweeper = open_store("team-1")
    assert sweeper.delete_by_team(NAME, "team-1") == 120
    assert len(two.texts(NAME)) == 120
    fresh = open_store("team-1")
    fresh.create_collection(NAME, record(backend))
    assert fresh.texts(NAME) == {}


def test_all_that_a_team_has_goes_at_once(open_store: OpenStore, backend: str) -> None:
    one, two = open_store("team-1"), open_store("team-2")
    for store in (one, two):
        for name in (NAME, "others"):
            store.create_collection(name, record(backend))
            store.add(name, [entry(str(n), [1, n, 0]) for n in range(5)])
    sweeper = open_store("nobody")
    assert sweeper.teams() == {"team-1", "team-2"}
    assert sweeper.delete_team("team-1") == 10
    assert sweeper.delete_team("team-1") == 0
    assert sweeper.teams() == {"team-2"}
    fresh = open_store("team-1")
    fresh.create_collection(NAME, record(backend))
    assert fresh.texts(NAME) == {}
    assert len(two.texts(NAME)) == len(two.texts("others")) == 5


def test_case_17_what_was_added_is_there_again(open_store: OpenStore, backend: str) -> None:
    random = Random(7)
    first = open_store()
    first.create_collection(NAME, record(backend, 8))
    first.add(NAME, [entry(str(n), unit(random)) for n in range(40)], "model-1")
    first.remove(NAME, ["3", "4"])
    query = unit(random)
    before = first.search(NAME, query, 20)
    first.close()
    second = open_store()
    assert second.list_collections() == [NAME]
    second.create_collection(NAME, record(backend, 8))
    assert second.search(NAME, query, 20) == before
    assert len(second.texts(NAME)) == 38
    assert {known.model for known in second.texts(NAME).values()} == {"model-1"}


def test_all_backends_rank_alike(open_store: OpenStore, backend: str) -> None:
    """The same numbers as by hand, in float64."""
    random = Random(11)
    vectors = {str(n): unit(random) for n in range(60)}
    store = open_store()
    store.create_collection(NAME, record(backend, 8))
    store.add(NAME, [entry(ref_id, vector) for ref_id, vector in vectors.items()])
    query = unit(random)

    def cosine(one: list[float], other: list[float]) -> float:
        dot = sum(x * y for x, y in zip(one, other, strict=True))
        return dot / sqrt(sum(x * x for x in one) * sum(x * x for x in other))

    exact = sorted(((cosine(query, v), ref_id) for ref_id, v in vectors.items()), reverse=True)[:15]
    hits = store.search(NAME, query, 15)
    assert [hit.ref_id for hit in hits] == [ref_id for _, ref_id in exact]
    assert [hit.score for hit in hits] == pytest.approx([score for score, _ in exact], abs=2e-6)


def test_a_zero_vector_has_no_direction(store: VectorStore) -> None:
    store.add(NAME, [entry("zero", [0, 0, 0]), entry("a", [1, 0, 0])])
    assert [(h.ref_id, h.score) for h in store.search(NAME, [1, 0, 0], 5)] == [
        ("a", 1.0),
        ("zero", 0.0),
    ]


def test_eight_writers_of_eight_teams_lose_nothing(open_store: OpenStore, backend: str) -> None:
    stores = {f"team-{n}": open_store(f"team-{n}") for n in range(8)}
    failures: list[Exception] = []

    def write(team: str, store: VectorStore) -> None:
        try:
            store.create_collection(NAME, record(backend))
            for at in range(0, 60, 6):
                batch = [entry(str(n), [1, n, 2], team) for n in range(at, at + 6)]
                store.add(NAME, batch[::-1] if at % 4 else batch)
                store.remove(NAME, [str(at)])
        except Exception as error:  # noqa: BLE001 - shown by the test
            failures.append(error)

    threads = [Thread(target=write, args=item) for item in stores.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    for team, store in stores.items():
        assert len(store.texts(NAME)) == 50
        assert {known.text for known in store.texts(NAME).values()} == {team}
