"""The one ranking: formula, order, degenerate cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.vectors import fuse


def test_the_worked_case_of_the_contract() -> None:
    assert fuse(["b"], {"a": 0.9, "b": 0.8}) == [("a", 0.7), ("b", pytest.approx(0.3))]
    fused = dict(fuse(["b"], {"a": 0.9, "b": 0.8, "c": 0.31}))
    assert fused == pytest.approx({"a": 0.7, "b": 0.88136, "c": 0.0}, abs=1e-4)


@pytest.mark.parametrize("scores", [{"a": 0.2}, {"a": 0.4, "b": 0.4}])
def test_fewer_than_two_distinct_scores_count_fully(scores: dict[str, float]) -> None:
    assert fuse([], scores) == [(key, 0.7) for key in scores]


def test_case_53_without_a_vector_leg_every_keyword_hit_has_the_rest_in_the_given_order() -> None:
    assert fuse(["z", "a", "z"], {}) == [("z", 1 - 0.7), ("a", 1 - 0.7)]
    assert fuse([], {}) == []


def test_case_34_alpha_decides_between_the_legs() -> None:
    near = {"semantic": 0.9}
    assert [key for key, _ in fuse(["word"], near, alpha=0.7)] == ["semantic", "word"]
    assert [key for key, _ in fuse(["word"], near, alpha=0.3)] == ["word", "semantic"]
    assert fuse(["word"], near, alpha=0) == [("word", 1.0), ("semantic", 0.0)]
    assert fuse(["word"], near, alpha=1) == [("semantic", 1.0), ("word", 0.0)]


def test_t21_a_foreign_hit_poisons_what_was_not_dropped_before() -> None:
    """Why callers resolve and filter first."""
    assert dict(fuse(["word"], {"foreign": 0.99, "real": 0.75}))["real"] == 0.0
    assert dict(fuse(["word"], {"real": 0.75}))["real"] == 0.7


def test_t21_the_keyword_leg_is_not_normalised() -> None:
    assert dict(fuse({"a": 1.0, "b": 0.5}, {}, alpha=0.5)) == {"a": 0.5, "b": 0.25}


def test_equal_scores_keep_the_order_of_the_vector_leg_then_of_the_keywords() -> None:
    fused = fuse(["k1", "v2", "k2"], {"v1": 0.5, "v2": 0.5}, alpha=0.5)
    assert [key for key, _ in fused] == ["v2", "v1", "k1", "k2"]


@pytest.mark.parametrize("alpha", [-0.1, 1.1])
def test_alpha_outside_its_range_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        fuse([], {}, alpha=alpha)


def test_a_raw_keyword_score_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        fuse({"a": 7.3}, {})


KEYS = st.text("abcdef", min_size=1, max_size=2)


@given(
    st.dictionaries(KEYS, st.floats(0, 1)), st.dictionaries(KEYS, st.floats(-1, 1)), st.floats(0, 1)
)
def test_scores_lie_between_0_and_1_and_descend(
    keyword: dict[str, float], vector: dict[str, float], alpha: float
) -> None:
    fused = fuse(keyword, vector, alpha=alpha)
    assert {key for key, _ in fused} == {*keyword, *vector}
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 + 1e-9 for score in scores)
