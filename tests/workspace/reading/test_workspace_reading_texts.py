"""Pages of texts."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.workspace.files import Tree
from cardwright.workspace.reading import Seen, pages, read_page
from cardwright.workspace.reading import texts as texts_module
from cardwright.workspace.reading.pages import page_of
from cardwright.workspace.refusals import Refusal

type Put = Callable[..., Path]


def refused(tree: Tree, path: str, **how: int) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read_page(tree, path, **how)  # type: ignore[arg-type] # integers only
    return caught.value


def bounds(seen: Seen) -> tuple[int, int, int, bool]:
    return seen.first, seen.last, seen.total, seen.full


def test_7_a_long_file_is_shown_to_the_default_limit_with_a_notice(tree: Tree, put: Put) -> None:
    put("a.txt", "".join(f"l{n}\n" for n in range(1, 3501)))
    reading = read_page(tree, "a.txt")
    lines = reading.text.split("\n")
    assert lines[0] == "1     l1"
    assert lines[1999] == "2000  l2000"
    assert lines[2000:] == ["[... truncated: 3500 lines total, showing 1-2000 ...]"]
    assert bounds(reading.seen) == (1, 2000, 3500, False)


def test_8_a_window_has_its_numbers_and_is_partial(tree: Tree, put: Put) -> None:
    put("a.txt", "".join(f"l{n}\n" for n in range(1, 201)))
    reading = read_page(tree, "a.txt", offset=100, limit=50)
    lines = reading.text.split("\n")
    assert (lines[0], lines[49]) == ("100   l100", "149   l149")
    assert bounds(reading.seen) == (100, 149, 200, False)
    last = read_page(tree, "a.txt", offset=151)
    assert "truncated" not in last.text
    assert bounds(last.seen) == (151, 200, 200, False)


def test_9_offsets_out_of_range_and_empty_files(tree: Tree, put: Put) -> None:
    put("a.txt", "x\ny\n")
    put("empty.txt", "")
    assert read_page(tree, "a.txt", offset=-5) == read_page(tree, "a.txt", offset=1)
    past = read_page(tree, "a.txt", offset=3)
    assert (past.text, past.seen.full) == ("", False)
    empty = read_page(tree, "empty.txt")
    assert (empty.text, empty.seen.full) == ("", True)
    assert refused(tree, "a.txt", limit=0).failure == "invalid"


def test_10_11_other_names_are_texts_and_sidecars_are_too(tree: Tree, put: Put) -> None:
    put("data.unknown", "x")
    put(".report.pdf.md", "y")
    assert read_page(tree, "data.unknown").text == "1     x"
    assert read_page(tree, ".report.pdf.md").text == "1     y"
    assert refused(tree, "none.pdf").failure == "not_found"


def test_lines_break_nowhere_else_and_the_mark_is_not_shown(tree: Tree, put: Put) -> None:
    put("a.txt", b"\xef\xbb\xbfa\x0cb\xe2\x80\xa8c\r\nd\re\n")
    assert read_page(tree, "a.txt").text == "1     a\x0cb\u2028c\n2     d\n3     e"
    put("b.txt", "ü\n".encode("utf-16"))
    assert read_page(tree, "b.txt").text == "1     ü"


def test_what_was_seen_is_the_hash_of_the_bytes_under_the_canonical_path(
    tree: Tree, root: Path, put: Put
) -> None:
    put("d/a.txt", "x\n")
    (root / "link").symlink_to("d/a.txt")
    seen = read_page(tree, "./link").seen
    assert (seen.path, seen.sha) == ("d/a.txt", hashlib.sha256(b"x\n").hexdigest())
    assert seen == read_page(tree, "d/../d/a.txt").seen


def test_t12_what_is_no_text_is_a_refusal(tree: Tree, root: Path, put: Put) -> None:
    put("d/latin.txt", "é".encode("latin-1"))
    assert refused(tree, "d").failure == "unsuitable"
    assert refused(tree, "d/latin.txt").failure == "unsuitable"
    assert "d/latin.txt: This is no text: byte 0" in str(refused(tree, "d/latin.txt"))
    assert refused(tree, "a\0b").failure == "invalid"
    assert refused(tree, "\ud800").failure == "invalid"
    (root / "out.txt").symlink_to(root.parent / "other")
    assert refused(tree, "out.txt").failure == "outside"


def test_pages_and_files_are_bounded(tree: Tree, put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_CHARACTERS", 30)
    put("a.txt", "x" * 50 + "\n" + "y\n" * 9)
    cut = read_page(tree, "a.txt")
    assert "line 1 has 50 characters and is cut after 30" in cut.text
    assert bounds(cut.seen) == (1, 0, 10, False)
    rest = read_page(tree, "a.txt", offset=2)
    assert rest.text.split("\n")[-1] == "[... truncated: 10 lines total, showing 2-5 ...]"
    monkeypatch.setattr(texts_module, "LARGEST", 5)
    assert refused(tree, "a.txt").failure == "unsuitable"


@given(st.lists(st.text("ab\f\u2028", max_size=3), max_size=8), st.integers(1, 9))
def test_pages_in_a_row_show_every_line_once(lines: list[str], limit: int) -> None:
    text = "".join(f"{line}\n" for line in lines)
    shown: list[str] = []
    for offset in range(1, len(lines) + 1, limit):
        page = page_of(text, offset, limit)
        body = page.text.split("\n")[: page.last - page.first + 1]
        shown += [line[6:] for line in body]
    assert shown == lines
