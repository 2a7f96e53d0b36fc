"""The board: batches, indexes, copies."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.planning import Task, TaskCreate, TaskStatus, TaskUpdate, UpdatePlan
from cardwright.planning.board import Board

FIELDS = ("status", "description", "owner", "dependencies", "output", "creator")
OWNERS = ["", "@A", "@B"]
STATUSES: list[TaskStatus] = ["pending", "started", "completed", "abort"]

type Steps = list[tuple[UpdatePlan, str]]


def create(
    task_id: int,
    owner: str = "",
    description: str | None = None,
    dependencies: tuple[int, ...] = (),
) -> TaskCreate:
    return TaskCreate(
        id=task_id,
        status="pending",
        description=description or f"task {task_id}",
        owner=owner,
        dependencies=list(dependencies),
    )


def found(board: Board, task_id: int) -> Task:
    task = board.task(task_id)
    assert task is not None
    return task


def board_of(*items: TaskCreate, creator: str = "@Lead") -> Board:
    board = Board()
    assert board.apply(UpdatePlan(create_tasks=list(items)), creator) == []
    return board


def number_in(refusal: str) -> int:
    return int("".join(filter(str.isdigit, refusal)))


def ids(board: Board) -> list[int]:
    return [task.id for task in board.tasks]


def test_case_27_the_good_part_is_applied_and_every_bad_item_reported() -> None:
    board = board_of(create(1), create(2))
    refusals = board.apply(
        UpdatePlan(
            create_tasks=[create(3), create(1)],
            update_tasks=[TaskUpdate(id=2, status="started"), TaskUpdate(id=98, status="started")],
            delete_tasks=[1, 99],
        ),
        "@Lead",
    )
    assert [number_in(refusal) for refusal in refusals] == [1, 98, 99]
    assert ids(board) == [2, 3]
    assert found(board, 2).status == "started"


def test_creates_come_before_updates_before_deletes() -> None:
    board = Board()
    refusals = board.apply(
        UpdatePlan(
            create_tasks=[create(1), create(2)],
            update_tasks=[TaskUpdate(id=1, status="completed"), TaskUpdate(id=2, status="abort")],
            delete_tasks=[2],
        ),
        "@Lead",
    )
    assert refusals == []
    assert [(task.id, task.status) for task in board.tasks] == [(1, "completed")]


def test_t9_an_existing_id_is_refused_also_within_one_batch() -> None:
    board = board_of(create(1, description="first"))
    refusals = board.apply(
        UpdatePlan(create_tasks=[create(1), create(2, description="kept"), create(2)]), "@Lead"
    )
    assert len(refusals) == 2
    assert [task.description for task in board.tasks] == ["first", "kept"]


def test_t9_an_update_refreshes_the_time_of_change() -> None:
    old = datetime(2020, 1, 1, tzinfo=UTC)
    board = Board([Task(id=1, status="pending", description="d", owner="", updated_at=old)])
    board.apply(UpdatePlan(update_tasks=[TaskUpdate(id=1, status="started")]), "@Lead")
    assert found(board, 1).updated_at > old


def test_an_update_changes_only_what_it_gives() -> None:
    board = board_of(create(1, owner="@A", dependencies=(7,)))
    board.apply(UpdatePlan(update_tasks=[TaskUpdate(id=1, output="done")]), "@Other")
    task = found(board, 1)
    assert (task.owner, task.dependencies, task.output, task.creator) == (
        "@A",
        [7],
        "done",
        "@Lead",
    )


def test_empty_values_clear() -> None:
    board = board_of(create(1, owner="@A", dependencies=(7,)))
    board.apply(UpdatePlan(update_tasks=[TaskUpdate(id=1, output="done")]), "@A")
    board.apply(
        UpdatePlan(update_tasks=[TaskUpdate(id=1, owner="", output="", dependencies=[])]), "@A"
    )
    task = found(board, 1)
    assert (task.owner, task.output, task.dependencies) == ("", "", [])


def test_t3_neither_the_request_nor_an_answer_is_shared_with_the_board() -> None:
    item = create(1, dependencies=(5,))
    board = board_of(item)
    item.dependencies.append(6)
    found(board, 1).dependencies.append(7)
    found(board, 1).status = "abort"
    change = TaskUpdate(id=1, dependencies=[8])
    board.apply(UpdatePlan(update_tasks=[change]), "@A")
    assert change.dependencies is not None
    change.dependencies.append(9)
    assert found(board, 1).dependencies == [8]
    assert found(board, 1).status == "pending"


def test_a_stored_board_with_a_repeated_id_keeps_the_first_and_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    twice = [
        Task(id=1, status="pending", description=text, owner="") for text in ("first", "second")
    ]
    assert [task.description for task in Board(twice).tasks] == ["first"]
    assert "twice" in caplog.text


def test_an_unchanged_board_answers_the_same_view_object() -> None:
    board = board_of(create(1, owner="@A"))
    view = board.view("@A", filtered=True)
    assert board.view("@A", filtered=True) is view
    assert board.view("@A", filtered=False) is not view
    board.apply(UpdatePlan(update_tasks=[TaskUpdate(id=1, output="x")]), "@A")
    assert board.view("@A", filtered=True) is not view


def test_unchanged_rows_are_shared_between_views() -> None:
    board = board_of(create(1, owner="@A"), create(2, owner="@A"))
    before = board.view("@A", filtered=True).tasks
    board.apply(UpdatePlan(update_tasks=[TaskUpdate(id=1, output="x")]), "@A")
    after = board.view("@A", filtered=True).tasks
    assert after[0] is not before[0]
    assert after[1] is before[1]


@pytest.mark.parametrize(
    ("owner", "creator", "agent", "visible"),
    [
        ("@A", "@B", "@A", True),
        ("@A", "@B", "@B", True),
        ("@A", "@B", "@C", False),
        ("", "@B", "@B", False),
        ("@A", "@A", "@A", True),
    ],
)
def test_a_filtered_view_holds_own_and_delegated_tasks_never_unassigned_ones(
    owner: str, creator: str, agent: str, visible: bool
) -> None:
    view = board_of(create(1, owner=owner), creator=creator).view(agent, filtered=True)
    assert [row.id for row in view.tasks] == ([1] if visible else [])
    assert view.total == 1
    assert view.owner_counts == {owner or "unassigned": 1}


def test_a_task_reassigned_to_an_agent_stands_in_board_order() -> None:
    board = board_of(
        create(1, owner="@B"), create(2, owner="@A"), create(3, owner="@A"), creator="@Lead"
    )
    board.apply(UpdatePlan(update_tasks=[TaskUpdate(id=1, owner="@A")]), "@Lead")
    assert [row.id for row in board.view("@A", filtered=True).tasks] == [1, 2, 3]


task_ids = st.integers(min_value=0, max_value=5)
owners = st.sampled_from(OWNERS)
statuses = st.sampled_from(STATUSES)
creates = st.builds(
    TaskCreate,
    id=task_ids,
    status=statuses,
    description=st.sampled_from(["x", "y"]),
    owner=owners,
    dependencies=st.just([]),
)
updates = st.builds(
    TaskUpdate,
    id=task_ids,
    status=st.none() | statuses,
    description=st.none() | st.sampled_from(["x", "y"]),
    output=st.none() | st.sampled_from(["", "o"]),
    owner=st.none() | owners,
    dependencies=st.none() | st.lists(task_ids, max_size=2),
)
batches = st.lists(
    st.tuples(
        st.builds(
            UpdatePlan,
            create_tasks=st.lists(creates, max_size=3),
            update_tasks=st.lists(updates, max_size=3),
            delete_tasks=st.lists(task_ids, max_size=2),
        ),
        st.sampled_from(["@A", "@B"]),
    ),
    max_size=6,
)


def naive(tasks: dict[int, dict[str, object]], update: UpdatePlan, creator: str) -> list[int]:
    """The same semantics over a plain dict of dicts; returns the ids of refused items."""
    bad: list[int] = []
    for item in update.create_tasks:
        if item.id in tasks:
            bad.append(item.id)
        else:
            tasks[item.id] = {
                "status": item.status,
                "description": item.description,
                "owner": item.owner,
                "dependencies": item.dependencies,
                "output": "",
                "creator": creator,
            }
    for change in update.update_tasks:
        if change.id in tasks:
            values = {name: getattr(change, name) for name in FIELDS if name != "creator"}
            tasks[change.id] |= {name: value for name, value in values.items() if value is not None}
        else:
            bad.append(change.id)
    return bad + [task_id for task_id in update.delete_tasks if tasks.pop(task_id, None) is None]


@given(batches)
def test_batches_agree_with_a_simple_model(steps: Steps) -> None:
    board = Board()
    model: dict[int, dict[str, object]] = {}
    for update, creator in steps:
        refusals = board.apply(update, creator)
        assert [number_in(refusal) for refusal in refusals] == naive(model, update, creator)
    kept = [(task.id, {name: getattr(task, name) for name in FIELDS}) for task in board.tasks]
    assert kept == list(model.items())


@given(batches, st.sampled_from(["@A", "@B", "@C"]), st.booleans())
def test_views_from_indexes_agree_with_a_scan(steps: Steps, agent: str, filtered: bool) -> None:
    board = Board()
    for update, creator in steps:
        board.apply(update, creator)
        view = board.view(agent, filtered=filtered)
        scanned = [
            t.id for t in board.tasks if not filtered or (t.owner and agent in (t.owner, t.creator))
        ]
        assert [row.id for row in view.tasks] == scanned
        assert view.owner_counts == Counter(task.owner or "unassigned" for task in board.tasks)
        assert view.total == len(board.tasks)


@given(batches)
def test_a_board_rebuilt_from_its_tasks_shows_the_same(steps: Steps) -> None:
    board = Board()
    for update, creator in steps:
        board.apply(update, creator)
    again = Board(board.tasks)
    assert again.tasks == board.tasks
    assert again.view("@A", filtered=True) == board.view("@A", filtered=True)
