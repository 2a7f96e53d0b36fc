"""T6: the order of cards."""

import logging
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.core_cards import Agent, plain_card

from cardwright.core import ToolCard, ToolFactory, ToolObserver
from cardwright.core.dependencies import topological_sort, warn_of_absent


def names(cards: list[ToolCard]) -> list[str]:
    return [type(card).__name__ for card in cards]


def test_t4_prerequisites_come_first_and_the_rest_keeps_its_order() -> None:
    cards = [plain_card("X", depends_on=("Y",)), plain_card("W"), plain_card("Y")]
    assert names(topological_sort(cards)) == ["W", "Y", "X"]
    assert topological_sort(topological_sort(cards)) == topological_sort(cards)
    assert topological_sort([]) == []


def test_t5_a_missing_prerequisite_is_refused_before_binding() -> None:
    class Bound(ToolCard):
        def observer(self, observer: ToolObserver) -> "Bound":
            raise AssertionError

        def get_tools(self) -> list[Callable[..., object]]:
            return []

    with pytest.raises(ValueError, match="X depends on Y"):
        ToolFactory([Bound(), plain_card("X", depends_on=("Y",))], Agent())


@pytest.mark.parametrize(
    "edges", [{"A": "A"}, {"A": "B", "B": "A"}, {"A": "B", "B": "C", "C": "A"}]
)
def test_t6_a_cycle_names_every_member(edges: dict[str, str]) -> None:
    cards = [plain_card(name, depends_on=(other,)) for name, other in edges.items()]
    with pytest.raises(ValueError, match="cycle") as error:
        topological_sort(cards)
    assert all(name in str(error.value) for name in edges)


def test_t7_instances_of_one_class_survive_in_order_and_their_needs_add_up() -> None:
    on, off = plain_card("X", depends_on=("Y",)), plain_card("X")
    y = plain_card("Y")
    assert topological_sort([on, off, y]) == [y, on, off]
    with pytest.raises(ValueError, match="X depends on Y"):
        topological_sort([on, off])


def test_an_optional_prerequisite_orders_or_warns_once(caplog: pytest.LogCaptureFixture) -> None:
    warn_of_absent.cache_clear()
    x, y = plain_card("X", optional=("Y",)), plain_card("Y")
    assert topological_sort([x, y]) == [y, x]
    with caplog.at_level(logging.WARNING):
        assert topological_sort([x]) == [x]
        assert topological_sort([x]) == [x]
    assert [r.getMessage() for r in caplog.records if "X works without Y" in r.getMessage()]
    assert len(caplog.records) == 1


def test_repeated_names_in_one_declaration_are_harmless() -> None:
    assert names(topological_sort([plain_card("X", depends_on=("Y", "Y")), plain_card("Y")])) == [
        "Y",
        "X",
    ]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20))
def test_every_order_respects_every_declaration(pairs: list[tuple[int, int]]) -> None:
    edges = {(max(a, b), min(a, b)) for a, b in pairs if a != b}
    cards = [
        plain_card(f"C{i}", depends_on=tuple(f"C{b}" for a, b in edges if a == i))
        for i in reversed(range(10))
    ]
    order = names(topological_sort(cards))
    assert all(order.index(f"C{b}") < order.index(f"C{a}") for a, b in edges)
