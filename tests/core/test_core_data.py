"""The annotations of generated types."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from cardwright.actors import stored_context
from cardwright.core import CallContext, Data, PlainData, Truncate, UniqueBy, calling, current_call


class Item(Data):
    name: str


class Box(Data):
    text: Annotated[str, Truncate(150), Field(max_length=150)] = ""
    items: Annotated[list[Item], UniqueBy("name")] = []


class Renamed(PlainData):
    renamed_fields: ClassVar[Mapping[str, str]] = {"old": "new"}
    new: int = 0


@given(st.text(max_size=400))
def test_truncate_keeps_short_texts_and_cuts_long_ones(text: str) -> None:
    kept = Box(text=text).text
    assert kept == text if len(text) <= 150 else kept == text[:147] + "..."


def test_truncate_leaves_the_schema_alone() -> None:
    assert Box.model_json_schema()["properties"]["text"]["maxLength"] == 150
    assert "uniqueItems" not in Box.model_json_schema()["properties"]["items"]


def test_unique_by_names_the_repeated_value() -> None:
    with pytest.raises(ValidationError, match="two items have the name 'a'"):
        Box(items=[Item(name="a"), Item(name="b"), Item(name="a")])


def test_plain_data_loads_stored_forms() -> None:
    assert Renamed.load({"old": 3, "gone": 1}) == Renamed(new=3)
    assert Renamed.model_validate({"old": 3}, context=stored_context()).new == 3
    with pytest.raises(ValidationError):
        Renamed.model_validate({"old": 3})
    assert "__model__" not in Renamed().model_dump()


def test_the_call_context_is_scoped() -> None:
    assert current_call() == CallContext()
    assert current_call().key is None
    with calling(CallContext("r", "c", deadline=0.0)) as context:
        assert current_call() is context
        assert context.key == ("r", "c", "")
        assert context.expired
        assert context.remaining == 0.0
    assert current_call().remaining is None
    assert not current_call().expired
