"""Keyword search: words of any script, BM25, upkeep, ties."""

from collections import Counter
from collections.abc import Collection
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
USUAL = ["ant", "bee", "cow", "dog"]


def naive(
    texts: dict[str, str], query: str, allowed: Collection[str] | None = None
) -> list[tuple[str, float]]:
    """The formula as it is told, over all texts."""
    counted = {ref_id: Counter(words(text)) for ref_id, text in texts.items()}
    average = sum(counts.total() for counts in counted.values()) / len(counted)
    scores: dict[str, float] = {}
    for word in dict.fromkeys(words(query)):
        having = sum(word in counts for counts in counted.values())
        idf = log(1 + (len(counted) - having + 0.5) / (having + 0.5))
        for ref_id, counts in counted.items():
            if counts[word] and (allowed is None or ref_id in allowed):
                norm = 1.2 * (0.25 + 0.75 * counts.total() / average)
                part = idf * counts[word] * 2.2 / (counts[word] + norm)
                scores[ref_id] = scores.get(ref_id, 0.0) + part
    ranked = [(ref_id, round(score, 9)) for ref_id, score in scores.items()]
    return sorted(ranked, key=lambda hit: (-hit[1], list(texts).index(hit[0])))


def same(found: list[tuple[str, float]], wanted: list[tuple[str, float]]) -> bool:
    ids = [ref_id for ref_id, _ in found] == [ref_id for ref_id, _ in wanted]
    return ids and [s for _, s in found] == pytest.approx([s for _, s in wanted], abs=2e-9)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), LENGTHS, LENGTHS, st.integers(1, 40))
def test_many_texts_are_ranked_by_the_formula_with_numpy_and_without(
    seed: int, short: int, long: int, top_k: int
) -> None:
    random = Random(seed)
    vocabulary = [*USUAL, *(f"rare{n}" for n in range(40))]
    weights = list(accumulate([40, 20, 10, 5, *[0.5] * 40]))

    def text() -> str:
        length = random.randint(min(short, long), max(short, long))
        return " ".join(random.choices(vocabulary, cum_weights=weights, k=length))

    texts = {str(n): text() for n in range(1000)}
    plain, arrays = (LexicalIndex(texts.items(), arrays=used) for used in (False, True))
    for n in map(str, random.sample(range(1000), 500)):
        changed = text() if int(n) % 3 else None
        for index in (plain, arrays):
            index.discard(n) if changed is None else index.put(n, changed)
        if changed is None:
            del texts[n]
        else:
            texts[n] = changed
    some = [str(n) for n in range(0, 1000, 2)]
    for query in ("ant bee cow dog", "dog rare1 rare2 bee ant"):
        for allowed in (None, some):
            wanted = naive(texts, query, allowed)
            for index in (plain, arrays):
                assert same(index.search(query, None, allowed), wanted)
                assert same(index.search(query, top_k, allowed), wanted[:top_k])
        assert plain.search(query, top_k, some) == arrays.search(query, top_k, some)
        assert plain.search(query) == arrays.search(query)


@pytest.fixture(params=[False, True], ids=["plain", "numpy"])
def arrays(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_a_word_that_stands_very_often_in_a_text_counts_as_often(arrays: bool) -> None:
    often = [254, 255, 256, 300, 2_000]
    texts = {str(n): "ant " * often[n % 5] + "bee" for n in range(300)}
    for seldom in (0, 2000):  # the word is looked up everywhere, or where it stands
        every = texts | {f"no {n}": "bee" for n in range(seldom)}
        index = LexicalIndex(every.items(), arrays=arrays)
        index.put("0", "ant " * 256 + "bee")
        index.put("0", texts["0"])
        assert same(index.search("ant bee", 250), naive(every, "ant bee")[:250])


def test_a_query_of_hundreds_of_common_words_is_ranked(arrays: bool) -> None:
    half = [" ".join(f"w{n}" for n in range(start, 300, 2)) for start in (0, 1)]
    index = LexicalIndex(((str(n), half[n % 2]) for n in range(600)), arrays=arrays)
    query = " ".join(f"w{n}" for n in range(300) if n % 2 or n < 20)
    assert [ref_id for ref_id, _ in index.search(query, 2)] == ["1", "3"]
    assert len(index.search(query, 400)) == 400


def test_equal_texts_stand_in_order_however_many_there_are(arrays: bool) -> None:
    texts = ((str(n), f"entity {'alpha' if n % 2 else 'beta'}") for n in range(5000))
    index = LexicalIndex(texts, arrays=arrays)
    index.put("0", "entity entity")
    index.put("0", "entity beta")
    assert [ref_id for ref_id, _ in index.search("entity", 3)] == ["0", "1", "2"]
    assert [ref_id for ref_id, _ in index.search("entity beta", 2)] == ["0", "2"]
    assert [hit[0] for hit in index.search("entity beta", 2, ["9", "3", "9", "4"])] == ["4", "3"]
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
