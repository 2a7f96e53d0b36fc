"""What every card sends a model: equal to its spec, and reviewed as a snapshot."""

import importlib
import json
from typing import Any, cast, override

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from cardwright.cli.portrait import Portrait, portray
from cardwright.core import ToolCard
from cardwright_cards.catalogue import CARDS

type Json = dict[str, Any]


class JsonFile(SingleFileSnapshotExtension):
    """One JSON file per card, keys in the order the model is sent them."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    @override
    def serialize(self, data: object, **_options: object) -> str:
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


@pytest.fixture
def json_file(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(JsonFile)


def portrait(card: str) -> Portrait:
    module, _, name = CARDS[card].partition(":")
    return portray(cast("type[ToolCard]", getattr(importlib.import_module(module), name)))


def sent(card: str) -> list[Json]:
    """Name, description and schema of every tool, every capability being on."""
    return [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        for tool in portrait(card).tools
    ]


def structure(schema: object) -> object:
    """A schema without its descriptions: what decides whether a call is valid."""
    if isinstance(schema, list):
        return [structure(each) for each in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    found: Json = {}
    for key, value in cast("Json", schema).items():
        if key in {"properties", "$defs"}:
            found[key] = {name: structure(each) for name, each in cast("Json", value).items()}
        elif key != "description":
            found[key] = structure(value)
    return found


@pytest.mark.parametrize("card", sorted(CARDS))
def test_full_text(card: str, json_file: SnapshotAssertion) -> None:
    assert sent(card) == json_file


@pytest.mark.parametrize("card", sorted(CARDS))
def test_structure(card: str, json_file: SnapshotAssertion) -> None:
    tools = {each["name"]: structure(each["parameters"]) for each in sent(card)}
    assert tools == json_file


def test_structure_keeps_a_property_of_that_name() -> None:
    schema = {
        "description": "x",
        "properties": {"description": {"type": "string", "description": "y"}},
    }
    assert structure(schema) == {"properties": {"description": {"type": "string"}}}
