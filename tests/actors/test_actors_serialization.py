"""Dumps that restore concrete types, addresses and bytes (C6)."""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated, Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import (
    BaseModel,
    Field,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    computed_field,
    field_serializer,
)

from cardwright.actors import (
    SerializableBaseModel,
    UnknownObject,
    UnresolvableClassError,
    deserialize_object,
    register_type,
    serialize,
    stored_context,
)
from cardwright.actors.loading import is_uuid_canonical
from cardwright.actors.messages import (
    ClosedNotification,
    ErrorMessage,
    EventMessage,
    Message,
    NotificationMessage,
    TeamStoppingEvent,
    UserMessage,
)


class Colour(StrEnum):
    RED = "red"


class Node(SerializableBaseModel):
    value: int = 1
    children: "list[Node]" = []


class Leaf(Node):
    weight: int = 2


type Loud = Annotated[str, PlainSerializer(str.upper)]


class SortedTags(SerializableBaseModel):
    tags: set[str] = set()
    shout: Loud = "x"

    @field_serializer("tags")
    def _sorted(self, tags: set[str]) -> list[str]:
        return sorted(tags, reverse=True)


@register_type
@dataclass(frozen=True)
class Point:
    x: int
    node: Node


class Plain(BaseModel):
    text: str


class Everything(SerializableBaseModel):
    node: Node = Node()
    nodes: list[Node] = []
    by_name: dict[str, Node] = {}
    identifier: UUID = UUID(int=7)
    moment: datetime = datetime(2026, 1, 2, tzinfo=UTC)
    data: bytes = b"\x00\xff"
    colour: Colour = Colour.RED
    kind: type[Node] = Node
    anything: Any = None
    pair: tuple[int, str] = (1, "a")
    names: set[str] = set()
    path: PurePosixPath = PurePosixPath("a/b")
    point: Point | None = None
    hidden: str = Field(default="secret", exclude=True)


FULL = Everything(
    node=Leaf(children=[Leaf(), Node()]),
    nodes=[Node(), Leaf(weight=5)],
    by_name={"leaf": Leaf()},
    anything={"point": Point(1, Leaf()), "raw": b"ab", "list": [Leaf()]},
    names={"b", "a"},
    point=Point(2, Leaf()),
)


def test_a_dump_is_json_and_ends_with_its_type() -> None:
    dumped = FULL.model_dump()
    assert json.loads(json.dumps(dumped)) == dumped
    assert json.loads(FULL.model_dump_json()) == dumped
    assert FULL.model_dump(mode="json") == dumped
    assert list(dumped)[-1] == "__model__"
    assert dumped["__model__"] == f"{__name__}.Everything"
    assert dumped["identifier"] == str(UUID(int=7))
    assert dumped["moment"] == "2026-01-02T00:00:00+00:00"
    assert dumped["data"] == {"__bytes__": "AP8="}
    assert dumped["kind"] == {"__type__": f"{__name__}.Node"}
    assert dumped["names"] == ["a", "b"]
    assert "hidden" not in dumped


def test_concrete_types_survive() -> None:
    restored = deserialize_object(FULL.model_dump())
    assert isinstance(restored, Everything)
    assert restored == FULL
    assert type(restored.node) is Leaf
    assert type(restored.nodes[1]) is Leaf
    assert isinstance(restored.anything["point"], Point)
    assert Everything.model_validate(FULL.model_dump()) == FULL
    assert Everything.model_validate_json(FULL.model_dump_json()) == FULL


def test_serializers_aliases_and_computed_fields_are_honoured() -> None:
    class Rich(SerializableBaseModel):
        inner: SortedTags = SortedTags(tags={"a", "b"})
        named: int = Field(default=1, validation_alias="old_name")

        @computed_field  # type: ignore[prop-decorator] # the documented order of pydantic
        @property
        def double(self) -> int:
            return self.named * 2

    dumped = Rich.model_validate({"old_name": 4}).model_dump()
    assert dumped["inner"]["tags"] == ["b", "a"]
    assert dumped["inner"]["shout"] == "X"
    assert dumped["double"] == 8
    assert dumped["__model__"].endswith("Rich")
    assert list(dumped)[-1] == "__model__"
    assert FULL.model_dump(include={"colour"}) == {
        "colour": "red",
        "__model__": f"{__name__}.Everything",
    }
    assert "point" not in Everything().model_dump(exclude_none=True)


