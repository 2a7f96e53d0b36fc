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
from pydantic_core import PydanticSerializationError
from tests.actors.tracking_support import SIZE, Board, Task, Watcher, settled

from cardwright.actors import tracks
from cardwright.actors.shadows import renewed
from cardwright.actors.tracks import Track
from cardwright.actors.versions import Version, Versions

# Entries and containers of a board, of whatever kind.
type Found = Any


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
