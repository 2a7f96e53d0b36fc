"""Arguments as a model writes them: read strictly, refused without repeating a value."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, cast
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field, Tag

from cardwright.core import Data, PlainData, UniqueBy
from cardwright.tools import (
    LENIENT,
    STRICT,
    ArgumentPolicy,
    ToolArgumentValidationError,
    ToolArgumentValidator,
    ToolDefinitionError,
)
from cardwright.tools.payload import RawArguments

MOMENT = "2026-01-02T03:04:05Z"
IDENTITY = "12345678-1234-5678-1234-567812345678"


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Leg(Data):
    nights: int
    town: str = "Bath"


class Row(PlainData):
    id: int


class Rich(Data):
    """Every type whose JSON form is not its Python form."""

    when: datetime | None = None
    day: date | None = None
    length: timedelta | None = None
    identity: UUID | None = None
    colour: Colour | None = None
    price: Decimal | None = None
    pair: tuple[int, str] | None = None
    tags: frozenset[str] | None = None
    rows: list[Row] | None = None


def book(leg: Leg, note: str | None = None) -> str:
    return f"{leg.nights}{note}"


def keep(rich: Rich, more: list[Rich] | None = None) -> str:
    return f"{rich}{more}"


def pay(secret: int, name: str, ratio: float = 1.5, fast: bool = False) -> None: ...


def refusal(
    function: Callable[..., object],
    arguments: RawArguments,
    policy: ArgumentPolicy = STRICT,
    exclude: tuple[str, ...] = (),
) -> ToolArgumentValidationError:
    validator = ToolArgumentValidator(function, policy=policy, exclude=exclude)
    with pytest.raises(ToolArgumentValidationError) as refused:
        validator.validate(arguments)
    return refused.value


def test_e24_all_failing_fields_are_named() -> None:
    refused = refusal(pay, {"secret": "x", "ratio": "1.5", "fast": 1})

    assert refused.paths == ("fast", "name", "ratio", "secret")
    assert refused.feedback() == (
        "Tool `pay` did not run: its arguments were refused.\n"
        "- fast: must be true or false\n"
        "- name: is required\n"
        "- ratio: must be a number\n"
        "- secret: must be an integer"
    )


def test_e25_a_nested_object_becomes_the_model() -> None:
    found = ToolArgumentValidator(book).arguments({"leg": {"nights": 2}})

    assert found == {"leg": Leg(nights=2), "note": None}
    assert isinstance(found["leg"], Leg)


def test_e26_a_model_instance_is_accepted() -> None:
    found = ToolArgumentValidator(book).arguments({"leg": Leg(nights=2)})

    assert found["leg"] == Leg(nights=2)


def test_e27_defaults_are_the_functions_own() -> None:
    found = ToolArgumentValidator(pay).arguments('{"secret": 1, "name": "n"}')

    assert found == {"secret": 1, "name": "n", "ratio": 1.5, "fast": False}


@pytest.mark.parametrize(
    "arguments",
    [
        '{"leg": {"nights": 2}}',
        b'{"leg": {"nights": 2}}',
        {"leg": {"nights": 2}},
        {"arguments": '{"leg": {"nights": 2}}'},
        {"args": {"leg": {"nights": 2}}},
        '{"parameters": {"leg": {"nights": 2}}}',
        '{"input": "{\\"leg\\": {\\"nights\\": 2}}"}',
    ],
)
def test_e28_text_mapping_and_wrapped_arguments_are_read_alike(arguments: RawArguments) -> None:
    assert ToolArgumentValidator(book).arguments(arguments)["leg"] == Leg(nights=2)


def test_e29_a_declared_parameter_is_no_wrapper() -> None:
    def ask(input: dict[str, int]) -> None: ...  # noqa: A002 - the case

    found = ToolArgumentValidator(ask).arguments({"input": {"a": 1}})

    assert found == {"input": {"a": 1}}


@pytest.mark.parametrize(
    "text",
    [
        '{"leg": {"nights": 2}, "leg": {"nights": 3}}',
        '{"leg": {"nights": 2, "nights": 2}}',
        '{"arguments": "{\\"note\\": null, \\"note\\": null}"}',
    ],
)
def test_e30_repeated_keys_are_refused_at_any_depth(text: str) -> None:
    assert "a key is given more than once: " in refusal(book, text).feedback()


@pytest.mark.parametrize("text", ["[1,2]", "3", "null", '"{}"', "true"])
def test_e31_what_is_no_object_is_refused(text: str) -> None:
    assert "must be one JSON object" in refusal(book, text).feedback()


@pytest.mark.parametrize(
    "text",
    [
        "{not json",
        "",
        '{"leg": {"nights": 2}} x',
        "\ufeff{}",
        b"\xff\xfe",
        '{"note": "\\ud800"}',
        '{"note": ' + "[" * 30_000,
        '{"note": ' + "9" * 5_000 + "}",
    ],
)
def test_e31_broken_text_is_refused(text: str | bytes) -> None:
    refused = refusal(book, text)

    assert refused.problems
    assert refused.payload is text


@pytest.mark.parametrize(
    "number", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 310, "-1" + "0" * 400]
)
def test_numbers_outside_json_are_refused(number: str) -> None:
    refused = refusal(pay, f'{{"secret": 1, "name": "n", "ratio": {number}}}')

    assert "NaN and infinities" in refused.feedback()


def test_many_digits_in_a_text_are_no_number() -> None:
    arguments = json.dumps({"secret": 1, "name": "9" * 400, "ratio": 1})
    assert ToolArgumentValidator(pay).arguments(arguments)["name"] == "9" * 400


@pytest.mark.parametrize("number", [float("nan"), float("-inf"), 10**309, -(10**400)])
def test_a_mapping_with_what_is_no_number_in_json_is_refused(number: float) -> None:
    refused = refusal(pay, {"secret": 1, "name": "n", "ratio": number})

    assert "cannot express" in refused.feedback()


@pytest.mark.parametrize("as_text", [True, False])
def test_e32_the_ceiling_holds_before_anything_is_parsed(as_text: bool) -> None:
    arguments = {"leg": {"nights": 2}, "note": "x" * 5_000}

    refused = refusal(
        book,
        json.dumps(arguments) if as_text else arguments,
        policy=ArgumentPolicy(max_bytes=1024),
    )

    assert "1024 are allowed" in refused.feedback()
    assert refused.paths == ()


def test_the_ceiling_counts_bytes() -> None:
    text = json.dumps({"leg": {"nights": 2}, "note": "é" * 600}, ensure_ascii=False)

    assert (
        "1024 are allowed" in refusal(book, text, policy=ArgumentPolicy(max_bytes=1024)).feedback()
    )


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", datetime.now(UTC)])
def test_e33_a_value_that_is_no_json_is_refused(value: object) -> None:
    assert "cannot express" in refusal(book, {"leg": value}).feedback()


def test_e34_values_are_never_repeated() -> None:
    refused = refusal(pay, {"secret": "hunter2", "name": 5, "hunter3": "hunter4"})

    text = str(refused) + refused.feedback() + repr(refused)
    assert "hunter2" not in text
    assert "hunter4" not in text
    assert refused.paths == ("hunter3", "name", "secret")
    assert refused.payload == {"secret": "hunter2", "name": 5, "hunter3": "hunter4"}


def test_e35_strict_and_lenient_reading_of_a_nested_number() -> None:
    arguments = {"leg": {"nights": "2"}}

    assert refusal(book, arguments).paths == ("leg.nights",)
    lenient = ToolArgumentValidator(book, policy=LENIENT)
    assert lenient.arguments(arguments)["leg"].nights == 2


def test_e36_lenient_reading_still_refuses_unknown_and_missing_fields() -> None:
    refused = refusal(book, {"legs": 1}, policy=LENIENT)

    assert refused.problems == {"leg": "is required", "legs": "is not a declared field"}


def test_lenient_reading_accepts_what_says_the_same() -> None:
    lenient = ToolArgumentValidator(pay, policy=LENIENT)

    found = lenient.arguments({"secret": 1.0, "name": "n", "ratio": "1.5", "fast": "yes"})

    assert found == {"secret": 1, "name": "n", "ratio": 1.5, "fast": True}
    assert refusal(pay, {"secret": 1.5, "name": 3}, policy=LENIENT).paths == ("name", "secret")


STRICTLY_REFUSED: list[tuple[Callable[..., object], dict[str, object], str]] = [
    (pay, {"secret": "2", "name": "n"}, "secret"),
    (pay, {"secret": 1.0, "name": "n"}, "secret"),
    (pay, {"secret": True, "name": "n"}, "secret"),
    (pay, {"secret": 1, "name": "n", "fast": 1}, "fast"),
    (pay, {"secret": 1, "name": "n", "fast": "yes"}, "fast"),
    (pay, {"secret": 1, "name": 3}, "name"),
    (pay, {"secret": 1, "name": "n", "ratio": "1.5"}, "ratio"),
    (keep, {"rich": {"when": 1_700_000_000}}, "rich.when"),
    (keep, {"rich": {"pair": [1, 2]}}, "rich.pair.1"),
    (keep, {"rich": {"tags": [1]}}, "rich.tags.0"),
    (keep, {"rich": {"colour": "green"}}, "rich.colour"),
    (keep, {"rich": {"rows": [{"id": 1}, {"id": "2"}]}}, "rich.rows.1.id"),
    (keep, {"rich": {}, "more": [{}, {"day": "soon"}]}, "more.1.day"),
]


@pytest.mark.parametrize(("function", "arguments", "path"), STRICTLY_REFUSED)
def test_strict_reading_refuses(
    function: Callable[..., object], arguments: dict[str, object], path: str
) -> None:
    assert refusal(function, arguments).paths == (path,)
    assert refusal(function, json.dumps(arguments)).paths == (path,)


def test_strict_reading_accepts_the_json_forms_of_python_types_at_any_depth() -> None:
    rich = {
        "when": MOMENT,
        "day": "2026-01-02",
        "length": "PT90S",
        "identity": IDENTITY,
        "colour": "red",
        "price": "1.50",
        "pair": [1, "a"],
        "tags": ["a", "b"],
        "rows": [{"id": 1}],
    }

    found = ToolArgumentValidator(keep).arguments({"rich": rich, "more": [rich]})

    expected = Rich(
        when=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        day=date(2026, 1, 2),
        length=timedelta(seconds=90),
        identity=UUID(IDENTITY),
        colour=Colour.RED,
        price=Decimal("1.50"),
        pair=(1, "a"),
        tags=frozenset({"a", "b"}),
        rows=[Row(id=1)],
    )
    assert found == {"rich": expected, "more": [expected]}
    assert type(found["rich"]) is Rich


def test_strict_reading_reaches_into_labelled_unions() -> None:
    def store(item: Annotated[Rich, Tag("rich")] | Annotated[Row, Tag("row")]) -> None: ...

    found = ToolArgumentValidator(store).arguments({"item": {"day": "2026-01-02"}})

    assert found["item"] == Rich(day=date(2026, 1, 2))
    assert refusal(store, {"item": {"day": 3}}).paths == ("item.day", "item.id")


def test_an_error_type_of_ones_own_is_named_without_its_text() -> None:
    def refuse(value: str) -> str:
        raise ValueError(f"{value} is secret")

    def store(item: Annotated[str, AfterValidator(refuse)]) -> None: ...

    assert refusal(store, {"item": "hunter2"}).problems == {"item": "is not valid (value_error)"}


def test_an_integer_is_a_number() -> None:
    found = ToolArgumentValidator(pay).arguments({"secret": 1, "name": "n", "ratio": 2})

    assert found["ratio"] == 2.0


def test_a_storage_marker_is_an_unknown_field() -> None:
    refused = refusal(book, {"leg": {"nights": 2, "__model__": "os.system"}})

    assert refused.problems == {"leg.__model__": "is not a declared field"}


def test_the_storage_hooks_of_the_classes_themselves_stay() -> None:
    ToolArgumentValidator(keep).arguments({"rich": {}})

    assert Rich.model_validate(Rich(colour=Colour.BLUE).model_dump()).colour is Colour.BLUE


def test_paths_leave_out_the_labels_of_union_members() -> None:
    def fetch(urls: str | list[str], leg: Leg | int = 3) -> None: ...

    refused = refusal(fetch, {"urls": 5, "leg": {"night": 1}})

    assert refused.problems == {
        "leg": "must be an integer",
        "leg.night": "is not a declared field",
        "leg.nights": "is required",
        "urls": "must be a string, or must be a list",
    }


def test_a_long_key_of_the_model_is_cut() -> None:
    refused = refusal(book, {"leg": {"nights": 1}, "k" * 500: 1})

    assert refused.paths == ("k" * 63 + "…",)


def test_hundreds_of_wrong_fields_give_a_short_answer() -> None:
    refused = refusal(book, {f"field{index:03}": 1 for index in range(300)})

    assert len(refused.paths) == 301
    assert refused.feedback().endswith("- and 281 more")


def test_repeated_items_are_refused_without_the_value() -> None:
    def store(rows: Annotated[list[Row], UniqueBy("id")]) -> None: ...

    refused = refusal(store, {"rows": [{"id": 7_777}, {"id": 7_777}]})

    assert refused.problems == {"rows": "has two items with the same id"}


def test_bounds_are_named_from_the_schema() -> None:
    def pick(
        count: Annotated[int, Field(ge=1, le=9)],
        code: Annotated[str, Field(pattern="^[a-z]+$", max_length=3)],
        names: Annotated[list[str], Field(min_length=1)],
    ) -> None: ...

    assert refusal(pick, {"count": 0, "code": "A", "names": []}).problems == {
        "code": "must match the pattern ^[a-z]+$",
        "count": "must be at least 1",
        "names": "must have at least 1 items",
    }


def test_e37_excluded_parameters_are_no_fields() -> None:
    def greet(name: str, ctx: object = None) -> str:
        return name

    validator = ToolArgumentValidator(greet, exclude=("ctx",))

    assert set(validator.model.model_fields) == {"name"}
    assert refusal(greet, {"name": "n", "ctx": {}}, exclude=("ctx",)).paths == ("ctx",)


def test_e37_a_variadic_function_given_straight_to_the_validator() -> None:
    def collect(name: str, *more: str, **extras: int) -> None: ...

    def untyped(name: str) -> None: ...

    del untyped.__annotations__["name"]

    assert set(ToolArgumentValidator(collect).model.model_fields) == {"name"}
    assert refusal(collect, {"name": "n", "extras": 1}).paths == ("extras",)
    with pytest.raises(ToolDefinitionError) as refused:
        ToolArgumentValidator(untyped)
    assert refused.value.parameter == "name"


def test_a_refusal_keeps_the_identity_of_its_call() -> None:
    with pytest.raises(ToolArgumentValidationError) as refused:
        ToolArgumentValidator(book).validate("{}", call_id="call_1")

    assert (refused.value.tool, refused.value.call_id) == ("book", "call_1")


def take(
    count: int, name: str, ratio: float, flags: list[bool], table: dict[str, int | None]
) -> None: ...


TAKE = ToolArgumentValidator(take)


@given(
    st.fixed_dictionaries(
        {
            "count": st.integers(-(2**63), 2**63),
            "name": st.text(),
            "ratio": st.floats(allow_nan=False, allow_infinity=False),
            "flags": st.lists(st.booleans()),
            "table": st.dictionaries(st.text(), st.integers(-5, 5) | st.none()),
        }
    )
)
def test_what_fits_arrives_unchanged_from_text_and_mapping(arguments: dict[str, object]) -> None:
    assert TAKE.arguments(arguments) == arguments
    assert TAKE.arguments(json.dumps(arguments)) == arguments


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["count", "name", "args", "x"]), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_whatever_a_model_writes_is_read_or_refused(payload: object) -> None:
    raws: list[RawArguments] = [json.dumps(payload)]
    if isinstance(payload, dict):
        raws.append(cast("dict[str, object]", payload))
    for raw in raws:
        try:
            TAKE.validate(raw)
        except ToolArgumentValidationError as refused:
            assert refused.problems  # noqa: PT017 - either outcome is right, no other is


class Question(BaseModel):
    query: str
    wide: bool = False


def test_what_is_no_object_is_told_the_required_fields_and_never_a_value() -> None:
    def ask(question: Question, again: Question | None = None, extras: list[Question] = []) -> str:  # noqa: B006
        """Ask."""
        return f"{question}{again}{extras}"

    text = json.dumps({"question": "seven", "again": 7, "extras": {}})
    with pytest.raises(ToolArgumentValidationError) as refused:
        ToolArgumentValidator(ask).validate(text)
    assert refused.value.problems == {
        "again": "must be an object with: query",
        "extras": "must be a list",
        "question": "must be an object with: query",
    }
