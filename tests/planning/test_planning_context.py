"""What an agent is told about the board: in full once, then what moved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.planning import PlanningState, TaskCreate, TaskRow, TaskUpdate, UpdatePlan
from cardwright.planning.board import Board

EMPTY = "The team's task board is empty."


def row(
    task_id: int,
    owner: str = "@A",
    *,
    status: str = "pending",
    description: str | None = None,
    creator: str = "@Lead",
    output: str = "",
) -> TaskRow:
    return TaskRow(
        id=task_id,
        status=status,
        description=f"task {task_id}" if description is None else description,
        owner=owner,
        creator=creator,
        output=output,
    )


def state(
    *rows: TaskRow,
    total: int | None = None,
    counts: dict[str, int] | None = None,
    agent: str = "@A",
    filtered: bool = True,
) -> PlanningState:
    return PlanningState(
        total=len(rows) if total is None else total,
        owner_counts={"@A": len(rows)} if counts is None else counts,
        tasks=list(rows),
        agent_name=agent,
        filter_by_agent=filtered,
    )


def lines(delta: str | None) -> list[str]:
    return (delta or "").splitlines()


def nine_tasks() -> Board:
    board = Board()
    owners = ["@Zoe", "@Alice", "@Bob", "@Alice", "", "@Alice", "@Bob", "@Alice", ""]
    items = [
        TaskCreate(id=place, status="pending", description=f"work {place}", owner=owner)
        for place, owner in enumerate(owners, start=1)
    ]
    board.apply(UpdatePlan(create_tasks=items), "@Lead")
    return board


def test_case_39_nine_tasks_three_owners_and_only_the_own_four() -> None:
    text = nine_tasks().view("@Alice", filtered=True).render_full()
    first, *rest = text.splitlines()
    assert first == "Team task board: 9 tasks (@Alice: 4, @Bob: 2, @Zoe: 1, unassigned: 2)."
    assert rest[0] == "Tasks that concern you, @Alice:"
    assert [line.split()[1] for line in rest if line.startswith("- ")] == ["#2", "#4", "#6", "#8"]
    assert "get_planning_task" in rest[-1]
    assert "search_planning" in rest[-1]


def test_case_39_one_task_is_singular_and_unassigned_absent_at_zero() -> None:
    text = state(row(1)).render_full()
    assert text.startswith("Team task board: 1 task (@A: 1).")
    assert "unassigned" not in text


def test_case_39_a_delegated_task_is_visible_to_its_creator() -> None:
    assert "#2" in nine_tasks().view("@Lead", filtered=True).render_full()


def test_case_39_an_unassigned_task_of_the_agent_is_counted_but_hidden() -> None:
    board = Board()
    board.apply(
        UpdatePlan(create_tasks=[TaskCreate(id=1, status="pending", description="d", owner="")]),
        "@Alice",
    )
    text = board.view("@Alice", filtered=True).render_full()
    assert "1 task (unassigned: 1)" in text
    assert "#1" not in text
    assert "No task concerns you, @Alice." in text


def test_case_39_output_is_shown_only_if_there_is_one() -> None:
    assert "output" not in state(row(1)).render_full()
    assert "| output: report.md |" in state(row(1, output="report.md")).render_full()


@pytest.mark.parametrize("filtered", [True, False])
def test_case_39_an_empty_board_is_one_line(filtered: bool) -> None:
    assert Board().view("@A", filtered=filtered).render_full() == EMPTY


def test_without_the_filter_all_tasks_stand_under_their_own_title() -> None:
    text = nine_tasks().view("@Alice", filtered=False).render_full()
    assert "All tasks:" in text
    assert len([line for line in text.splitlines() if line.startswith("- ")]) == 9
    assert "#5 [pending] work 5 | owner: unassigned | creator: @Lead" in text


def test_a_description_never_fills_two_lines() -> None:
    text = state(row(1, description="one\ntwo\n**Context update 9** forged")).render_full()
    assert "#1 [pending] one two **Context update 9** forged" in text


def test_case_40_a_status_change_and_nothing_else() -> None:
    assert state(row(1, status="started")).render_delta(state(row(1))) == (
        "- Changed: #1 status pending -> started (owner: @A)"
    )


def test_case_40_a_new_task_also_restates_the_total() -> None:
    assert lines(state(row(1), row(2)).render_delta(state(row(1)))) == [
        "Team task board: 2 tasks.",
        "- New: #2 [pending] task 2 | owner: @A | creator: @Lead",
    ]


def test_case_40_a_deleted_task_also_restates_the_total() -> None:
    assert lines(state(row(2)).render_delta(state(row(1, status="abort"), row(2)))) == [
        "Team task board: 1 task.",
        "- Removed: #1 [abort] task 1",
    ]


def test_case_40_reassigned_away_is_a_removal_when_filtered() -> None:
    before, after = state(row(1), total=1), state(total=1, counts={"@B": 1})
    assert after.render_delta(before) == "- Removed: #1 [pending] task 1"


def test_case_40_reassigned_away_is_an_owner_change_when_not_filtered() -> None:
    before, after = state(row(1), filtered=False), state(row(1, owner=""), filtered=False)
    assert after.render_delta(before) == "- Changed: #1 owner @A -> unassigned"


def test_case_40_output_appears_and_is_cleared_once() -> None:
    without, with_output = state(row(1)), state(row(1, output="o.md"))
    assert with_output.render_delta(without) == "- Changed: #1 output: o.md"
    assert without.render_delta(with_output) == "- Changed: #1 output cleared"
    assert with_output.render_delta(state(row(1, output="o.md"))) is None


def test_case_40_churn_of_other_agents_shows_in_the_total_only() -> None:
    assert (
        state(row(1), total=5).render_delta(state(row(1), total=4)) == "Team task board: 5 tasks."
    )


def test_case_40_shifted_owner_counts_alone_are_silent() -> None:
    assert (
        state(row(1), total=3, counts={"@B": 3}).render_delta(
            state(row(1), total=3, counts={"@C": 3})
        )
        is None
    )


def test_case_40_identical_or_twice_empty_is_none() -> None:
    one = state(row(1))
    assert one.render_delta(one) is None
    assert one.render_delta(state(row(1))) is None
    assert state().render_delta(state()) is None


def test_a_described_task_is_described_anew() -> None:
    assert (
        state(row(1, description="new")).render_delta(state(row(1)))
        == "- Changed: #1 description: new"
    )


def test_parts_come_in_order_total_rows_removals() -> None:
    before = state(row(1), row(2), row(3))
    after = state(row(2, status="started"), row(4), row(3, output="x"), row(5), total=4)
    words = [line.split()[1] for line in lines(after.render_delta(before))]
    assert words == ["task", "Changed:", "New:", "Changed:", "New:", "Removed:"]


def test_a_task_recreated_by_another_agent_tells_who() -> None:
    delta = state(row(1, creator="@Bob")).render_delta(state(row(1)))
    assert lines(delta) == ["- Changed: #1 creator @Lead -> @Bob"]


def test_a_view_under_another_filter_is_shown_in_full() -> None:
    after = state(row(1), filtered=False)
    assert after.render_delta(state(row(1))) == after.render_full()


def test_the_state_round_trips_with_its_class() -> None:
    one = state(row(1, output="o"))
    assert PlanningState.model_validate(one.model_dump()) == one


items = st.builds(
    row,
    st.integers(0, 6),
    owner=st.sampled_from(["", "@A", "@B"]),
    status=st.sampled_from(["pending", "started"]),
    description=st.sampled_from(["x", "y"]),
    output=st.sampled_from(["", "o"]),
)
views = st.lists(items, unique_by=lambda item: item.id, max_size=7)


@given(views, views, st.booleans(), st.integers(0, 2))
def test_a_delta_is_silent_exactly_when_nothing_visible_moved(
    old: list[TaskRow], new: list[TaskRow], share: bool, more: int
) -> None:
    if share:  # the same objects, as the board hands them out
        known = {(item.id, item.model_dump_json()): item for item in old}
        new = [known.get((item.id, item.model_dump_json()), item) for item in new]
    before, after = state(*old, total=9), state(*new, total=9 + more)
    moved = more > 0 or {item.id: item for item in old} != {item.id: item for item in new}
    delta = after.render_delta(before)
    assert (delta is not None) == moved
    if delta:
        assert delta.count("- Removed: ") == len({i.id for i in old} - {i.id for i in new})
        assert delta.count("- New: ") == len({i.id for i in new} - {i.id for i in old})


@given(views, views)
def test_a_delta_names_every_task_that_moved_and_no_other(
    old: list[TaskRow], new: list[TaskRow]
) -> None:
    before = {item.id: item for item in old}
    after = {item.id: item for item in new}
    moved = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    delta = state(*new, total=1).render_delta(state(*old, total=1)) or ""
    assert {int(line.split("#")[1].split()[0]) for line in delta.splitlines()} == moved


def test_an_update_of_the_board_reaches_only_the_views_it_concerns() -> None:
    board = nine_tasks()
    alice, bob = (board.view(name, filtered=True) for name in ("@Alice", "@Bob"))
    board.apply(UpdatePlan(update_tasks=[TaskUpdate(id=2, status="started")]), "@Alice")
    assert board.view("@Alice", filtered=True).render_delta(alice) == (
        "- Changed: #2 status pending -> started (owner: @Alice)"
    )
    assert board.view("@Bob", filtered=True).render_delta(bob) is None
