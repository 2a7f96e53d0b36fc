"""Reading YAML: positions, the restricted types, line ends, and text that is no YAML."""

import pytest

from cardwright_generator.spec import load_specs, parse_file
from cardwright_generator.spec.language import CardSpec
from cardwright_generator.spec.yaml_reader import read_yaml

HEAD = "card: HelloTool\nsummary: Greets people.\nlogic: acme.hello.logic:HelloLogic\n"


def value(text: str) -> object:
    data = read_yaml("x.yaml", f"it: {text}\n").data
    assert data is not None
    return data["it"]


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "no",
        "on",
        "off",
        "True",
        "FALSE",
        "Null",
        "017",
        "0x1F",
        "0b1",
        "1_000",
        "1:30",
        "2024-01-01",
        "2024-01-01T10:00:00Z",
        ".5",
        "1.",
        ".inf",
        ".nan",
        "+1",
        "=",
        "-1-",
    ],
)
def test_surprising_words_stay_text(text: str) -> None:
    assert value(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-12", -12),
        ("1.5", 1.5),
        ("-2e3", -2000.0),
        ("1.0E-2", 0.01),
        ("'1'", "1"),
        ('"true"', "true"),
    ],
)
def test_json_like_words_have_their_types(text: str, expected: object) -> None:
    found = value(text)
    assert found == expected
    assert type(found) is type(expected)


def test_positions_count_characters_and_lines_from_one() -> None:
    text = 'card: é\n"日本": [1, {a: 2}]\nlong: >-\n  folded\n  text\nlast: 3\n'
    positions = read_yaml("x.yaml", text).positions
    assert positions.key(("日本",)) == (2, 1)
    assert positions.value(("日本",)) == (2, 7)
    assert positions.value(("日本", 0)) == (2, 8)
    assert positions.key(("日本", 1, "a")) == (2, 12)
    assert positions.value(("日本", 1, "a")) == (2, 15)
    assert positions.value(("long",)) == (3, 7)
    assert positions.key(("last",)) == (6, 1)


def test_an_unknown_path_stands_where_its_parent_stands() -> None:
    positions = read_yaml("x.yaml", "a:\n  b: 1\n").positions
    assert positions.value(("a", "b", "c", 4)) == (2, 3)
    assert positions.value(("z",)) == (1, 1)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_ends_make_no_difference(ending: str) -> None:
    plain = parse_file("hello.yaml", HEAD + "fields:\n  tone: {type: str}\n")
    other = parse_file(
        "hello.yaml", (HEAD + "fields:\n  tone: {type: str}\n").replace("\n", ending)
    )
    assert other == plain
    assert [one.code for one in other.faults] == ["CW204"]


def test_a_byte_order_mark_is_skipped_and_does_not_move_columns() -> None:
    found = parse_file("hello.yaml", b"\xef\xbb\xbf" + HEAD.encode())
    assert found.faults == ()
    assert found.positions.key(("card",)) == (1, 1)
    assert parse_file("hello.yaml", "\ufeff" + HEAD) == found


def test_text_that_is_not_utf8_is_told_where() -> None:
    (found,) = load_specs({"a.yaml": b"card: x\r\nsummary: \xff\n"}).diagnostics
    assert (found.line, found.column, found.code) == (2, 10, "CW101")


def test_lone_surrogates_are_no_text() -> None:
    (found,) = load_specs({"a.yaml": "card: \ud800\n"}).diagnostics
    assert (found.line, found.column, found.code) == (1, 7, "CW101")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("card: 'x\n", (1, 7), "not valid YAML: the quote is never closed"),
        ("card: *nobody\n", (1, 7), "not valid YAML: found undefined alias"),
        ("card: [a\nb: c\n", (2, 2), None),
        ("ok: 1\ncard: a\x07b\n", (2, 8), "the character U+0007 cannot be written in YAML"),
        ("ok: é\ncard: a\x1fb\n", (2, 8), "the character U+001F cannot be written in YAML"),
        ("%YAML 3.0\n--- a\n", (1, 1), "not valid YAML: found incompatible YAML document"),
    ],
)
def test_syntax_errors_have_places(text: str, place: tuple[int, int], message: str | None) -> None:
    (found,) = load_specs({"a.yaml": text}).diagnostics
    assert found.code == "CW102"
    assert message is None or found.message == message
    assert found.hint is None or found.hint.startswith(
        ("while ", "did ", "put ", "close ", "write ")
    )
    if message:
        assert (found.line, found.column) == place


ACTOR = "actors:\n  a: "
FIELDS = "fields:\n  a:\n    "


