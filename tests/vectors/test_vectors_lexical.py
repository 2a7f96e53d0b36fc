"""Keyword search: words of any script, BM25, upkeep, ties."""

from itertools import accumulate
from math import log
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright.vectors import LexicalIndex
from cardwright.vectors.lexical import words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix the_parser, v2!", ["fix", "the", "parser", "v2"]),
        ("STRASSE straße", ["strasse", "strasse"]),
        ("Cafe\u0301 CAFÉ", ["café", "café"]),
        ("ﬁle \uff12", ["file", "2"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("naïve Привет", ["naïve", "привет"]),
        ("日本語", ["日本", "本語"]),
        ("東 Python東京", ["東", "python", "東京"]),
        ("… — !", []),
        ("", []),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_score_is_that_of_the_formula() -> None:
    index = LexicalIndex([("a", "red red fox"), ("b", "red dog"), ("c", "blue")])
    idf = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    lengths = 6 / 3
    expected = {
        "a": idf * 2 * 2.2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / lengths)),
        "b": idf * 1 * 2.2 / (1 + 1.2 * (1 - 0.75 + 0.75 * 2 / lengths)),
    }
    assert dict(index.search("RED")) == pytest.approx(expected)
    assert index.relative("red")["a"] == 1.0


def test_ties_stand_in_the_order_of_first_putting_whatever_is_put_again() -> None:
    index = LexicalIndex([("z", "same words"), ("a", "same words"), ("m", "same words")])
    index.put("z", "other")
    index.put("z", "same words")
    assert [ref_id for ref_id, _ in index.search("same")] == ["z", "a", "m"]
    assert [ref_id for ref_id, _ in index.search("same", 2)] == ["z", "a"]


def test_t16_only_allowed_ids_count() -> None:
    index = LexicalIndex([(str(n), "common text") for n in range(100)])
    assert [ref for ref, _ in index.search("common", 3, ["80", "90", "unknown"])] == ["80", "90"]
    assert index.search("common", 3, []) == []


def test_t20_a_query_without_words_finds_nothing_and_top_k_is_at_least_one() -> None:
    index = LexicalIndex([("a", "text")])
    assert index.search(" … ") == []
    assert index.relative("") == {}
    with pytest.raises(ValueError, match="top_k"):
        index.search("text", 0)


LENGTHS = st.integers(1, 6) | st.integers(28, 70)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), LENGTHS, LENGTHS, st.integers(1, 40))
def test_the_search_by_bounds_is_that_of_all_texts(
    seed: int, short: int, long: int, top_k: int
) -> None:
    random = Random(seed)
    vocabulary = ["ant", "bee", "cow", "dog", *(f"rare{n}" for n in range(40))]
    weights = list(accumulate([40, 20, 10, 5, *[0.5] * 40]))

    def text() -> str:
        length = random.randint(min(short, long), max(short, long))
        return " ".join(random.choices(vocabulary, cum_weights=weights, k=length))

    index = LexicalIndex((str(n), text()) for n in range(1000))
    for n in random.sample(range(1000), 500):
        index.discard(str(n)) if n % 3 else index.put(str(n), text())
    some = [str(n) for n in range(0, 1000, 2)]
    for query in ("ant", "bee cow", "ant bee cow dog", "ant rare1", "dog rare1 rare2 bee"):
        assert index.search(query, top_k) == index.search(query)[:top_k]
        assert index.search(query, top_k, some) == index.search(query, None, some)[:top_k]


def test_equal_texts_stand_in_order_however_many_there_are() -> None:
    index = LexicalIndex((str(n), f"entity {'alpha' if n % 2 else 'beta'}") for n in range(5000))
    index.put("0", "entity entity")
    index.put("0", "entity beta")
    assert [ref_id for ref_id, _ in index.search("entity", 3)] == ["0", "1", "2"]
    assert [ref_id for ref_id, _ in index.search("entity beta", 2)] == ["0", "2"]
    for n in range(4800):  # so many that the numbers are given anew
        index.discard(str(n))
    assert [ref_id for ref_id, _ in index.search("entity beta", 2)] == ["4800", "4802"]


VOCABULARY = st.sampled_from(["ant", "bee", "cow", "dog"])
TEXTS = st.lists(VOCABULARY, max_size=6).map(" ".join)
CHANGES = st.lists(st.tuples(st.sampled_from("abcdef"), st.none() | TEXTS), max_size=25)


@given(CHANGES, st.lists(VOCABULARY, min_size=1, max_size=3).map(" ".join), st.integers(1, 4))
def test_upkeep_is_as_building_anew_and_cutting_is_exact(
    changes: list[tuple[str, str | None]], query: str, top_k: int
) -> None:
    kept: dict[str, str] = {}
    index = LexicalIndex()
    for ref_id, text in changes:
        if text is None:
            kept.pop(ref_id, None)
            index.discard(ref_id)
        else:
            kept[ref_id] = text
            index.put(ref_id, text)
    assert len(index) == len(kept)
    assert index.search(query) == LexicalIndex(kept.items()).search(query)
    assert index.search(query, top_k) == index.search(query)[:top_k]
