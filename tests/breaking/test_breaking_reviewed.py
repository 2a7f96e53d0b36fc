"""Changes that were told too mildly, too harshly or not at all, found by reading line by line."""

import pytest

from cardwright_generator.breaking import compare
from cardwright_generator.breaking.loading import side_of

CARD = """\
card: DoorTool
summary: A door.
logic: acme.door.logic:DoorLogic
observer: none
types:
  Visit:
    base: plain
    description: A visit.
    type: object
    required: [day]
    properties:
      day: {{type: {day}, description: Day.}}
capabilities:
  open_door:
    param: OpenDoor
    endpoints:
      open_door:
        channels: [tool_call]
        doc: Open it.
        arguments:
          wide: {{{wide}, description: How wide.}}
        returns: {{type: object, additionalProperties: {{$ref: "#/types/Visit"}}}}
"""


def told(old: str, new: str, days: tuple[str, str] = ("string", "string")) -> set[str]:
    """The rules that report a change of an argument's schema."""
    texts = (CARD.format(wide=wide, day=day) for wide, day in zip((old, new), days, strict=True))
    was, now = (side_of({"specs/door.yaml": text}) for text in texts)
    return {one.rule.id for one in compare(was, now)}


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        (
            "type: integer, minimum: 1",
            "type: number, minimum: 5",
            {"argument-type-widened", "argument-bound-tightened"},
        ),
        (
            "type: number, minimum: 1.5",
            "type: integer, minimum: 2",
            {"argument-type-narrowed", "argument-bound-tightened"},
        ),
        ("enum: [warm, cool]", "type: string, maxLength: 2", {"argument-type-changed"}),
        ("enum: [warm, cool]", "type: string, pattern: ^x", {"argument-type-changed"}),
        ("enum: [warm, cool]", "type: string, maxLength: 4", {"argument-choice-lifted"}),
        ("enum: [1, 2]", "type: number", {"argument-choice-lifted"}),
        ("anyOf: [{enum: [a]}, {type: integer}]", "type: string", {"argument-type-changed"}),
        ("anyOf: [{enum: [a]}, {type: string}]", "type: string", {"argument-choice-lifted"}),
        ("type: string", "anyOf: [{enum: [a]}, {type: integer}]", {"argument-type-changed"}),
        ("type: string", "enum: [a]", {"argument-became-choice"}),
        ("enum: [1]", "enum: [true]", {"argument-choice-removed", "argument-choice-added"}),
        ("const: 0", "const: false", {"argument-choice-removed", "argument-choice-added"}),
        ("type: integer, minimum: 1", "type: integer, exclusiveMinimum: 0", set[str]()),
        ("type: integer, maximum: 9", "type: integer, exclusiveMaximum: 10", set[str]()),
        (
            "type: number, minimum: 1",
            "type: number, exclusiveMinimum: 0",
            {"argument-bound-loosened"},
        ),
        (
            "type: number, maximum: 1",
            "type: number, exclusiveMaximum: 1",
            {"argument-bound-tightened"},
        ),
        (
            "type: number, exclusiveMaximum: 1",
            "type: number, maximum: 1",
            {"argument-bound-loosened"},
        ),
        (
            "type: number, multipleOf: 0.3",
            "type: number, multipleOf: 0.1",
            {"argument-bound-loosened"},
        ),
        (
            "type: number, multipleOf: 0.1",
            "type: number, multipleOf: 0.3",
            {"argument-bound-tightened"},
        ),
    ],
)
def test_an_argument_that_changed(old: str, new: str, rules: set[str]) -> None:
    assert told(old, new) == rules


def test_what_the_values_of_an_answered_map_became_is_told_of_the_answer() -> None:
    same = "type: string"
    assert told(same, same, ("string", "integer")) == {"result-type-changed"}
