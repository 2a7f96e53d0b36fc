"""What a team stores: short ways give what the long ones give, and patches what was changed."""

import json
from datetime import datetime
from typing import Literal, cast
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from cardwright.actors import ActorAddressProxy, BaseConfig, deserialize_object, serialize
from cardwright.actors.identity import ActorIdentity
from cardwright.actors.messages import (
    ErrorMessage,
    EventMessage,
    HandledMessage,
    Message,
    ProcessedMessage,
    ReceivedMessage,
    ResultMessage,
    SentMessage,
    StartMessage,
    UserMessage,
)
from cardwright.actors.records import live_message
from cardwright.store.teams.fast_messages import LiveAddresses, MessageReader
from cardwright.store.teams.message_texts import MessageTexts
from cardwright.store.teams.patches import Patch, difference, patched
from cardwright.store.teams.payloads import as_data

TEAM = uuid4()
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False)
JSON = st.recursive(
    SCALARS | st.text(max_size=2),
    lambda it: st.lists(it, max_size=5) | st.dictionaries(st.text(max_size=2), it, max_size=4),
    max_leaves=20,
)


def same(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(JSON, JSON)
def test_a_patch_makes_the_new_of_the_old(old: object, new: object) -> None:
    patch = difference(old, new)
    if patch is None:
        assert same(old, new)
        return
    before = json.dumps(old)
    stored = cast("Patch", json.loads(json.dumps(patch)))
    assert same(patched(old, stored), new)
    assert json.dumps(old) == before


def test_a_patch_is_as_small_as_the_change() -> None:
    old = {"tasks": [{"id": n, "text": "x" * 50} for n in range(1_000)]}
    tasks = old["tasks"]
    changed = {"tasks": [*tasks[:500], {**tasks[500], "text": "y"}, *tasks[501:]]}
    longer = {"tasks": [*tasks, {"id": 1_000, "text": "new"}]}
    shorter = {"tasks": tasks[:10] + tasks[11:]}
    for new in (changed, longer, shorter):
        assert len(json.dumps(difference(old, new))) < 100


def test_a_patch_of_another_value_is_refused() -> None:
    with pytest.raises(ValueError, match="another value"):
        patched({"a": 1}, {"~": {"a": {"~": {"b": {".": [3, {"=": 1}]}}}}})


class Ruled(Message):
    """Loading it takes validation."""

    size: int = Field(default=1, ge=1)


class Shown(Message):
    """Declares a common field anew."""

    text: str
    display_type: Literal["human", "ai", "other"] = "ai"


def address(name: str) -> ActorAddressProxy:
    return ActorAddressProxy(ActorIdentity("x.Y", uuid4(), name, "R", TEAM))


def samples() -> list[Message]:
    note = UserMessage(content='héllo "x" \\ \ud800 \x00').init(address("@A"), TEAM)
    return [
        note,
        ResultMessage(content="").init(address("@B"), None, note),
        Shown(text="x", timestamp=None),
        Ruled(size=3),
        SentMessage(message=note, recipient=address("@B")).init(address("@A"), TEAM),
        SentMessage(message=Ruled(), recipient=address("@B")).init(address("@A"), TEAM),
        ReceivedMessage(message_id=note.id).init(address("@B"), TEAM, note),
        ProcessedMessage(message_id=note.id).init(address("@B"), TEAM, note),
        HandledMessage(message_id=note.id).init(address("@B"), TEAM),
        StartMessage(config=BaseConfig(name="@A")).init(address("@A"), TEAM),
        ErrorMessage(content="no", current_message=note),
        EventMessage(event={"a": [b"bytes", datetime(2026, 1, 1)]}),  # noqa: DTZ001 - as stored
    ]


@pytest.mark.parametrize("message", samples(), ids=lambda it: type(it).__name__)
def test_texts_are_dumps_and_load_as_the_message(message: Message) -> None:
    text = MessageTexts().text(message)
    assert json.loads(text) == serialize(message)
    assert list(json.loads(text)) == list(cast("dict[str, object]", serialize(message)))
    read = MessageReader(LiveAddresses(), TEAM).read(as_data(text))
    assert read == deserialize_object(json.loads(text))
    assert type(read) is type(message)
    assert read is not None
    assert serialize(read) == serialize(message)
    assert isinstance(read.id, UUID)
    entry = MessageReader(LiveAddresses(), TEAM).entry(as_data(text))
    assert entry is not None
    assert serialize(live_message(entry)) == serialize(message)


def test_what_does_not_fit_takes_the_long_way() -> None:
    """A number where text belongs, an unknown key: as `deserialize_object` has it."""
    reader = MessageReader(LiveAddresses(), TEAM)
    data = cast("dict[str, object]", json.loads(MessageTexts().text(UserMessage(content="x"))))
    assert reader.read({**data, "content": 3}) is None
    extra = reader.read({**data, "unheard_of": 1})
    assert isinstance(extra, UserMessage)
    less = {key: value for key, value in data.items() if key != "parent_id"}
    assert isinstance(reader.read(less), UserMessage)
    gone = reader.read({**data, "__model__": "no.longer.Here"})
    assert gone is None


def test_what_cannot_be_stored_says_so() -> None:
    text = MessageTexts().text(EventMessage(event=object()).init(address("@A"), TEAM))
    read = deserialize_object(json.loads(text))
    assert isinstance(read, ErrorMessage)
    assert (read.content_type, read.sender is not None) == ("NotStored", True)
