"""Finding tasks by filters and by text."""

import pytest

from cardwright.planning import TaskCreate, TaskStatus, UpdatePlan
from cardwright.planning.board import Board
from cardwright.planning.search import TaskFilter, find

ANY = TaskFilter()


@pytest.fixture
def board() -> Board:
    board = Board()
    given: dict[str, list[tuple[int, TaskStatus, str, str]]] = {
        "@Lead": [
            (3, "started", "Write the Parser", "@A"),
            (1, "pending", "Review the parser", ""),
        ],
        "@A": [(2, "completed", "Ship it", "@B"), (7, "started", "Straße fegen", "@A")],
    }
    for creator, items in given.items():
        tasks = [
            TaskCreate(id=i, status=status, description=text, owner=owner)
            for i, status, text, owner in items
        ]
        assert board.apply(UpdatePlan(create_tasks=tasks), creator) == []
    return board


def found(
    board: Board, wanted: TaskFilter = ANY, query: str | None = None, top_k: int = 10
) -> list[int]:
    return [
        int(line.split()[0].removeprefix("#")) for line in find(board.entries, wanted, query, top_k)
    ]


def test_case_29_without_arguments_all_tasks_unlabelled_in_board_order(board: Board) -> None:
    assert found(board) == [3, 1, 2, 7]
    assert not any("match" in line for line in find(board.entries, ANY, None, 10))


@pytest.mark.parametrize("wanted", [ANY, TaskFilter(status="started"), TaskFilter(owner="")])
@pytest.mark.parametrize("query", [None, "parser"])
def test_case_29_an_empty_board_finds_nothing(wanted: TaskFilter, query: str | None) -> None:
    assert find(Board().entries, wanted, query, 10) == []


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (TaskFilter(status="started"), [3, 7]),
        (TaskFilter(owner="@A"), [3, 7]),
        (TaskFilter(owner="@a"), []),
        (TaskFilter(owner=""), [1]),
        (TaskFilter(creator="@A"), [2, 7]),
        (TaskFilter(status="started", creator="@A"), [7]),
        (TaskFilter(status="started", owner="@A", creator="@Lead"), [3]),
    ],
)
def test_case_30_filters_are_exact_and_combine(
    board: Board, wanted: TaskFilter, expected: list[int]
) -> None:
    assert found(board, wanted) == expected


def test_case_30_a_query_combines_with_filters(board: Board) -> None:
    assert found(board, TaskFilter(owner=""), "parser") == [1]


@pytest.mark.parametrize("query", ["parser", "PARSER", " parser "])
def test_case_31_a_query_ignores_case(board: Board, query: str | None) -> None:
    assert found(board, query=query) == [3, 1]


def test_case_31_a_query_folds_beyond_ascii(board: Board) -> None:
    assert found(board, query="STRASSE") == [7]


def test_case_31_no_match_is_an_empty_list(board: Board) -> None:
    assert found(board, query="nowhere") == []


@pytest.mark.parametrize("query", ["", "   "])
def test_t20_a_blank_query_is_no_query(board: Board, query: str | None) -> None:
    assert found(board, query=query, top_k=1) == [3, 1, 2, 7]


def test_top_k_bounds_a_query_only(board: Board) -> None:
    assert found(board, query="parser", top_k=1) == [3]
    assert found(board, top_k=1) == [3, 1, 2, 7]


def test_a_line_says_what_is_needed_and_why_it_was_found(board: Board) -> None:
    assert find(board.entries, TaskFilter(owner=""), "review", 10) == [
        "#1 [pending] Review the parser | owner: unassigned | creator: @Lead | keyword match"
    ]
