"""A7: secrets are masked and never stored."""

import copy
import pickle

import pytest
from pydantic import ValidationError
from tests.core.core_cards import Agent, EchoTool

from cardwright.actors import deserialize_object, serialize
from cardwright.core import Data, PlainData, Secret, SecretMissingError

TOKEN = "tok-8841"


class Keyed(Data):
    token: Secret | None = None


class PlainKeyed(PlainData):
    token: Secret | None = None
    token_env: str | None = None


class KeyedTool(EchoTool):
    keyed: Keyed = Keyed()
    plain: PlainKeyed = PlainKeyed()


@pytest.mark.parametrize("model", [Keyed, PlainKeyed])
def test_a_literal_shows_nowhere_and_is_not_stored(model: type[Keyed | PlainKeyed]) -> None:
    made = model.model_validate({"token": TOKEN})
    assert made.token is not None
    assert made.token.reveal() == TOKEN
    shown = [
        repr(made),
        str(made),
        made.model_dump_json(),
        str(made.model_dump()),
        str(serialize(made)),
    ]
    assert all(TOKEN not in text for text in shown)
    loaded = model.model_validate_json(made.model_dump_json())
    assert loaded.token is not None
    assert loaded.token.is_missing
    with pytest.raises(SecretMissingError, match="not stored"):
        loaded.token.reveal()


def test_an_environment_reference_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Keyed(token=Secret.from_env("CARDWRIGHT_T_TOKEN"))
    loaded = deserialize_object(made.model_dump())
    assert loaded == made
    with pytest.raises(SecretMissingError, match="CARDWRIGHT_T_TOKEN is not set"):
        made.token.reveal()  # type: ignore[union-attr] # given above
    monkeypatch.setenv("CARDWRIGHT_T_TOKEN", TOKEN)
    assert isinstance(loaded, Keyed)
    assert loaded.token is not None
    assert loaded.token.reveal() == TOKEN


def test_binding_a_restored_card_names_the_field() -> None:
    agent = Agent()
    card = KeyedTool(keyed=Keyed(token=Secret(TOKEN)), plain=PlainKeyed(token=Secret(TOKEN)))
    card.observer(agent)
    loaded = deserialize_object(card.model_dump())
    assert isinstance(loaded, KeyedTool)
    with pytest.raises(ValueError, match=r"give again: keyed\.token, plain\.token"):
        loaded.observer(agent)


def test_a_sibling_environment_field_stands_in() -> None:
    agent = Agent()
    card = KeyedTool(plain=PlainKeyed(token=Secret(TOKEN), token_env="CARDWRIGHT_T_TOKEN"))
    loaded = deserialize_object(card.model_dump())
    assert isinstance(loaded, KeyedTool)
    loaded.observer(agent)


def test_copies_keep_it_and_pickles_do_not() -> None:
    secret = Secret(TOKEN)
    assert copy.deepcopy(secret) == copy.copy(secret) == secret
    assert TOKEN.encode() not in pickle.dumps(secret)
    assert secret != Secret("other")
    assert len({secret, Secret(TOKEN)}) == 1


@pytest.mark.parametrize("value", [1, {"env": ""}, {"env": "A", "x": 1}, {}, [TOKEN]])
def test_other_forms_are_refused_without_echo(value: object) -> None:
    with pytest.raises(ValidationError) as error:
        Keyed.model_validate({"token": value})
    assert TOKEN not in str(error.value)


def test_its_schema_is_a_write_only_string() -> None:
    assert Keyed.model_json_schema()["properties"]["token"]["anyOf"][0] == {
        "type": "string",
        "format": "password",
        "writeOnly": True,
    }
