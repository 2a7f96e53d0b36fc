"""`schema_for`: documented types, equal bytes, dialects."""

from dataclasses import dataclass
from typing import Annotated, TypedDict, cast

import pytest
from pydantic import BaseModel, Field

from cardwright.tools import (
    INLINE_REFS,
    JSON_SCHEMA,
    STRICT_SUBSET,
    CapabilityError,
    JsonSchema,
    schema_for,
    schema_hash,
)


class Leg(BaseModel):
    """One leg.

    Args:
        nights: Ignored, as the field says it itself.
        town: Where to stay.
    """

    nights: Annotated[int, Field(description="How long.")]
    town: str = "Bath"


def lambda_with_leg(leg: Leg) -> None: ...


def properties(schema: JsonSchema) -> dict[str, dict[str, object]]:
    return cast("dict[str, dict[str, object]]", schema["properties"])


@dataclass
class Seat:
    """A seat.

    Attributes:
        row: Counted from the front.
    """

    row: int


class Booking(TypedDict):
    """A booking."""

    seat: Seat
    leg: Leg


def test_dataclasses_and_typed_dicts_are_described() -> None:
    schema = schema_for(Booking)

    seat = cast("dict[str, JsonSchema]", schema["$defs"])["Seat"]
    assert schema["description"] == "A booking."
    assert seat["description"] == "A seat."
    assert properties(seat)["row"]["description"] == "Counted from the front."
    assert schema_for(Booking, exclude=["leg", "seat"])["properties"] == {}


def _twin() -> type[BaseModel]:
    class Leg(BaseModel):
        """Another.

        Args:
            nights: Of the other.
        """

        nights: int

    return Leg


def test_types_that_share_a_name_borrow_no_descriptions() -> None:
    def both(one: Leg, other: int) -> None: ...

    both.__annotations__["other"] = _twin()

    definitions = cast("dict[str, JsonSchema]", schema_for(both)["$defs"]).values()
    assert {each["description"] for each in definitions} == {"One leg.", "Another."}
    assert "Of the other." not in str(definitions)
    assert "Of the other." in str(schema_for(_twin()))


def test_two_generations_are_byte_identical_and_hash_alike() -> None:
    schema = schema_for(lambda_with_leg)

    assert repr(schema) == repr(schema_for(lambda_with_leg))
    assert schema_hash(schema) == schema_hash(dict(reversed(schema.items())))
    assert schema_hash(schema).startswith("sha256:")
    hashes = {
        schema_hash(schema_for(lambda_with_leg, dialect=dialect))
        for dialect in (JSON_SCHEMA, STRICT_SUBSET, INLINE_REFS)
    }
    assert len(hashes) == 3


def test_the_strict_subset_closes_every_object_and_refuses_maps() -> None:
    schema = schema_for(lambda_with_leg, dialect=STRICT_SUBSET)

    definitions = cast("dict[str, JsonSchema]", schema["$defs"])
    assert (schema["additionalProperties"], definitions["Leg"]["additionalProperties"]) == (
        False,
        False,
    )
    assert definitions["Leg"]["required"] == ["nights"]

    def mapped(extra: dict[str, int]) -> None: ...

    with pytest.raises(CapabilityError, match="map"):
        schema_for(mapped, dialect=STRICT_SUBSET)


def test_keywords_are_told_from_properties_of_that_name() -> None:
    def odd(default: Leg, discriminator: int, properties: str, enum: str = "$ref") -> None: ...

    for dialect in (STRICT_SUBSET, INLINE_REFS):
        schema = schema_for(odd, dialect=dialect)
        assert list(cast("JsonSchema", schema["properties"])) == [
            "default",
            "discriminator",
            "enum",
            "properties",
        ]
