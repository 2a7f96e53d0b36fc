"""What every card sends a model: equal to its spec, and reviewed as a snapshot."""

import importlib
import json
from pathlib import Path
from typing import Any, cast, override

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from tests.contracts.contracts_portrait import portrait

from cardwright.cli.portrait import param_of
from cardwright.core import ToolCard
from cardwright.tools import Tool
from cardwright_cards.catalogue import CARDS
from cardwright_generator.emit.expected import expected_tool_schemas
from cardwright_generator.spec import Catalogue, LoadedCard, load_specs

ROOT = Path(__file__).resolve().parents[2]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))

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


def everything(card: str) -> ToolCard | None:
    """The card with every capability on every channel; `None` if it must be configured first."""
    module, _, name = CARDS[card].partition(":")
    card_type = cast("type[ToolCard]", getattr(importlib.import_module(module), name))
    params = {n: p for n, f in card_type.model_fields.items() if (p := param_of(f))}
    if any(f.is_required() for f in card_type.model_fields.values()):
        return None
    exposed = {
        name: {"expose": sorted(param.serves)}
        for name, param in params.items()
        if not any(field.is_required() for field in param.model_fields.values())
    }
    return card_type.model_validate(exposed)


def sent(card: str) -> list[Json]:
    """Name, description and schema of every tool, every capability being on."""
    made = everything(card)
    tools = [] if made is None else [Tool.from_function(f) for f in made.get_tools()]
    return [
        {"name": t.name, "description": t.description, "parameters": t.parameters_schema}
        for t in tools
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


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    """The specs of this project."""
    found = load_specs({p.relative_to(ROOT).as_posix(): p.read_bytes() for p in SPECS})
    assert [one for one in found.diagnostics if one.severity == "error"] == []
    return found


def loaded(card: str, catalogue: Catalogue) -> LoadedCard:
    (found,) = (one for one in catalogue.cards if one.spec.card == card)
    return found


def test_the_catalogue_is_that_of_the_specs(catalogue: Catalogue) -> None:
    assert {one.spec.card for one in catalogue.cards} == set(CARDS)


@pytest.mark.parametrize("card", sorted(CARDS))
def test_what_is_sent_is_what_the_spec_says(card: str, catalogue: Catalogue) -> None:
    """The round trip: spec -> emitted Python -> schema a model is sent -> the spec's words."""
    expected = expected_tool_schemas(loaded(card, catalogue), catalogue)
    assert {each["name"]: each["parameters"] for each in sent(card)} == expected


@pytest.mark.parametrize("card", sorted(CARDS))
def test_descriptions_are_the_spec_s_own_text(card: str, catalogue: Catalogue) -> None:
    spec = loaded(card, catalogue).spec
    docs = {
        endpoint.name or key: endpoint.doc or ""
        for capability in spec.capabilities.values()
        for key, endpoint in capability.endpoints.items()
        if "tool_call" in endpoint.channels
    }
    for tool in sent(card):
        said = docs[tool["name"]].strip().splitlines()[0]
        assert tool["description"].startswith(said.split("{")[0])


@pytest.mark.parametrize("card", sorted(CARDS))
def test_full_text(card: str, json_file: SnapshotAssertion) -> None:
    assert sent(card) == json_file


@pytest.mark.parametrize("card", sorted(CARDS))
def test_structure(card: str, json_file: SnapshotAssertion) -> None:
    tools = {each["name"]: structure(each["parameters"]) for each in sent(card)}
    assert tools == json_file


@pytest.mark.parametrize("card", sorted(CARDS))
def test_everything_declared(card: str, json_file: SnapshotAssertion) -> None:
    """What no tool schema shows: configuration, stored types, commands, policies, contracts."""
    assert portrait(card, CARDS) == json_file


def test_structure_keeps_a_property_of_that_name() -> None:
    schema = {
        "description": "x",
        "properties": {"description": {"type": "string", "description": "y"}},
    }
    assert structure(schema) == {"properties": {"description": {"type": "string"}}}
