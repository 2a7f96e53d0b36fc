"""Edits by anchor: what is tolerated, what is refused, and that nothing else changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.workspace.editing import AnchorError, EditMatcher, substitute_edit
from cardwright.workspace.editing.matching import COLLAPSED, STEPS
from cardwright.workspace.editing.views import simplified


def edited(content: str, old: str, new: str, **how: bool) -> tuple[str, str]:
    done = substitute_edit(content, old, new, **how)
    return done.text, done.strategy


def refusal(content: str, old: str, **how: bool) -> AnchorError:
    with pytest.raises(AnchorError) as caught:
        substitute_edit(content, old, "NEW", **how)
    return caught.value


@pytest.mark.parametrize(
    ("content", "old", "new", "expected", "strategy"),
    [
        ("a b c", "b", "X", "a X c", "exact"),
        ("x  \ny\n", "x\ny", "z", "z\n", "trailing_trimmed"),
        ("x\ny\n", "x  \ny", "z", "z\n", "trailing_trimmed"),
        ("say “hi” – ok\n", 'say "hi" - ok', "bye", "bye\n", "unicode_normalised"),
        ("caf\u00e9 au lait", "cafe\u0301 au", "tea", "tea lait", "unicode_normalised"),
        ("cafe\u0301 au lait", "caf\u00e9 au", "tea", "tea lait", "unicode_normalised"),
        ("wait… what", "wait... what", "no", "no", "unicode_normalised"),
        ("a\u00a0b", "a b", "c", "c", "unicode_normalised"),
        (
            "\tif a:\n\t\tb()\n",
            "if a:\n    b()",
            "if c:\n    d()",
            "\tif c:\n\t\td()\n",
            "dedented",
        ),
        (
            "    a\n        b\n",
            "a\n  b",
            "x\n  y\n    z",
            "    x\n        y\n            z\n",
            "dedented",
        ),
        ("x  =  1\n", "x = 1", "x = 2", "x = 2\n", "whitespace_normalised"),
        ("keep foo  (a) keep\n", "foo (a)", "bar", "keep bar keep\n", "whitespace_normalised"),
        ("a\nb", "\n\nb\n", "c\n", "a\nc", "trimmed_boundary"),
        ('say("x")\n', 'say(\\"x\\")', 'say(\\"y\\")', 'say("y")\n', "escape_normalised"),
        ("a\n\tb\n", "a\\n\\tb", "c\\n\\td", "c\n\td\n", "escape_normalised"),
        ("p = 'a\\tb'\n", "p = 'a\tb'", "p = 'c\td'", "p = 'c\\td'\n", "escape_normalised"),
        ("a = 1\r\nb = 2\r\n", "a = 1\nb = 2", "c = 3\nd = 4", "c = 3\r\nd = 4\r\n", "exact"),
        ("a\rb\rc", "a\nb", "x\ny", "x\ry\rc", "trailing_trimmed"),
    ],
)
def test_a_harmless_difference_is_set_aside(
    content: str, old: str, new: str, expected: str, strategy: str
) -> None:
    assert edited(content, old, new) == (expected, strategy)


def test_a_nearly_right_anchor_is_found_by_likeness_and_takes_the_indentation() -> None:
    content = "class A:\n\tdef total(self, items):\n\t\tresult = sum(items)\n\t\treturn result\n"
    old = "def total(self, itms):\n    result = sum(items)\n    return result"
    new = "def total(self, items):\n    return sum(items)"
    expected = "class A:\n\tdef total(self, items):\n\t\treturn sum(items)\n"
    assert edited(content, old, new) == (expected, "fuzzy")


@pytest.mark.parametrize(
    ("content", "old"),
    [
        ("timeout_in_seconds = 15  # of a call\n", "timeout_in_seconds = 10  # of a call"),
        ("return total_of_all_items + keep_this\n", "return total_of_all_itms"),
        ("alpha beta gamma delta epsilon\n", "alpha beta gamma zeta omikron"),
        ("x = l\n", "x = 1"),
        ("first line of the text\nsomething else here\n", "first line of the text\n?????????????"),
    ],
)
def test_likeness_never_covers_numbers_or_text_the_anchor_does_not_have(
    content: str, old: str
) -> None:
    assert refusal(content, old).count == 0


def test_two_nearly_right_places_are_refused_with_their_lines() -> None:
    block = "def handler(request, context):\n    return respond(request)\n"
    error = refusal(
        block + "\n" + block, "def handler(request, contxt):\n    return respond(request)"
    )
    assert (error.count, error.lines) == (2, (1, 4))


def test_t1_replace_all_goes_forward_and_ends() -> None:
    assert edited("foo foo", "foo", "foobar", replace_all=True) == ("foobar foobar", "exact")
    assert edited("foo foo", "foo", "foo", replace_all=True) == ("foo foo", "exact")
    assert edited("aaa", "aa", "b", replace_all=True) == ("ba", "exact")
    with pytest.raises(AnchorError, match="empty"):
        substitute_edit("x", "", "y", replace_all=True)


def test_t2_a_tolerant_match_ends_before_the_line_break_and_within_the_line() -> None:
    text, _ = edited("def f():\n\tpass\nnext\n", "def f():\n    pass", "def g():\n    return")
    assert text == "def g():\n\treturn\nnext\n"
    assert (
        edited(
            "a; x  = 1; b\n",
            "x = 1",
            "y",
        )[0]
        == "a; y; b\n"
    )


def test_t3_crlf_places_are_exact_even_for_a_file_that_changed() -> None:
    content = "é\r\none\r\ntwo\r\nthree\r\n"
    assert edited(content, "one\ntwo", "1\n2", exact_only=True)[0] == "é\r\n1\r\n2\r\nthree\r\n"


def test_t4_noise_that_only_the_file_has_is_tolerated_and_non_ascii_escapes_survive() -> None:
    assert edited("a  \n\tb\n", "a\nb", "c\nd")[0] == "c\n\td\n"
    assert edited('é = "ü"\n', 'é = \\"ü\\"', 'é = \\"ö\\"')[0] == 'é = "ö"\n'


def test_t5_an_ambiguous_anchor_is_refused_with_count_and_lines() -> None:
    error = refusal("x\ny\nx\nx\n", "x")
    assert (error.count, error.lines) == (3, (1, 3, 4))
    assert "3 times" in error.text
    assert "lines 1, 3, 4" in error.text
    assert refusal("aaa", "aa").count == 2
    assert refusal("a  b\na   b\n", "a b").count == 2


def test_26_exact_only_refuses_what_needs_tolerance() -> None:
    assert refusal("x  = 1", "x = 1", exact_only=True).count == 0


def test_the_shape_of_the_indentation_decides_between_places() -> None:
    content = "if a:\n\tx()\n\ty()\nif a:\n\tx()\ny()\n"
    text, strategy = edited(content, "if a:\n  x()\ny()", "if b:\n  x()\ny()")
    assert (text, strategy) == ("if a:\n\tx()\n\ty()\nif b:\n\tx()\ny()\n", "dedented")


def test_a_stripped_beginning_or_end_must_stand_at_the_line() -> None:
    assert refusal("foobar\n", "foo ").count == 0
    assert refusal("xfoo = 1\n", "\tfoo = 1").count == 0


def test_only_the_replaced_lines_take_an_ending_in_a_mixed_file() -> None:
    assert edited("a\nb\r\nc\r\nd\r\n", "c", "x\ny")[0] == "a\nb\r\nx\r\ny\r\nd\r\n"


def test_an_indentation_above_that_of_the_anchor_is_found_by_steps() -> None:
    content = "class A:\n\tdef f(self):\n\t\treturn  1\n"
    text, _ = edited(
        content, "        return 1", "        return 2\n\n    def g(self):\n        pass"
    )
    assert text == "class A:\n\tdef f(self):\n\t\treturn 2\n\n\tdef g(self):\n\t\tpass\n"


def test_what_was_matched_in_full_may_move_left() -> None:
    text, _ = edited("    x  = 1\n", "    x = 1", "y = 2")
    assert text == "y = 2\n"


LINES = st.lists(st.text("ab \t“'é", max_size=6), max_size=6)


def joined(lines: list[str], end: str) -> str:
    return end.join(lines)


TEXTS = st.builds(joined, LINES, st.sampled_from(["\n", "\r\n"]))


@given(TEXTS, TEXTS.filter(bool))
def test_a_match_stands_for_text_that_looks_like_the_anchor(content: str, anchor: str) -> None:
    steps = dict(STEPS) | {"dedented": dict(STEPS)["line_trimmed"], "trimmed_boundary": COLLAPSED}
    for match in EditMatcher(content).find(anchor):
        assert 0 <= match.start <= match.end <= len(content)
        if match.strategy not in {"fuzzy", "escape_normalised"}:
            seen = simplified(content[match.start : match.end], steps[match.strategy])
            assert seen == simplified(match.anchor, steps[match.strategy]).strip(
                "\n" * (match.strategy == "trimmed_boundary")
            )


@given(TEXTS, TEXTS.filter(bool), TEXTS)
def test_everything_outside_the_spans_stays(content: str, anchor: str, new: str) -> None:
    try:
        done = substitute_edit(content, anchor, new, replace_all=True)
    except AnchorError:
        return
    at_old = at_new = 0
    for start, end in done.spans:
        at_new = done.text.index(content[at_old:start], at_new) + start - at_old
        at_old = end
    first, last = done.spans[0][0], done.spans[-1][1]
    assert done.text.startswith(content[:first])
    assert done.text.endswith(content[last:])


@given(TEXTS, st.data())
def test_every_unique_piece_of_a_text_is_replaced_exactly(
    content: str, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, len(content)))
    piece = content[start:end]
    inside = content[max(0, start - 1) : start] != "\r" or piece[:1] != "\n"
    if not piece or content.count(piece) != 1 or not inside or piece.endswith("\r"):
        return
    matches = EditMatcher(content).find(piece)
    if len(matches) == 1:
        assert (matches[0].start, matches[0].end, matches[0].strategy) == (start, end, "exact")
