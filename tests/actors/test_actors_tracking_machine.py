"""Whatever happens to tracked containers, in any order: history tells it."""

from copy import deepcopy
from itertools import chain
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.actors.tracking_support import Board, Task, Watcher

from cardwright.actors import shadows

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
            elif type(one) is not str:
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
TestTracking.settings = settings(max_examples=30, stateful_step_count=40, deadline=None)
