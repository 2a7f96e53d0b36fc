"""The schema for editors: every key explained, and nothing that loads is underlined."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.spec.spec_rulebook import read_page

from cardwright_generator.spec import all_codes, editor_schema

SCHEMA = editor_schema()
CARDS = Path(__file__).parent / "cards"


def keys() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for owner, definition in SCHEMA["$defs"].items():
        for key, schema in definition.get("properties", {}).items():
            yield owner, key, schema


def test_every_key_has_a_description_and_examples() -> None:
    bare = [f"{owner}.{key}" for owner, key, schema in keys() if not schema.get("examples")]
    assert bare == []
    short = [f"{owner}.{key}" for owner, key, schema in keys() if len(schema["description"]) < 10]
    assert short == []


def test_every_definition_is_explained_and_closed() -> None:
    for definition in SCHEMA["$defs"].values():
        if "properties" in definition:
            assert definition["description"]
            assert definition["additionalProperties"] is False


def test_keys_are_those_of_the_file_not_of_the_code() -> None:
    names = {key for _, key, _ in keys()}
    assert {"$ref", "class", "async", "from", "minLength", "additionalProperties"} <= names
    assert not {"ref", "class_", "async_", "min_length"} & names


def errors(document: object) -> list[str]:
    jsonschema = pytest.importorskip("jsonschema")
    return [one.message for one in jsonschema.Draft7Validator(SCHEMA).iter_errors(document)]


@pytest.mark.parametrize("path", sorted(CARDS.glob("*.yaml")), ids=lambda path: str(path.stem))
def test_what_loads_is_not_underlined(path: Path) -> None:
    assert errors(yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("code", ["CW201", "CW202", "CW203", "CW204", "CW205"])
def test_faults_of_form_are_underlined_in_the_editor_too(code: str) -> None:
    (text,) = read_page(code).refused.values()
    assert errors(yaml.safe_load(text)) != []


def test_the_examples_of_the_rulebook_are_not_underlined_where_accepted() -> None:
    for code in all_codes():
        for text in read_page(code).accepted.values():
            assert errors(yaml.safe_load(text)) == [], code


def test_examples_of_keys_are_values_of_keys() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for owner, key, schema in keys():
        validator = jsonschema.Draft7Validator({**schema, "$defs": SCHEMA["$defs"]})
        for example in schema["examples"]:
            assert not list(validator.iter_errors(example)), f"{owner}.{key}: {example}"
