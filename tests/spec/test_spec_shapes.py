"""Faults of form: told in our words, all at once, each once."""

# ruff: noqa: E501 - a case reads best on one line

import re

import pytest
from tests.spec.spec_texts import HEAD, TOOL, card, codes, findings, told, with_argument

from cardwright_generator.spec import load_specs, parse_file

OWN_WORDS = re.compile(r"[Ii]nput|pydantic|validat|<|Literal|dict|str\b.*expected|tagged")


def test_all_faults_are_told_at_once_in_order() -> None:
    text = (
        "card: 1\n"
        "summry: x\n"
        "types:\n"
        "  A: {type: {a: 1}, enum: []}\n"
        "capabilities:\n"
        "  x:\n"
        "    param: X\n"
        "    default: 1\n"
        "    endpoints:\n"
        "      a: {channels: [tool], returns: str, argumnets: {}}\n"
        "      b: {channels: [], returns: [1], timeout: true}\n"
    )
    assert told(text) == [
        "1:1: CW202 key 'logic' is missing in the file",
        "1:7: CW203 'card' of the file must be text, not a number",
        "2:1: CW201 unknown key 'summry' in the file",
        "4:13: CW203 'type' of type 'A' must be a type or a list of types, not a mapping",
        "4:27: CW205 'enum' of type 'A' is empty",
        "8:14: CW204 'default' of capability 'x' is a number; it must be 'true', 'false' or 'required'",
        (
            "10:22: CW204 item 1 of 'channels' of endpoint 'a' is 'tool'; it must be 'tool_call',"
            " 'system_prompt', 'llm_context' or 'command'"
        ),
        (
            "10:38: CW204 'returns' of endpoint 'a' is 'str'; it must be 'string', 'integer', 'number',"
            " 'boolean', 'array', 'object' or 'null'"
        ),
        "10:43: CW201 unknown key 'argumnets' in endpoint 'a'",
        "11:21: CW205 'channels' of endpoint 'b' is empty",
        "11:34: CW203 'returns' of endpoint 'b' must be a name or a mapping, not a list",
        "11:48: CW203 'timeout' of endpoint 'b' must be a number, not true",
    ]


@pytest.mark.parametrize(
    ("schema", "message", "hint"),
    [
        ("{type: string, description: 3}", "'description' of argument 'who' of endpoint 'greet' must be text, not a number", None),
        ("{type: [string, null]}", "item 2 of 'type' of argument 'who' of endpoint 'greet' is nothing; it must be 'string', 'integer', 'number', 'boolean', 'array', 'object' or 'null'", 'the type is written in quotes: "null"'),
        ("{type: int}", "'type' of argument 'who' of endpoint 'greet' is 'int'; it must be 'string', 'integer', 'number', 'boolean', 'array', 'object' or 'null'", "did you mean 'integer'?"),
        ("{type: []}", "'type' of argument 'who' of endpoint 'greet' is empty", None),
        ("{type: string, rest_of_line: yes}", "'rest_of_line' of argument 'who' of endpoint 'greet' must be true or false, not text", "write true or false"),
        ("{type: string, minLength: 1.5}", "'minLength' of argument 'who' of endpoint 'greet' must be a whole number, not a number", None),
        ("{type: integer, minimum: '1'}", "'minimum' of argument 'who' of endpoint 'greet' must be a number, not text", None),
        ("{type: object, additionalProperties: true}", "'additionalProperties' of argument 'who' of endpoint 'greet' is true; it must be 'false'", None),
        ("{enum: [[a]]}", "item 1 of 'enum' of argument 'who' of endpoint 'greet' must be a single value, not a list", None),
        ("{anyOf: [string]}", "item 1 of 'anyOf' of argument 'who' of endpoint 'greet' must be a mapping, not text", None),
        ("{type: array, items: string}", "'items' of argument 'who' of endpoint 'greet' must be a mapping, not text", None),
        ("string", "argument 'who' of endpoint 'greet' must be a mapping, not text", None),
    ],
)  # fmt: skip
def test_one_fault_is_one_message_without_the_noise_of_unions(
    schema: str, message: str, hint: str | None
) -> None:
    (found,) = findings(with_argument(schema))
    assert found.message == message
    assert found.hint == hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (HEAD + "capabilties: {}\n", "did you mean 'capabilities'?"),
        (card(capability="parm: X\n"), "did you mean 'param'?"),
        (card(endpoint=TOOL + "idempotent: true\n"), "did you mean 'idempotency'?"),
        (with_argument("{type: string, descripton: x}"), "did you mean 'description'?"),
        (HEAD + "types:\n  A: {type: object, properties: {a: {type: string, tpye: x}}}\n", "did you mean 'type'?"),
        (HEAD + "types:\n  A: {type: array, items: {ref: x}}\n", "did you mean '$ref'?"),
        (HEAD + "types:\n  A: {anyOf: [{type: string, patern: x}]}\n", "did you mean 'pattern'?"),
        (HEAD + "depends_on: [{crd: X, card: XTool}]\n", "did you mean 'card'?"),
        (HEAD + "observer: {name: X, members: {a: {retruns: string}}}\n", "did you mean 'returns'?"),
        (HEAD + "toolset: {doc: x, colour: red}\n", "known keys: 'doc'"),
        ("typs: {}\n", "did you mean 'types'?"),
        ("types: {A: {enum: [a], bse: plain}}\n", "did you mean 'base'?"),
    ],
)  # fmt: skip
def test_unknown_keys_are_compared_with_the_keys_of_their_place(text: str, hint: str) -> None:
    unknown = [one for one in findings(text) if one.code == "CW201"]
    assert [one.hint for one in unknown] == [hint]


