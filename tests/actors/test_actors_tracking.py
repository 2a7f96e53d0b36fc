"""Large containers of a state are tracked: nothing that changes is missed, and history stands."""

import heapq
import operator
import pickle
import random
from collections import ChainMap, deque
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from functools import partial
from itertools import chain, islice
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from pydantic_core import PydanticSerializationError

from cardwright.actors import BaseState, SerializableBaseModel, shadows, tracks
from cardwright.actors.changes import Snapshot
from cardwright.actors.shadows import renewed
from cardwright.actors.tracked import TrackedDict, TrackedList
from cardwright.actors.tracks import Track
from cardwright.actors.versions import Version, Versions

# Entries and containers of a board, of whatever kind.
type Found = Any


class Task(SerializableBaseModel):
    title: str
    tags: list[str] = []
    inner: dict[str, list[int]] = {}


class Board(BaseState):
    by_id: dict[int, Any] = {}
    rows: list[Any] = []
    groups: dict[str, list[Any]] = {}


class Shelf(SerializableBaseModel):
    rows: list[Any] = []


class Nested(BaseState):
    shelf: Shelf = Shelf()
    groups: dict[str, dict[int, Any]] = {}
    boxes: list[Shelf] = []


class Watcher:
    """Keeps what was published, unread."""

    def __init__(self) -> None:
        self.published: list[Snapshot[Any]] = []

    def notify_state_change(self, state: BaseState) -> None:
        self.published.append(state.snapshot())


SIZE = 100


def settled(size: int = SIZE) -> tuple[Board, Watcher]:
    """A board whose containers are tracked, with nothing that anybody else holds on to."""
    board = Board(
        by_id={at: Task(title=f"d{at}", inner={"x": [at]}) for at in range(size)},
        rows=[Task(title=f"r{at}", tags=["a"]) for at in range(size)],
    )
    watcher = Watcher()
    board.observer(watcher)
    for _ in range(4):
        board.notify_if_changed()
    assert isinstance(board.by_id, TrackedDict)
    assert isinstance(board.rows, TrackedList)
    assert not board.by_id.touched
    assert not board.rows.touched
    assert len(watcher.published) == 1
    return board, watcher


def nested(size: int = SIZE) -> tuple[Nested, Watcher]:
    """A state whose large containers are inside of others, and tracked."""
    state = Nested(
        shelf=Shelf(rows=[Task(title=f"r{at}") for at in range(size)]),
        groups={name: {at: Task(title=f"{name}{at}") for at in range(size)} for name in "ab"},
        boxes=[Shelf(rows=[at] * (size if at == 4 else 2)) for at in range(size)],
    )
    watcher = Watcher()
    state.observer(watcher)
    for _ in range(4):
        state.notify_if_changed()
    for group in state.groups.values():
        assert isinstance(group, TrackedDict)
    assert isinstance(state.shelf.rows, TrackedList)
    assert isinstance(state.boxes, TrackedList)
    assert len(watcher.published) == 1
    return state, watcher


def mapped(found: Found) -> Found:
    match found:
        case {3: task}:
            return task
        case _:
            raise AssertionError


def listed(found: Found) -> Found:
    match found:
        case [_, _, _, task, *_]:
            return task
        case _:
            raise AssertionError


def fourth(*entries: Found) -> Found:
    return entries[3]


def unpacked(found: Found) -> Found:
    first, *_ = found
    return first


def sliced(found: list[Any]) -> Found:
    return next(islice(found, 3, None))


def filled(change: Callable[[list[Any]], object]) -> list[Any]:
    plain: list[Any] = []
    change(plain)
    return plain


def added_to(plain: list[Any], entries: Found) -> list[Any]:
    same = plain
    plain += entries
    assert plain is same
    return plain


def updated(source: Found) -> dict[int, Any]:
    plain: dict[int, Any] = {}
    plain.update(source)
    return plain


