"""Diagnostics for people, for programs and for GitHub."""

import json

from cardwright_generator.spec import (
    Diagnostic,
    headline,
    load_specs,
    render_github,
    render_json,
    render_plain,
)
from cardwright_generator.spec.diagnostics import dotted, in_order, listed

ONE = Diagnostic("specs/a.yaml", 2, 4, "CW501", "argument 'x' has no description", "say it", "a.b")


def test_a_headline_is_clickable() -> None:
    assert headline(ONE) == "specs/a.yaml:2:4: CW501 argument 'x' has no description"


def test_plain_shows_the_place() -> None:
    assert render_plain([ONE, ONE], {"specs/a.yaml": "x\n  é: {}\n"}) == (
        "specs/a.yaml:2:4: CW501 argument 'x' has no description\n"
        "  2 |   é: {}\n"
        "    |    ^\n"
        "  = say it\n"
        "\n"
        "specs/a.yaml:2:4: CW501 argument 'x' has no description\n"
        "  2 |   é: {}\n"
        "    |    ^\n"
        "  = say it\n"
    )


def test_plain_does_without_source_line_or_hint() -> None:
    bare = Diagnostic("a.yaml", 9, 1, "CW104", "the file is empty")
    assert render_plain([bare], {}) == "a.yaml:9:1: CW104 the file is empty\n"
    assert render_plain([bare], {"a.yaml": "x"}) == "a.yaml:9:1: CW104 the file is empty\n"
    assert render_plain([], {}) == ""


def test_the_caret_stands_under_its_column_in_long_lines_too() -> None:
    line = "".join(chr(97 + index % 26) for index in range(400))
    for column in (1, 40, 101, 250, 400):
        found = Diagnostic("a.yaml", 1, column, "CW104", "x")
        _, excerpt, caret = render_plain([found], {"a.yaml": line}).rstrip("\n").split("\n")
        assert len(excerpt) < 120
        assert excerpt[caret.index("^")] == line[column - 1]


def test_lines_are_counted_as_yaml_counts_them() -> None:
    text = "card: a\u2028b: 1\nzz: {a: 1}\n"
    (found, *_) = [one for one in load_specs({"a.yaml": text}).diagnostics if "'zz'" in one.message]
    assert "zz: {a: 1}" in render_plain([found], {"a.yaml": text})


def test_json_is_for_programs() -> None:
    assert json.loads(render_json([ONE])) == [
        {
            "file": "specs/a.yaml",
            "line": 2,
            "column": 4,
            "code": "CW501",
            "message": "argument 'x' has no description",
            "hint": "say it",
            "path": "a.b",
            "severity": "error",
        }
    ]
    assert json.loads(render_json([])) == []


def test_github_annotates_the_line() -> None:
    strange = Diagnostic("a,b:c.yaml", 1, 2, "CW102", "50% sure\nor not", None)
    assert render_github([ONE, strange]).split("\n") == [
        (
            "::error file=specs/a.yaml,line=2,col=4,title=CW501"
            "::argument 'x' has no description (say it)"
        ),
        "::error file=a%2Cb%3Ac.yaml,line=1,col=2,title=CW102::50%25 sure%0Aor not",
    ]


def test_diagnostics_are_sorted_by_place_and_told_once() -> None:
    places = [("b", 1, 1), ("a", 2, 1), ("a", 1, 9), ("a", 1, 9), ("a", 1, 2)]
    found = in_order(Diagnostic(file, line, column, "CW104", "x") for file, line, column in places)
    assert [(one.file, one.line, one.column) for one in found] == [
        ("a", 1, 2),
        ("a", 1, 9),
        ("a", 2, 1),
        ("b", 1, 1),
    ]


def test_words() -> None:
    assert dotted(("a", 0, "b", "c", 1, 2)) == "a[0].b.c[1][2]"
    assert dotted(()) == ""
    assert [listed(["a", "b", "c"][:count]) for count in range(4)] == [
        "",
        "'a'",
        "'a' and 'b'",
        "'a', 'b' and 'c'",
    ]


def test_what_a_terminal_obeys_is_shown_and_lines_stay_lines() -> None:
    source = "x: \x1b[31ma\tb\u202e\n"
    evil = Diagnostic("a.yaml", 1, 9, "CW403", "it is 'a\nb\x1b[31m'", hint="write\r'x'")
    assert render_plain([evil], {"a.yaml": source}) == (
        "a.yaml:1:9: CW403 it is 'a\\nb\\x1b[31m'\n"
        "  1 | x: \ufffd[31ma b\ufffd\n"
        "    |         ^\n"
        "  = write\\r'x'\n"
    )