def test_no_text_of_the_validator_shines_through() -> None:
    strange = ["3", "true", "text", "[1]", "{a: 1}", "null", "1.5", "[[]]", "{a: {b: [1]}}"]
    keys = ["card", "logic", "observer", "depends_on", "deprecated", "fields", "types", "actors"]
    keys += ["stored", "events", "failures", "environment", "extras", "toolset", "capabilities"]
    for key in keys:
        for value in strange:
            rest = HEAD if key not in {"card", "logic"} else "summary: x\n"
            for one in load_specs({"hello.yaml": f"{rest}{key}: {value}\n"}).diagnostics:
                assert not OWN_WORDS.search(one.message), one.message


def test_a_misspelt_key_is_not_told_twice() -> None:
    assert codes(with_argument("{type: string, descripton: Whom to greet.}")) == ["CW201"]
    assert codes(with_argument("{tpye: string, description: Whom to greet.}")) == ["CW201"]
    assert codes(card(endpoint=TOOL.replace("doc:", "docs:"))) == ["CW201"]


def test_faults_of_form_do_not_hide_what_else_is_wrong() -> None:
    text = card(top="enviroment: {}\n", endpoint="channels: [tool_call]\nreturns: string\n")
    assert told(text) == [
        "4:1: CW201 unknown key 'enviroment' in the file",
        "9:7: CW505 endpoint 'greet' has no doc",
    ]


def test_places_stay_right_after_a_faulty_item_of_a_list() -> None:
    text = HEAD + "depends_on:\n  - 3\n  - {card: XTool, when: nobody}\nstored: [1, 'a.b']\n"
    assert told(text) == [
        "5:5: CW203 item 1 of 'depends_on' of the file must be a mapping, not a number",
        "7:10: CW203 item 1 of 'stored' of the file must be text, not a number",
    ]


def test_a_faulty_schema_is_told_once_and_its_neighbours_are_still_checked() -> None:
    top = "types:\n  A: {type: object, required: [a, 1], properties: {a: {type: string}}}\n"
    text = card(
        top=top,
        endpoint=TOOL + "arguments:\n  a: {enum: [[x], y], default: z}\n  b: {type: string}\n",
    )
    assert told(text) == [
        "5:35: CW203 item 2 of 'required' of type 'A' must be text, not a number",
        "15:22: CW203 item 1 of 'enum' of argument 'a' of endpoint 'greet' must be a single value, not a list",
        "16:11: CW501 argument 'b' of endpoint 'greet' has no description",
    ]


def test_a_broken_card_still_counts_as_declared() -> None:
    store = HEAD.replace("Hello", "Store").replace("hello", "store")
    hello = HEAD + "depends_on: [{card: StoreTool}]\n"
    assert codes(hello, store=store + "colour: red\n") == ["CW201"]


def test_whole_and_broken_files_are_told_apart() -> None:
    good, bad = parse_file("hello.yaml", HEAD), parse_file("hello.yaml", HEAD + "colour: red\n")
    assert good.spec == bad.spec
    assert (good.faults, [one.code for one in bad.faults]) == ((), ["CW201"])


def test_values_are_never_converted() -> None:
    for text in ("timeout: '3'", "parallel_safe: 1", "approval: 'true'", "async: 0"):
        assert codes(card(endpoint=TOOL + text + "\n")) == ["CW203"]