@pytest.mark.parametrize(
    ("text", "place", "hint"),
    [
        (ACTOR + "{name: #Ledger, class: a:B}\nstored: []\n", (2, 13), 'write "#Ledger" in quotes'),
        (ACTOR + "{name: #Ledger,\n      class: a:B}\n", (2, 13), 'write "#Ledger" in quotes'),
        (ACTOR + '{class: "a:#B", name: #C}\n', (2, 28), 'write "#C" in quotes'),
        ("types: {$ref: #/types/X}\nlogic: x\n", (1, 15), 'write "#/types/X" in quotes'),
        ("stored: [#x]\nlogic: x\n", (1, 10), 'write "#x" in quotes'),
        (FIELDS + "type: string\n     default: x\n", (4, 13), "column 5 above"),
        (FIELDS + "type: string\n   default: x\n", (4, 4), "column 3 or 5 here"),
        (FIELDS + "items:\n      b: 1\n     default: x\n", (5, 6), "column 5 or 7 here"),
        (" card: A\nsummary: x\n", (2, 1), "column 2 above"),
        ("depends_on:\n  - card: B\n   optional: true\n", (3, 4), "column 5"),
        (
            "fields: {a: {type: string}\nactors: x\n",
            (2, 1),
            "close the bracket of line 1, column 9",
        ),
        ('summary: "abc\nactors: x\n', (1, 10), "close it on its line"),
        ("card: A\nsummary x\nlogic: x\n", (2, 1), "write `key: value`"),
        ("a:\n  b:\n    c: 1\n   d: 2\n", (4, 4), "column 3 or 5 here"),
        ('summary: "a" b\n', (1, 14), "put all of it in quotes"),
        ('summary: "\\d"\n', (1, 11), "single quotes"),
    ],
)
def test_a_syntax_error_says_what_to_change(text: str, place: tuple[int, int], hint: str) -> None:
    (found,) = load_specs({"a.yaml": text}).diagnostics
    assert (found.code, found.line, found.column) == ("CW102", *place)
    assert hint in (found.hint or "")


def test_a_value_that_became_a_comment_is_told_as_such() -> None:
    text = f"{HEAD}actors:\n  a:\n    name: #Ledger\n    class: a.b:C\n"
    (found,) = parse_file("hello.yaml", text).faults
    assert (found.line, found.hint) == (6, '`#` starts a comment: write "#Ledger" in quotes')


@pytest.mark.parametrize("text", ["[" * 5000, "{a: " * 5000, "- " * 5000, "[" * 100 + "]" * 100])
def test_bottomless_documents_are_refused_quickly(text: str) -> None:
    (found,) = load_specs({"a.yaml": f"card: x\nlogic: {text}\n"}).diagnostics
    assert found.code in {"CW102", "CW112"}


def test_aliases_cannot_grow_without_bounds() -> None:
    levels = "".join(
        f"l{index}: &l{index} [{', '.join([f'*l{index - 1}'] * 10)}]\n" for index in range(1, 12)
    )
    (found,) = load_specs({"a.yaml": f"l0: &l0 [x]\n{levels}"}).diagnostics
    assert found.code == "CW112"


def test_a_plain_alias_is_its_anchor() -> None:
    text = HEAD + "types:\n  Mood: {enum: &words [fine, tired]}\n  Tone: {enum: *words}\n"
    parsed = parse_file("hello.yaml", text)
    assert parsed.faults == ()
    assert isinstance(parsed.spec, CardSpec)
    assert parsed.spec.types["Tone"].enum == ["fine", "tired"]


@pytest.mark.parametrize("key", ["1", "true", "null", "~", "[a]", "{a: b}", "1.5"])
def test_keys_are_text(key: str) -> None:
    found = load_specs({"hello.yaml": f"{HEAD}types:\n  {key}: {{enum: [a]}}\n"}).diagnostics
    assert [one.code for one in found] == ["CW107"]


@pytest.mark.parametrize("tag", ["!!python/object:os.system", "!!timestamp", "!own", "!!binary"])
def test_tags_are_refused_wherever_they_stand(tag: str) -> None:
    for place in (
        f"description: {tag} x",
        f"stored: {tag} [a:B]",
        f"types: {tag} {{A: {{enum: [a]}}}}",
    ):
        found = load_specs({"hello.yaml": f"{HEAD}{place}\n"}).diagnostics
        assert [one.code for one in found] == ["CW110"]
        assert found[0].line == 4


def test_numbers_that_python_cannot_hold_exactly_are_refused() -> None:
    for text in ("9" * 301, "1e301", "-1e999", "1" + "0" * 5000):
        found = read_yaml("x.yaml", f"it: {text}\n").faults
        assert [one.code for one in found] == ["CW111"]
    assert value("9" * 200) == int("9" * 200)


def test_three_duplicate_keys_are_three_faults() -> None:
    found = read_yaml("x.yaml", "a: 1\nb: {c: 1, c: 2}\na: 2\na: 3\n").faults
    assert [(one.line, one.column, one.code) for one in found] == [
        (2, 11, "CW106"),
        (3, 1, "CW106"),
        (4, 1, "CW106"),
    ]


def test_comments_and_nothing_else_are_an_empty_file() -> None:
    for text in ("", "\n\n", "# x\n", "---\n", "\ufeff"):
        (found,) = load_specs({"a.yaml": text}).diagnostics
        assert found.code in {"CW104", "CW113"}