def test_inside_plain_models_and_adapters_too() -> None:
    class Holder(BaseModel):
        node: Node | bool = True
        many: dict[str, Node] = {}

    dumped = Holder(node=Leaf(), many={"a": Leaf()}).model_dump(mode="json")
    assert dumped["node"]["weight"] == dumped["many"]["a"]["weight"] == 2
    assert Holder().model_dump(mode="json") == {"node": True, "many": {}}
    (leaf,) = TypeAdapter(list[Node]).validate_python([Leaf().model_dump()])
    assert type(leaf) is Leaf
    assert type(Holder.model_validate(dumped).node) is Leaf


def test_the_root_dump_of_a_subclass_is_refused_by_the_base() -> None:
    with pytest.raises(ValidationError, match="deserialize_object"):
        Node.model_validate(Leaf().model_dump())
    with pytest.raises(ValidationError, match="deserialize_object"):
        Node.model_validate_json(Leaf().model_dump_json())
    assert type(deserialize_object(Leaf().model_dump())) is Leaf


def test_another_type_is_refused_where_a_type_is_declared() -> None:
    with pytest.raises(ValidationError, match="cannot stand where Node belongs"):
        Everything(node=Plain(text="x").model_dump() | {"__model__": f"{__name__}.SortedTags"})  # type: ignore[arg-type] # what a payload could hold


def test_unknown_keys_are_errors_in_code() -> None:
    with pytest.raises(ValidationError, match="valeu"):
        Node(valeu=1)  # type: ignore[call-arg] # the misspelling under test
    with pytest.raises(ValidationError, match="other"):
        Node.model_validate({"other": 1})


def test_unknown_keys_of_stored_data_are_skipped_with_one_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    stored = Node().model_dump() | {"gone": 1, "also": 2}
    assert deserialize_object(stored) == Node()
    assert Node.model_validate(stored, context=stored_context()) == Node()
    assert Node.model_validate({"gone": 1}, context=stored_context()) == Node()
    assert len(caplog.records) == 3
    assert "Node has unknown keys, skipped: also, gone" in caplog.text


def test_stored_data_can_be_upgraded() -> None:
    class Renamed(SerializableBaseModel):
        present: int = 0

        @classmethod
        def upgrade_stored(cls, data: dict[str, object]) -> dict[str, object]:
            return {"present" if key == "past" else key: value for key, value in data.items()}

    assert Renamed.model_validate({"past": 3}, context=stored_context()).present == 3
    with pytest.raises(ValidationError):
        Renamed.model_validate({"past": 3})


def test_values_are_never_echoed() -> None:
    with pytest.raises(ValidationError) as caught:
        Everything.model_validate(
            FULL.model_dump() | {"node": {"value": "hunter2", "__model__": f"{__name__}.Node"}}
        )
    assert "hunter2" not in str(caught.value)
    assert "node.value" in str(caught.value)


def test_reserved_keys_of_users_stay_data() -> None:
    tricky = {
        "__model__": f"{__name__}.Leaf",
        "deep": [{"__bytes__": "AAAA"}, {"__type__": "os.system"}, {"__escaped__": 1}],
        "who": {"__actor_address__": True},
    }
    restored = deserialize_object(Everything(anything=tricky).model_dump())
    assert isinstance(restored, Everything)
    assert restored.anything == tricky
    assert Everything(anything=tricky).anything == tricky


def test_nothing_named_by_a_payload_is_imported_or_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(name: str, package: str | None = None) -> None:
        raise AssertionError(name, package)

    monkeypatch.setattr("cardwright.actors.registry.import_module", refuse)
    for marker in ("subprocess.Popen", "os.system", "antigravity.Thing", "builtins.eval"):
        payload = {"args": ["true"], "__model__": marker}
        loaded = deserialize_object(payload)
        assert isinstance(loaded, UnknownObject)
        assert loaded.marker == marker
        assert isinstance(deserialize_object({"__type__": marker}), UnknownObject)


def test_a_declared_class_that_is_no_data_is_not_called() -> None:
    marker = "cardwright.actors.system.ActorSystem"
    with pytest.raises(ValueError, match="no type of stored values"):
        deserialize_object({"__model__": "cardwright.actors.akgent.Akgent"})
    assert isinstance(deserialize_object({"__model__": marker}), UnknownObject)


def test_a_placeholder_dumps_back_unchanged() -> None:
    payload = {"a": [1, {"__bytes__": "AAAA"}], "__model__": "gone.Class"}
    event = deserialize_object(EventMessage(event=None).model_dump() | {"event": payload})
    assert isinstance(event, EventMessage)
    assert isinstance(event.event, UnknownObject)
    assert event.model_dump()["event"] == payload
    again = deserialize_object(event.model_dump())
    assert again == event
    assert repr(event.event) == "UnknownObject('gone.Class')"


