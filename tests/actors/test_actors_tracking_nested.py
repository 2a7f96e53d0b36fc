"""Large containers inside of others are tracked as well."""

from collections.abc import Callable
from copy import deepcopy

import pytest
from tests.actors.tracking_support import Nested, Shelf, Task, nested

from cardwright.actors.tracks import Track

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
