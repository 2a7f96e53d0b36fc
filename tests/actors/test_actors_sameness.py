"""A value that is equal to the last one and stored as another is a change."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from decimal import Decimal
from math import nan
from typing import Any, cast

import pytest
from tests.actors.tracking_support import SIZE, Board, Task, Watcher, settled

from cardwright.actors import BaseState, SerializableBaseModel
from cardwright.actors.sameness import is_alike

NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)
EAST = timezone(timedelta(hours=2))


class Flat(SerializableBaseModel):
    """Compared in bulk."""

    value: int | float | bool | Decimal | datetime | time | None = None
    values: list[int | float | bool | Decimal | datetime | time] = []


class Anything(BaseState):
    value: Any = None


@dataclass
class Data:
    value: Any


UNLIKE: list[tuple[Any, Any]] = [
    (Decimal("1.5"), Decimal("1.50")),
    (NOON, NOON.astimezone(EAST)),
    (time(12, tzinfo=UTC), time(14, tzinfo=EAST)),
    (0.0, -0.0),
    (3, 3.0),
    (1, True),
    (1.0, True),
    (0, False),
]
PLACES: dict[str, Callable[[Any], Any]] = {
    "itself": lambda value: value,
    "list": lambda value: [value, "x"],
    "long list": lambda value: [value] * SIZE,
    "tuple": lambda value: (value, (value,)),
    "dict": lambda value: {"a": {"b": value}},
    "key": lambda value: {value: "x", "y": 1},
    "set": lambda value: {value, "x"},
    "frozenset": lambda value: frozenset({(value, 1)}),
    "flat": lambda value: Flat(value=None).model_copy(update={"value": value}),
    "list of a flat one": lambda value: Flat().model_copy(update={"values": [value]}),
    "rows": lambda value: [Flat().model_copy(update={"values": [value]}) for _ in range(SIZE)],
    "model": lambda value: Task(title="x").model_copy(update={"inner": {"x": [value]}}),
    "dataclass": Data,
}


@pytest.mark.parametrize(("one", "other"), UNLIKE, ids=repr)
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_an_equal_value_that_is_stored_otherwise_is_a_change(
    place: Callable[[object], object], one: object, other: object
) -> None:
    state, watcher = Anything(value=None), Watcher()
    state.value = place(one)
    state.observer(watcher)
    state.value = place(one)
    state.notify_if_changed()
    assert len(watcher.published) == 1
    for value in (other, one):
        state.value = place(value)
        state.notify_if_changed()
    assert len(watcher.published) == 3
    told = [repr(one.state().value) for one in watcher.published]
    assert told == [repr(place(one)), repr(place(other)), repr(place(one))]


@pytest.mark.parametrize(("one", "other"), UNLIKE, ids=repr)
def test_so_it_is_in_tracked_containers(one: object, other: object) -> None:
    board, watcher = settled()
    by_key = cast("dict[object, object]", board.by_id)
    board.rows[3] = board.by_id[3] = one
    by_key[one] = "key"
    for _ in range(3):
        board.notify_if_changed()
    published = len(watcher.published)
    board.rows[3] = board.by_id[3] = other
    board.notify_if_changed()
    told = watcher.published[-1].state()
    assert isinstance(told, Board)
    assert (repr(told.rows), repr(told.by_id)) == (repr(board.rows), repr(board.by_id))
    by_key.pop(one)
    by_key[other] = "key"
    board.notify_if_changed()
    assert len(watcher.published) == published + 2
    assert repr(watcher.published[-1].state().by_id) == repr(board.by_id)


def test_what_is_no_number_is_like_another() -> None:
    assert is_alike([nan, Decimal("NaN")], [float("nan"), Decimal("NaN")])
    state, watcher = Anything(value=[nan]), Watcher()
    state.observer(watcher)
    state.value = [float("nan")]
    state.notify_if_changed()
    assert len(watcher.published) == 1