def test_t70_a_vanished_element_of_a_list_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    stored = Everything(nodes=[Node(), Leaf()]).model_dump()
    stored["nodes"].insert(1, {"value": 3, "__model__": "gone.Class"})
    restored = deserialize_object(stored)
    assert isinstance(restored, Everything)
    assert restored.nodes == [Node(), Leaf()]
    assert "nodes[1]" in caplog.text
    assert "gone.Class" in caplog.text


def test_t70_a_vanished_field_fails() -> None:
    stored = Everything().model_dump() | {"node": {"__model__": "gone.Class"}}
    with pytest.raises(ValidationError, match=r"gone\.Class"):
        Everything.model_validate(stored)
    with pytest.raises(ValueError, match=r"gone\.Class"):
        deserialize_object(stored)
    assert issubclass(UnresolvableClassError, ValueError)


def test_t71_old_notifications_load_with_defaults() -> None:
    stored = NotificationMessage().model_dump()
    for key in ("content", "content_type"):
        del stored[key]
    restored = deserialize_object(stored | {"legacy": True})
    assert isinstance(restored, NotificationMessage)
    assert (restored.content, restored.content_type) == ("", None)


def test_t72_events_come_back_as_what_they_can_be() -> None:
    def through(event: object) -> object:
        restored = deserialize_object(EventMessage(event=event).model_dump())
        assert isinstance(restored, EventMessage)
        return restored.event

    closed = ClosedNotification(uuid4())
    assert through(closed) == closed
    assert through(TeamStoppingEvent()) == TeamStoppingEvent()
    assert through(Leaf()) == Leaf()
    assert through(Plain(text="x")) == {"text": "x"}
    assert through([Point(1, Leaf())]) == [Point(1, Leaf())]


def test_an_undeclared_dataclass_loads_here_but_says_so(caplog: pytest.LogCaptureFixture) -> None:
    @dataclass
    class Loose:
        value: int

    assert deserialize_object(serialize(Loose(3))) == Loose(3)
    assert "not declared" in caplog.text


def test_polymorphic_messages() -> None:
    inner = UserMessage(content="hi")
    error = ErrorMessage(current_message=inner, traceback="…")
    assert deserialize_object(error.model_dump()) == error
    assert isinstance(error, Message)


def test_malformed_stored_values() -> None:
    with pytest.raises(ValueError, match="base64"):
        deserialize_object({"__bytes__": "***"})
    with pytest.raises(ValueError, match="agent_id"):
        deserialize_object({"__actor_address__": True, "agent_id": "nonsense"})
    with pytest.raises(ValueError, match="Input should be a valid integer"):
        deserialize_object({"x": "a", "__model__": f"{__name__}.Point"})


def test_canonical_uuid() -> None:
    text = "0d2a2a7e-1111-4222-8333-444455556666"
    assert is_uuid_canonical(text)
    assert not is_uuid_canonical(text.upper())
    assert deserialize_object(text, canonical_uuid=True) == UUID(text)
    assert deserialize_object(text) == text
    assert deserialize_object([text], canonical_uuid=True) == [text]


def test_a_parametrised_generic_is_stored_under_its_own_name() -> None:
    class Box[T](SerializableBaseModel):
        content: T

    dumped = Box[int](content=1).model_dump()
    assert "[" not in dumped["__model__"]
    assert Box[int].model_validate(dumped) == Box[int](content=1)


def test_unknown_types_cannot_be_dumped() -> None:
    with pytest.raises(Exception, match="serialize"):
        serialize({"x": object()})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.text() | st.sampled_from(["__model__", "__type__", "__bytes__", "__escaped__"]),
            inner,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_data_of_the_user_survives(value: object) -> None:
    stored = json.loads(json.dumps(EventMessage(event=value).model_dump()))
    restored = deserialize_object(stored)
    assert isinstance(restored, EventMessage)
    assert restored.event == value


@given(st.recursive(st.builds(Leaf), lambda inner: st.builds(Node, children=st.lists(inner))))
def test_any_tree_of_models_survives(tree: Node) -> None:
    assert deserialize_object(json.loads(tree.model_dump_json())) == tree


class Abstract(SerializableBaseModel, ABC):
    @abstractmethod
    def act(self) -> None: ...


def test_what_cannot_be_constructed_any_more_is_named() -> None:
    with pytest.raises(ValueError, match="Abstract cannot be constructed"):
        deserialize_object({"__model__": f"{__name__}.Abstract"})
    with pytest.raises(ValueError, match="Point"):
        deserialize_object({"x": 1, "__model__": f"{__name__}.Point"})
