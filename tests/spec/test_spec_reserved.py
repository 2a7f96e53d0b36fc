"""The tables of taken names follow the classes of the core."""

import pytest
from pydantic import BaseModel

import cardwright.core
from cardwright.core import BaseToolParam, CardLogic, ContextState, Data, ToolCard
from cardwright_generator.spec import taken


def attributes(owner: type) -> set[str]:
    return {name for name in dir(owner) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("owner", "table"),
    [
        (ToolCard, taken.CARD | taken.MODEL),
        (BaseToolParam, taken.PARAM | taken.MODEL),
        (ContextState, taken.CONTEXT | taken.MODEL),
        (Data, taken.MODEL),
        (CardLogic, taken.LOGIC),
    ],
)
def test_every_public_attribute_of_the_core_is_taken(owner: type, table: frozenset[str]) -> None:
    assert attributes(owner) <= table


def test_every_private_method_of_a_card_is_taken() -> None:
    private = {name[1:] for name in dir(ToolCard) if name[0] == "_" and name[1] != "_"}
    assert private <= taken.CARD_METHODS


def test_the_tables_name_nothing_that_is_gone() -> None:
    assert attributes(ToolCard) - attributes(BaseModel) >= taken.CARD - {
        "logic",
        "logic_path",
    }
    assert attributes(CardLogic) >= taken.LOGIC - {"card", "call"}


def test_classes_of_the_core_that_emitted_code_names_are_taken() -> None:
    used = {"Data", "JsonObject", "MediaContent", "PlainData", "RestOfLine", "Secret", "Truncate"}
    assert used <= set(cardwright.core.__all__)
    assert used <= taken.CLASSES