FROM_DICT: dict[str, Callable[[Any], Any]] = {
    "[]": lambda d: d[3],
    "get": lambda d: d.get(3),
    "setdefault": lambda d: d.setdefault(3),
    "values": lambda d: list(d.values())[3],
    "items": lambda d: dict(d.items())[3],
    "dict": lambda d: dict(d)[3],
    "**": lambda d: {**d}[3],
    "|": lambda d: (d | {})[3],
    "r|": lambda d: ({} | d)[3],
    "copy": lambda d: d.copy()[3],
    "copy.copy": lambda d: copy(d)[3],
    "itemgetter": operator.itemgetter(3),
    "match": mapped,
    "chain": lambda d: ChainMap(d)[3],
    "map": lambda d: list[Any](map(d.__getitem__, [3]))[0],
    "update of a plain one": lambda d: updated(d)[3],
    "comprehension": lambda d: {key: value for key, value in d.items() if key == 3}[3],
    "sorted": lambda d: sorted(d.values(), key=lambda one: one.title)[3],
}
FROM_LIST: dict[str, Callable[[Any], Any]] = {
    "[]": lambda r: r[3],
    "[-]": lambda r: r[-3],
    "slice": lambda r: r[2:5][1],
    "long slice": lambda r: r[:][3],
    "list": lambda r: list(r)[3],
    "[*]": lambda r: [*r][3],
    "tuple": lambda r: tuple(r)[3],
    "call": lambda r: fourth(*r),
    "iter": lambda r: next(iter(r)),
    "reversed": lambda r: next(reversed(r)),
    "copy": lambda r: r.copy()[3],
    "copy.copy": lambda r: copy(r)[3],
    "+": lambda r: operator.add(r, [])[3],
    "r+": lambda r: operator.add([], r)[3],
    "*": lambda r: (r * 1)[3],
    "r*": lambda r: (1 * r)[3],
    "sorted": lambda r: sorted(r, key=lambda one: one.title)[3],
    "unpacked": unpacked,
    "match": listed,
    "zip": lambda r: next(zip(r, r, strict=True))[1],
    "enumerate": lambda r: next(one for _, one in enumerate[Any](r)),
    "extend of a plain one": lambda r: filled(lambda p: p.extend(r))[3],
    "+= of a plain one": lambda r: added_to([], r)[3],
    "slice of a plain one": lambda r: filled(lambda p: p.__setitem__(slice(0, 0), r))[3],
    "max": lambda r: max(r, key=lambda one: one.title),
    "filter": lambda r: list[Any](filter(None, r))[0],
    "deque": lambda r: deque(r)[3],
    "itemgetter": operator.itemgetter(3),
    "choice": random.choice,
    "islice": sliced,
    "chain": lambda r: list[Any](chain(r))[0],
    "comprehension": lambda r: [one for one in r if one.title][3],
}
FORMS = [("by_id", name, form) for name, form in FROM_DICT.items()] + [
    ("rows", name, form) for name, form in FROM_LIST.items()
]
PARTS: dict[str, Callable[[Task], Callable[[], object]]] = {
    "the entry": lambda task: lambda: setattr(task, "title", "other"),
    "a list in it": lambda task: partial(task.tags.append, "more"),
    "deep in it": lambda task: lambda: task.inner.setdefault("x", []).append(1),
    "its attributes": lambda task: partial(vars(task).update, title="other"),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
@pytest.mark.parametrize(
    ("field", "form"),
    [(field, form) for field, _, form in FORMS],
    ids=[f"{field} {name}" for field, name, _ in FORMS],
)
def test_t49_what_was_handed_out_is_watched(
    field: str, form: Callable[[Any], Any], part: Callable[[Task], Callable[[], object]]
) -> None:
    """Got in one turn, changed in a later one: noticed, whoever still holds what."""
    board, watcher = settled()
    change = part(form(getattr(board, field)))
    for _ in range(3):
        board.notify_if_changed()
    assert len(watcher.published) == 1
    change()
    board.notify_if_changed()
    board.notify_if_changed()
    assert [one.state().model_dump() for one in watcher.published][1:] == [board.model_dump()]


@pytest.mark.parametrize("field", ["by_id", "rows"])
def test_what_hands_out_entries_later_is_watched(field: str) -> None:
    board, watcher = settled()
    container = getattr(board, field)
    later: Iterator[Task] = iter(container.values()) if field == "by_id" else iter(container)
    del container
    for _ in range(3):
        board.notify_if_changed()
    next(later).title = "other"
    board.notify_if_changed()
    assert len(watcher.published) == 2


def test_who_replaces_everything_each_turn_is_not_tracked() -> None:
    board, watcher = settled()
    for turn in range(3):
        board.rows = [*board.rows, Task(title=str(turn))]
        board.notify_if_changed()
        assert type(board.rows) is list
    assert len(watcher.published) == 4


def test_an_equal_container_in_its_place_is_no_change() -> None:
    board, watcher = settled()
    board.rows = list(board.rows)
    for _ in range(4):
        board.notify_if_changed()
    board.rows[0].title = "other"
    board.notify_if_changed()
    assert len(watcher.published) == 2


def test_a_plain_container_that_others_hold_stays_theirs() -> None:
    rows = [Task(title=str(at)) for at in range(SIZE)]
    board, watcher = Board(), Watcher()
    board.rows = rows
    board.observer(watcher)
    for _ in range(4):
        board.notify_if_changed()
    rows.append(Task(title="new"))
    rows[3].title = "other"
    board.notify_if_changed()
    assert board.rows is rows
    assert len(watcher.published) == 2


def test_copies_are_plain() -> None:
    board, _ = settled()
    for twin in (
        deepcopy(board),
        board.model_copy(deep=True),
        board.serializable_copy(),
        Board.model_validate(board.model_dump()),
    ):
        assert (type(twin.by_id), type(twin.rows)) == (dict, list)
        assert twin == board
    for container in (board.by_id, board.rows):
        plain = pickle.loads(pickle.dumps(container))
        assert type(plain) in {dict, list}
        assert plain == container


def test_a_shared_container_is_noticed_by_both() -> None:
    board, watcher = settled()
    twin, other = board.model_copy(), Watcher()
    twin.observer(other)
    for _ in range(3):
        twin.notify_if_changed()
    twin.rows[1].title = "other"
    twin.notify_if_changed()
    board.notify_if_changed()
    assert len(other.published) == len(watcher.published) == 2


def test_entries_of_the_heap_queue_are_noticed() -> None:
    board, watcher = settled()
    board.rows[:] = [100 - at for at in range(SIZE)]
    for _ in range(3):
        board.notify_if_changed()
    heapq.heapify(board.rows)
    for number in (5, -1):
        heapq.heappush(board.rows, number)
    board.notify_if_changed()
    assert watcher.published[-1].state().rows == list(board.rows)
    board.notify_if_changed()
    board.notify_if_changed()
    published = len(watcher.published)
    # Same length, and past all methods of the list.
    heapq.heapreplace(board.rows, 200)
    board.notify_if_changed()
    assert len(watcher.published) == published + 1
    assert watcher.published[-1].state().rows[0] == board.rows[0]


CHANGES: dict[str, Callable[[Board], object]] = {
    "set": lambda board: board.by_id.__setitem__(3, Task(title="new")),
    "add": lambda board: board.by_id.__setitem__(1_000, Task(title="new")),
    "del": lambda board: board.by_id.__delitem__(50),
    "pop": lambda board: board.by_id.pop(50),
    "pop the last": lambda board: board.by_id.popitem(),
    "move to the end": lambda board: board.by_id.__setitem__(50, board.by_id.pop(50)),
    "insert": lambda board: board.rows.insert(50, Task(title="new")),
    "remove": lambda board: board.rows.remove(board.rows[50]),
    "pop of a list": lambda board: board.rows.pop(50),
    "del of a list": lambda board: board.rows.__delitem__(-50),
    "slice": lambda board: board.rows.__setitem__(slice(40, 45), [Task(title="new")]),
    "del of a slice": lambda board: board.rows.__delitem__(slice(40, 45)),
    "append": lambda board: board.rows.append(Task(title="new")),
    "extend": lambda board: board.rows.extend([Task(title="new")] * 3),
    "rotate": lambda board: board.rows.insert(0, board.rows.pop()),
    "a field": lambda board: setattr(board.rows[50], "title", "new"),
    "a nested list": lambda board: board.by_id[50].inner["x"].append(1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_one_entry_looks_at_few_others(
    change: Callable[[Board], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    board, watcher = settled()
    looked_at: list[object] = []

    def count(value: object, shadow: object) -> object:
        looked_at.append(value)
        return renewed(value, shadow)

    monkeypatch.setattr(tracks, "renewed", count)
    monkeypatch.setattr(Track, "_look_at_all", None)
    change(board)
    board.notify_if_changed()
    assert [one.state().model_dump() for one in watcher.published][1:] == [board.model_dump()]
    assert len(looked_at) < 12


NESTED: dict[str, Callable[[Nested], object]] = {
    "insert": lambda state: state.shelf.rows.insert(3, Task(title="new")),
    "edit": lambda state: setattr(state.shelf.rows[3], "title", "new"),
    "pop": lambda state: state.groups["a"].pop(5, None),
    "set": lambda state: state.groups["b"].__setitem__(7, Task(title="new")),
    "in an entry": lambda state: state.boxes[4].rows.append(1),
    "another model": lambda state: setattr(state, "shelf", Shelf(rows=[1])),
    "another container": lambda state: state.groups.__setitem__("a", {1: 2}),
    "another name": lambda state: state.groups.__setitem__("c", state.groups.pop("a")),
    "one more": lambda state: state.groups.__setitem__("c", state.groups["a"]),
    "less": lambda state: state.boxes.pop(3),
}


@pytest.mark.parametrize("first", NESTED.values(), ids=NESTED)
@pytest.mark.parametrize("second", ["insert", "pop", "another name", "one more"])
def test_t49_changes_inside_of_others_are_noticed(
    first: Callable[[Nested], object], second: str
) -> None:
    state, watcher = nested(70)
    dumps = [state.model_dump()]
    for change in (first, NESTED[second]):
        if "a" in state.groups and len(state.shelf.rows) > 3:
            change(state)
        for _ in range(2):
            now = deepcopy(state).model_dump()
            if now != dumps[-1] or list(now["groups"]) != list(dumps[-1]["groups"]):
                dumps.append(now)
            state.notify_if_changed()
    assert [one.state().model_dump() for one in watcher.published] == dumps


def test_a_large_container_inside_of_others_is_not_gone_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state, watcher = nested()
    monkeypatch.setattr(Track, "_look_at_all", None)
    state.shelf.rows.append(Task(title="new"))
    del state.groups["a"][3]
    state.boxes[3].rows = [1]
    state.notify_if_changed()
    assert [one.state().model_dump() for one in watcher.published][1:] == [state.model_dump()]


def test_what_is_held_inside_of_others_is_watched() -> None:
    state, watcher = nested()
    rows, group = state.shelf.rows, state.groups["a"]
    part = state.groups["b"][3]
    for turn in range(3):
        state.notify_if_changed()
        assert len(watcher.published) == 1 + turn
        (rows, group, [part])[turn].clear()
        if turn == 2:
            part.title = "other"
        state.notify_if_changed()
    assert len(watcher.published) == 4
    assert watcher.published[-1].state().model_dump() == state.model_dump()


@pytest.mark.parametrize("field", ["by_id", "rows"])
def test_what_went_and_came_back_is_no_change(field: str) -> None:
    board, watcher = settled()
    if field == "rows":
        board.rows.append(board.rows.pop())
        board.rows.insert(20, board.rows.pop(20))
        board.rows[5:7] = board.rows[5:7]
    else:
        board.by_id[SIZE - 1] = board.by_id.pop(SIZE - 1)
        board.by_id[SIZE] = Task(title="no")
        del board.by_id[SIZE]
    board.notify_if_changed()
    assert len(watcher.published) == 1


def test_what_has_no_stored_form_leaves_the_last_form_as_it_was() -> None:
    board, watcher = settled()
    del board.by_id[3]
    board.by_id[200] = object()
    board.rows.insert(1, object())
    with pytest.raises(PydanticSerializationError):
        board.notify_if_changed()
    board.by_id[200] = "fine"
    board.rows[1] = "fine"
    board.notify_if_changed()
    assert len(watcher.published) == 2
    assert watcher.published[0].state().by_id[3].title == "d3"
    assert list(watcher.published[0].state().by_id) == list(range(SIZE))
    assert watcher.published[1].state() == board


def test_a_missing_key_with_a_default_is_no_change() -> None:
    board, watcher = settled()
    assert board.by_id.get("missing", []) == []  # type: ignore[call-overload] # of another type
    board.notify_if_changed()
    assert len(watcher.published) == 1


def test_the_last_look_goes_over_everything() -> None:
    board, watcher = settled()
    twin = Board(rows=board.rows)  # validation copies the list past its methods
    twin.rows[3].title = "other"
    board.notify_if_changed()
    assert len(watcher.published) == 1
    board.notify_at_the_end()
    assert len(watcher.published) == 2


def test_what_only_c_code_saw_is_noticed_by_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracks, "_AUDIT", 5)
    board, watcher = settled()
    twin = Board(rows=board.rows)  # validation copies the list past its methods
    twin.rows[3].title = "other"
    for _ in range(5):
        board.notify_if_changed()
    assert len(watcher.published) == 2


def test_snapshots_are_read_in_any_order() -> None:
    board, watcher = settled()
    dumps = [board.model_dump()]
    for turn in range(30):
        board.by_id[turn].title = f"turn {turn}"
        board.by_id[1_000 + turn] = Task(title="new")
        board.rows.append(turn)
        if turn % 7 == 0:
            board.rows.pop(turn)
            del board.by_id[50 + turn]
        board.notify_if_changed()
        dumps.append(board.model_dump())
    order = list(range(len(dumps)))
    random.Random(7).shuffle(order)
    for at in order:
        assert watcher.published[at].state().model_dump() == dumps[at]


def test_versions_forget_what_nobody_reads() -> None:
    versions = Versions({at: at for at in range(10)})
    first = versions.newest
    for turn in range(100):
        versions.change({3: turn, 100 + turn: turn})
    assert first.form() == {at: at for at in range(10)}
    assert isinstance(versions.newest, Version)
    assert versions.newest.form() is versions.newest.form()
    assert list(versions.newest.form())[-1] == 199


KEYS = st.integers(0, 12)


class Tracking(RuleBasedStateMachine):
    """Whatever happens to small containers that are tracked too, history tells it."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(shadows, "SMALLEST", 1)
        self.board = Board(
            by_id={at: Task(title=f"d{at}") for at in range(6)},
            rows=[Task(title=f"r{at}") for at in range(6)],
            groups={name: [Task(title=f"g{at}") for at in range(3)] for name in "abc"},
        )
        self.watcher = Watcher()
        self.board.observer(self.watcher)
        self.history = [self.board.model_dump()]
        self.held: list[Any] = []

    def teardown(self) -> None:
        self.patch.undo()
        assert [one.state().model_dump() for one in self.watcher.published] == self.history

    @initialize()
    def settle(self) -> None:
        for _ in range(3):
            self.board.notify_if_changed()

    @rule(key=KEYS)
    def put(self, key: int) -> None:
        self.board.by_id[key] = Task(title=f"new {key}")

    @rule(key=KEYS, other=KEYS)
    def share(self, key: int, other: int) -> None:
        if key in self.board.by_id:
            self.board.by_id[other] = self.board.by_id[key]
            self.board.rows.append(self.board.by_id[key])

    @rule(key=KEYS)
    def change_entry(self, key: int) -> None:
        if (task := self.board.by_id.get(key)) is not None and isinstance(task, Task):
            task.title += "!"

    @rule(key=KEYS)
    def change_part(self, key: int) -> None:
        if len(self.board.rows) > key and isinstance(self.board.rows[key], Task):
            self.board.rows[key].tags.append("x")

    @rule(key=KEYS)
    def hold(self, key: int) -> None:
        if key in self.board.by_id:
            self.held.append(self.board.by_id[key])
        if len(self.board.rows) > key:
            one = self.board.rows[-1 - key]
            self.held.append(one.tags if isinstance(one, Task) else one)

    @rule()
    def change_held(self) -> None:
        for one in self.held:
            if isinstance(one, Task):
                one.inner["h"] = [len(one.inner)]
            elif isinstance(one, list):
                one.append("held")

    @rule()
    def release(self) -> None:
        self.held.clear()

    @rule(key=KEYS)
    def remove(self, key: int) -> None:
        self.board.by_id.pop(key, None)
        if len(self.board.rows) > key:
            del self.board.rows[key]

    @rule(key=KEYS)
    def move(self, key: int) -> None:
        if key in self.board.by_id:
            self.board.by_id[key] = self.board.by_id.pop(key)
        self.board.rows.reverse()

    @rule(key=KEYS)
    def insert(self, key: int) -> None:
        self.board.rows.insert(key, Task(title="inserted"))
        self.board.by_id |= {key + 20: Task(title="more")}

    @rule(key=KEYS)
    def assign(self, key: int) -> None:
        self.board.rows[key : key + 2] = [Task(title="slice")]
        self.board.rows += [Task(title="end")]

    @rule(key=KEYS)
    def pop_and_append(self, key: int) -> None:
        if self.board.rows:
            self.board.rows.pop()
            self.board.rows.append(Task(title=f"again {key}"))

    @rule(key=KEYS, other=KEYS)
    def cut(self, key: int, other: int) -> None:
        del self.board.rows[key : key + other % 3]
        self.board.rows.insert(other, Task(title="cut"))

    @rule()
    def turn_round(self) -> None:
        if self.board.rows:
            self.board.rows.insert(0, self.board.rows.pop())
        if self.board.by_id:
            key, entry = self.board.by_id.popitem()
            self.board.by_id[key] = entry

    @rule(name=st.sampled_from("abcd"), key=KEYS)
    def change_group(self, name: str, key: int) -> None:
        group = self.board.groups.setdefault(name, [])
        group.insert(key, Task(title="in a group"))
        if key % 3 == 0 and isinstance(group[0], Task):
            group[0].tags.append("x")
        if key % 4 == 0:
            self.held.append(group[-1])

    @rule(name=st.sampled_from("abcd"), other=st.sampled_from("abcd"))
    def move_group(self, name: str, other: str) -> None:
        if name in self.board.groups:
            self.board.groups[other] = self.board.groups.pop(name)

    @rule(name=st.sampled_from("abcd"))
    def share_group(self, name: str) -> None:
        if (group := self.board.groups.get(name)) is not None:
            self.board.rows.append(group)
            self.board.by_id[9] = group

    @rule()
    def change_all(self) -> None:
        for one in chain(self.board.rows, self.board.by_id.values()):
            if isinstance(one, Task):
                one.title = one.title[:3]

    @rule()
    def replace(self) -> None:
        self.board.rows = list(self.board.rows)
        self.board.by_id = dict(self.board.by_id)

    @rule()
    def sort(self) -> None:
        self.board.rows.sort(key=repr)

    @rule()
    def read_some(self) -> None:
        self.watcher.published[len(self.watcher.published) // 2].state()

    @rule()
    def checkpoint(self) -> None:
        now = deepcopy(self.board).model_dump()
        self.board.notify_if_changed()
        if repr(now) != repr(self.history[-1]):
            self.history.append(now)

    @invariant()
    def published_so_far(self) -> None:
        assert len(self.watcher.published) == len(self.history)


TestTracking = Tracking.TestCase
TestTracking.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
