"""States with large containers, and who watches them."""

from typing import Any

from cardwright.actors import BaseState, SerializableBaseModel
from cardwright.actors.changes import Snapshot
from cardwright.actors.tracked import TrackedDict, TrackedList


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
