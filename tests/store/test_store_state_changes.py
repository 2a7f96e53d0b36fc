"""What is stored of a state is what changed in it, and adds up to the whole."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.actors import BaseState, SerializableBaseModel, serialize
from cardwright.actors.addresses import ActorAddressProxy
from cardwright.actors.changes import Snapshot
from cardwright.actors.identity import ActorIdentity
from cardwright.actors.messages import StateChangedMessage
from cardwright.core.written_state import WrittenState
from cardwright.store.teams import renewal
from cardwright.store.teams.intake import StateNote
from cardwright.store.teams.json_text import as_text
from cardwright.store.teams.patches import patched
from cardwright.store.teams.states import StateBook


class Item(SerializableBaseModel):
    title: str
    tags: list[str] = []


class Board(BaseState):
    number: int | float | bool = 0
    by_id: dict[int, Any] = {}
    rows: list[Any] = []
    inner: dict[str, dict[str, list[Item]]] = {}
    odd: dict[str, object] = {}
    members: dict[UUID, int] = {}


class Copies:
    """Keeps what was published."""

    def __init__(self) -> None:
        self.last = BaseState()

    def notify_state_change(self, state: BaseState) -> None:
        self.last = state.snapshot().state()


SENDER = ActorAddressProxy(
    ActorIdentity(actor_type="", agent_id=uuid4(), name="@A", role="A", team_id=uuid4())
)
STEPS = st.tuples(st.integers(0, 12), st.integers(0, 90))


def change(board: Board, kind: int, at: int) -> None:  # noqa: C901, PLR0912 - one of many ways
    match kind:
        case 0:
            board.by_id[at] = Item(title=f"new {at}")
        case 1:
            board.by_id.pop(at, None)
        case 2:
            board.by_id[at] = board.by_id.pop(at, 0)
        case 3:
            board.rows.insert(at, Item(title="new"))
        case 4:
            del board.rows[at : at + 2]
        case 5:
            board.rows.append(at % 3)
        case 6 if len(board.rows) > at and isinstance(board.rows[at], Item):
            board.rows[at].tags.append("x")
        case 7:
            board.inner.setdefault(str(at % 3), {}).setdefault("x", []).append(Item(title="i"))
        case 8:
            board.odd["__model__" if at % 2 else "plain"] = {"__type__": at}
        case 9:
            board.number = (0, False, 0.0, 1, True)[at % 5]
        case 10:
            board.rows = [*board.rows]
            board.by_id = dict(sorted(board.by_id.items(), reverse=at % 2 == 0))
        case 11:
            board.rows.reverse()
        case _ if at % 2:
            board.members[UUID(int=at)] = at
        case _:
            board.members.pop(UUID(int=at + 1), None)


@given(st.lists(STEPS, max_size=25))
def test_the_changes_add_up_to_the_state(steps: list[tuple[int, int]]) -> None:
    board, copies, book = Board(), Copies(), StateBook()
    board.by_id = {at: Item(title=str(at)) for at in range(70)}
    board.rows = [Item(title=str(at)) for at in range(70)]
    board.observer(copies)
    stored: object = None
    for kind, at in [(5, 0), (5, 0), *steps]:
        change(board, kind, at)
        board.notify_if_changed()
        told = book.change(StateChangedMessage(state=copies.last, sender=SENDER))
        if told is not None:
            stored = patched(stored, json.loads(told[1])["patch"])
        # As text, for the order of keys and the kinds of numbers.
        assert json.dumps(stored) == json.dumps(json.loads(as_text(serialize(board))))


class Notes:
    """Keeps what was published as it travels to the store."""

    def __init__(self) -> None:
        self.last: Snapshot[Any] | None = None

    def notify_state_change(self, state: BaseState) -> None:
        self.last = state.snapshot()


class Written(WrittenState):
    number: int = 0
    by_name: dict[str, Item] = {}
    by_id: dict[int, Item] = {}
    rows: list[Item] = []


def write(board: Written, kind: int, at: int) -> None:
    item = Item(title=f"new {at}")
    match kind:
        case 0 | 1 | 2:
            board.put("by_name", f"key {at}", item)
        case 3 if f"key {at}" in board.by_name:
            board.drop("by_name", f"key {at}")
        case 4 | 5:
            board.put("rows", min(at, len(board.rows)), item)
        case 6:
            board.put("rows", len(board.rows), item)
        case 7 if at < len(board.rows):
            board.drop("rows", at)
        case 8:
            board.put("by_id", at, item)
        case 9:
            board.put("by_name", "__model__", item)
        case 10:
            board.by_name = dict(board.by_name)
        case 11 if board.rows:
            board.put("rows", at % len(board.rows), board.rows[at % len(board.rows)])
        case _:
            board.number = at


def adds_up(board: BaseState, changes: Iterable[tuple[Callable[[], None], bool]]) -> None:
    """Tell a book of every publication, or of some: each state counts as it is told."""
    notes, book = Notes(), StateBook()
    board.observer(notes)
    stored: object = None
    for change_it, is_told in changes:
        change_it()
        board.notify_if_changed()
        whole = json.dumps(json.loads(as_text(serialize(board))))
        if not is_told or notes.last is None:
            continue
        told = book.change(StateNote(SENDER, notes.last))
        if told is not None:
            stored = patched(stored, json.loads(told[1])["patch"])
        assert json.dumps(stored) == whole


TOLD_STEPS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 90), st.booleans()), max_size=25)


@given(TOLD_STEPS)
def test_the_changes_add_up_when_they_are_found_in_the_history(
    steps: list[tuple[int, int, bool]],
) -> None:
    board = Written(
        by_name={f"key {at}": Item(title=str(at)) for at in range(70)},
        rows=[Item(title=str(at)) for at in range(70)],
    )
    adds_up(board, [(partial(write, board, kind, at), told) for kind, at, told in steps])
    large = Board(
        by_id={at: Item(title=str(at)) for at in range(70)},
        rows=[Item(title=str(at)) for at in range(70)],
    )
    adds_up(large, [(partial(change, large, kind, at), told) for kind, at, told in steps])


def test_a_note_that_is_told_late_counts_as_it_was() -> None:
    board, notes, book = Written(rows=[Item(title="a")]), Notes(), StateBook()
    board.observer(notes)
    kept: list[Snapshot[Any]] = []
    for title in ("b", "c", "d"):
        board.put("rows", 0, Item(title=title))
        board.put("by_name", title, Item(title=title))
        board.notify_state_change()
        assert notes.last is not None
        kept.append(notes.last)
    stored: object = None
    for note, title in zip(kept, ("b", "c", "d"), strict=True):
        told = book.change(StateNote(SENDER, note))
        assert told is not None
        stored = patched(stored, json.loads(told[1])["patch"])
        whole = json.loads(as_text(serialize(note.state())))
        assert whole["rows"][0]["title"] == title
        assert json.dumps(stored) == json.dumps(whole)


def test_one_entry_of_a_large_state_is_stored_without_writing_the_state_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board, notes, book = Written(), Notes(), StateBook()
    for at in range(1_000):
        board.put("rows", at, Item(title=str(at)))
        board.put("by_name", str(at), Item(title=str(at)))
    board.observer(notes)
    for at in (1, 2, 3):
        board.put("rows", at, Item(title="new"))
        board.put("by_name", str(at), Item(title="new"))
        board.notify_state_change()
        assert notes.last is not None
        told = book.change(StateNote(SENDER, notes.last))
        assert told is not None
        assert (len(told[1]) < 600) is (at > 1)
        # From the second one on, whoever writes a state out is wrong.
        monkeypatch.setattr(Snapshot, "state", None)


def test_a_change_of_one_entry_is_all_that_is_written_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[object] = []

    def count(value: object) -> object:
        written.append(value)
        return serialize(value)

    monkeypatch.setattr(renewal, "serialize", count)
    board, copies, book = Board(), Copies(), StateBook()
    board.by_id = {at: Item(title=str(at)) for at in range(1_000)}
    board.rows = [Item(title=str(at)) for at in range(1_000)]
    board.observer(copies)
    book.change(StateChangedMessage(state=copies.last, sender=SENDER))
    for kind in (0, 1, 3, 4, 5, 6):
        for _ in range(2):
            board.notify_if_changed()
        written.clear()
        change(board, kind, 40)
        board.notify_if_changed()
        told = book.change(StateChangedMessage(state=copies.last, sender=SENDER))
        assert told is not None
        assert len(told[1]) < 400
        assert len(written) <= 2


def test_what_cannot_be_stored_leaves_what_is() -> None:
    board, copies, book = Board(), Copies(), StateBook()
    board.observer(copies)
    first = book.change(StateChangedMessage(state=copies.last, sender=SENDER))
    assert first is not None
    broken = copies.last.model_copy()
    vars(broken)["number"] = object()
    with pytest.raises(ValueError, match="serialize"):
        book.change(StateChangedMessage.model_construct(state=broken, sender=SENDER))
    board.number = 7
    board.notify_if_changed()
    told = book.change(StateChangedMessage(state=copies.last, sender=SENDER))
    assert told is not None
    assert json.loads(told[1])["patch"] == {"~": {"number": {"=": 7}}}
