"""No agent replaces content that it has not seen in its present form."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest
from tests.workspace.workspace_support import Desk, files_below

from cardwright.workspace.files import Change, Identity, Tree
from cardwright.workspace.files.walking import Place
from cardwright.workspace.gate import Edit, EditMissed
from cardwright.workspace.refusals import Refusal

A, B = "agent-a", "agent-b"
LONG = "".join(f"line {n}\n" for n in range(1, 11))


def refused(failure: str) -> "pytest.RaisesExc[Refusal]":
    return pytest.raises(Refusal, check=lambda error: error.failure == failure)


def test_own_files_are_rewritten_without_reading_19(desk: Desk) -> None:
    assert desk.write(A, "a.txt", "one\n") == "Written: a.txt"
    assert desk.write(A, "a.txt", "two\n") == "Written: a.txt"
    assert desk.tree.read("a.txt").data == b"two\n"


def test_another_agent_is_refused_with_name_and_difference_20(desk: Desk) -> None:
    desk.gate.names.put(A, "@Anna")
    desk.write(A, "a.txt", "one\n")
    with refused("stale") as caught:
        desk.write(B, "a.txt", "mine\n")
    text = str(caught.value)
    assert "a.txt exists and you have not read it" in text
    assert "last written by @Anna" in text
    assert "Read it again" in text
    assert "--- live/a.txt" in text
    assert "+++ proposed/a.txt" in text
    assert "-one" in text
    assert "+mine" in text
    assert desk.tree.read("a.txt").data == b"one\n"


def test_without_a_display_name_the_id_is_shown(desk: Desk) -> None:
    desk.write(A, "a.txt", "one\n")
    with refused("stale") as caught:
        desk.write(B, "a.txt", "mine\n")
    assert f"last written by {A}" in str(caught.value)


def test_a_change_from_outside_is_told_and_an_exact_edit_goes_on_21(desk: Desk) -> None:
    desk.write(A, "a.txt", "one\ntwo\n")
    desk.outside("a.txt", b"one\ntwo\nthree\n")
    with refused("stale") as caught:
        desk.write(A, "a.txt", "mine\n")
    assert "came from outside" in str(caught.value)
    assert "-three" in str(caught.value)
    assert "+TWO" in desk.edit(A, Edit("a.txt", "two", "TWO"))
    assert desk.tree.read("a.txt").data == b"one\nTWO\nthree\n"


def test_a_write_of_somebody_else_makes_what_was_read_stale_22(desk: Desk) -> None:
    desk.outside("a.txt", b"one\n")
    desk.sees(A, "a.txt")
    desk.sees(B, "a.txt")
    desk.write(B, "a.txt", "b was here\n")
    with refused("stale"):
        desk.write(A, "a.txt", "a as well\n")


def test_a_page_is_not_enough_to_replace_but_to_edit_23(desk: Desk) -> None:
    desk.outside("a.txt", LONG.encode())
    desk.sees(A, "a.txt", 1, 3)
    with refused("stale") as caught:
        desk.write(A, "a.txt", "short\n")
    assert "a page is not enough" in str(caught.value)
    desk.edit(A, Edit("a.txt", "line 2\n", "line two\n"))
    assert b"line two\n" in desk.tree.read("a.txt").data


def test_an_edit_over_the_change_of_another_names_who_changed_it(desk: Desk) -> None:
    desk.gate.names.put(A, "@Ann")
    desk.gate.names.put(B, "@Ben")
    desk.write(A, "a.txt", LONG)
    desk.sees(B, "a.txt")
    desk.edit(B, Edit("a.txt", "line 1\n", "line one\n"))
    for number in (5, 6):
        desk.edit(A, Edit("a.txt", f"line {number}\n", f"{number}\n"))
        with refused("stale") as caught:
            desk.write(A, "a.txt", "short\n")
        text = str(caught.value)
        assert "not seen the whole of a.txt as it is now" in text
        assert "@Ben changed it since you saw it" in text
        assert "page" not in text
        assert "@Ann" not in text


def test_who_is_refused_is_never_named_as_the_writer(desk: Desk) -> None:
    desk.gate.names.put(A, "@Ann")
    desk.write(A, "a.txt", "one\n")
    desk.gate.observations.drop(A, "a.txt")
    with refused("stale") as caught:
        desk.write(A, "a.txt", "two\n")
    assert "@Ann" not in str(caught.value)
    desk.outside("a.txt", b"other\n")
    desk.sees(A, "a.txt")
    desk.outside("a.txt", b"one\n")
    with refused(
        "stale",
    ) as caught:
        desk.write(A, "a.txt", "two\n")
    assert "@Ann" not in str(caught.value)
    assert "came from outside" in str(caught.value)


def test_pages_that_cover_the_file_are_enough(desk: Desk) -> None:
    desk.outside("a.txt", LONG.encode())
    desk.sees(A, "a.txt", 1, 4)
    desk.sees(A, "a.txt", 8, 10)
    with refused("stale"):
        desk.write(A, "a.txt", "short\n")
    desk.sees(A, "a.txt", 4, 8)
    desk.write(A, "a.txt", "short\n")


def test_pages_of_different_contents_do_not_add_up(desk: Desk) -> None:
    desk.outside("a.txt", LONG.encode())
    desk.sees(A, "a.txt", 1, 5)
    desk.outside("a.txt", LONG.replace("line 1\n", "line one\n").encode())
    desk.sees(A, "a.txt", 6, 10)
    with refused("stale"):
        desk.write(A, "a.txt", "short\n")


def test_a_page_does_not_take_back_what_was_seen_in_full(desk: Desk) -> None:
    desk.outside("a.txt", LONG.encode())
    desk.sees(A, "a.txt")
    desk.sees(A, "a.txt", 1, 2)
    assert desk.write(A, "a.txt", "short\n") == "Written: a.txt"


def test_an_edit_after_a_page_does_not_count_as_seeing_all_t8(desk: Desk) -> None:
    desk.outside("a.txt", LONG.encode())
    desk.sees(A, "a.txt", 1, 3)
    desk.edit(A, Edit("a.txt", "line 2\n", "line two\n"))
    with refused("stale"):
        desk.write(A, "a.txt", "short\n")
    assert b"line 9\n" in desk.tree.read("a.txt").data


def test_an_edit_of_a_changed_file_does_not_count_as_seeing_it_t8(desk: Desk) -> None:
    desk.write(A, "a.txt", LONG)
    desk.outside("a.txt", (LONG + "from outside\n").encode())
    desk.edit(A, Edit("a.txt", "line 2\n", "line two\n"))
    with refused("stale"):
        desk.write(A, "a.txt", "short\n")
    assert b"from outside\n" in desk.tree.read("a.txt").data


def test_a_deleted_file_refuses_once_then_is_made_anew_24(desk: Desk) -> None:
    desk.outside("a.txt", b"one\n")
    desk.sees(B, "a.txt")
    (desk.tree.root / "a.txt").unlink()
    with refused("stale") as caught:
        desk.write(B, "a.txt", "again\n")
    text = str(caught.value)
    assert "was deleted" in text
    assert "outside" not in text
    assert "sha256" not in text
    assert "proposed" not in text
    assert desk.write(B, "a.txt", "again\n") == "Written: a.txt"


@pytest.mark.parametrize("change", ["edit", "delete"])
def test_what_is_not_there_is_not_found_25(desk: Desk, change: str) -> None:
    with refused("not_found") as caught:
        desk.edit(A, Edit("no.txt", "a", "b")) if change == "edit" else desk.delete(A, "no.txt")
    assert str(caught.value) == "File not found: no.txt"


def test_a_tolerant_match_is_no_ground_to_edit_a_changed_file_26(desk: Desk) -> None:
    desk.write(A, "a.py", "def f():\n    return 1\n")
    desk.outside("a.py", b"# new\ndef f():\n        return 1\n")
    with refused("stale") as caught:
        desk.edit(A, Edit("a.py", "def f():\n    return 1\n", "def f():\n    return 2\n"))
    assert "no longer fits" in str(caught.value)


def test_an_edit_that_changes_nothing_is_accepted_27(desk: Desk) -> None:
    desk.write(A, "a.txt", "one\n")
    assert desk.edit(A, Edit("a.txt", "one", "one")) == "(no changes applied)"


def test_a_bad_second_edit_leaves_the_first_file_untouched_28(desk: Desk) -> None:
    desk.write(A, "a.txt", "one\n")
    desk.write(A, "b.txt", "two\n")
    with pytest.raises(EditMissed, match=r"\[ERROR\] old_string not found in b\.txt"):
        desk.edit(A, Edit("a.txt", "one", "1"), Edit("b.txt", "three", "3"))
    assert files_below(desk.tree.root) == {"a.txt": b"one\n", "b.txt": b"two\n"}


def test_no_edits_at_all_are_accepted_29(desk: Desk) -> None:
    assert desk.edit(A) == "(no changes applied)"


def test_a_text_that_is_no_patch_is_refused_29(desk: Desk) -> None:
    with refused("invalid"):
        desk.patch(A, "hello")


def test_patches_over_unread_files_are_refused_30(desk: Desk) -> None:
    desk.outside("a.txt", b"one\n")
    add = "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+new\n"
    delete = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"
    for text in (add, delete):
        with refused("stale"):
            desk.patch(A, text)
    assert files_below(desk.tree.root) == {"a.txt": b"one\n"}


def test_a_hunk_that_does_not_fit_is_an_answer_or_a_refusal_31(desk: Desk) -> None:
    desk.write(A, "a.txt", "one\ntwo\n")
    text = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-three\n+3\n"
    with pytest.raises(EditMissed, match=r"\[ERROR\] a\.txt: "):
        desk.patch(A, text)
    desk.outside("a.txt", b"other\n")
    with refused("stale"):
        desk.patch(A, text)


def test_a_patch_changes_makes_and_deletes_in_its_order(desk: Desk) -> None:
    desk.write(A, "a.txt", "one\ntwo\n")
    desk.write(A, "b.txt", "bye\n")
    text = (
        "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
        "--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-bye\n"
        "--- /dev/null\n+++ b/new/c.txt\n@@ -0,0 +1 @@\n+hi\n"
    )
    assert desk.patch(A, text) == "updated: a.txt\ndeleted: b.txt\ncreated: new/c.txt"
    assert files_below(desk.tree.root) == {"a.txt": b"one\n2\n", "new/c.txt": b"hi\n"}


def test_a_patch_of_a_missing_file_is_an_answer(desk: Desk) -> None:
    text = "--- a/no.txt\n+++ b/no.txt\n@@ -1 +1 @@\n-a\n+b\n"
    with pytest.raises(EditMissed, match=r"\[ERROR\] no\.txt: File not found"):
        desk.patch(A, text)


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "d", "f/x", "nul\0", "\ud800"])
def test_paths_that_cannot_be_changed_are_refused_alike_t7_t12(desk: Desk, path: str) -> None:
    desk.outside("f", b"file\n")
    (desk.tree.root / "d").mkdir()
    failures = {"outside", "unsuitable", "invalid"}
    patch = f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-a\n+b\n"
    attempts: list[Callable[[], str]] = [
        lambda: desk.write(A, path, "x"),
        lambda: desk.delete(A, path),
        lambda: desk.edit(A, Edit(path, "a", "b")),
        lambda: desk.patch(A, patch),
    ]
    for attempt in attempts:
        with pytest.raises(Refusal) as caught:
            attempt()
        assert caught.value.failure in failures
    assert files_below(desk.tree.root) == {"f": b"file\n"}


def test_lone_surrogates_in_a_content_are_refused_t12(desk: Desk) -> None:
    with refused("invalid"):
        desk.write(A, "a.txt", "\ud800")
    assert files_below(desk.tree.root) == {}


def test_bytes_that_are_no_text_are_not_edited_t12(desk: Desk) -> None:
    desk.outside("a.bin", b"\xff\x00\xfe")
    desk.sees(A, "a.bin")
    with refused("unsuitable"):
        desk.edit(A, Edit("a.bin", "a", "b"))


@pytest.mark.parametrize("other", ["./a.txt", "d/../a.txt", ".//a.txt", "link.txt", "up/a.txt"])
def test_every_spelling_is_the_same_file_t9(desk: Desk, other: str) -> None:
    desk.outside("a.txt", b"one two\n")
    (desk.tree.root / "d").mkdir()
    (desk.tree.root / "link.txt").symlink_to("a.txt")
    (desk.tree.root / "up").symlink_to(".")
    desk.sees(A, other)
    desk.edit(A, Edit("a.txt", "one", "1"), Edit(other, "two", "2"))
    assert desk.tree.read("a.txt").data == b"1 2\n"
    assert (desk.tree.root / "link.txt").is_symlink()
    desk.sees(B, "a.txt")
    desk.write(A, other, "changed\n")
    with refused("stale"):
        desk.write(B, "a.txt", "mine\n")


def test_a_renamed_file_is_known_by_what_it_is(desk: Desk) -> None:
    desk.outside("a.txt", b"one\n")
    desk.sees(A, "a.txt")
    (desk.tree.root / "a.txt").rename(desk.tree.root / "b.txt")
    assert desk.write(A, "b.txt", "two\n") == "Written: b.txt"
    with refused("stale"):
        desk.write(A, "a.txt", "back\n")


def test_a_file_moved_over_one_that_was_read_is_unseen(desk: Desk) -> None:
    desk.outside("a.txt", b"one\n")
    desk.outside("b.txt", b"two\n")
    desk.sees(A, "a.txt")
    (desk.tree.root / "b.txt").rename(desk.tree.root / "a.txt")
    with refused("stale"):
        desk.write(A, "a.txt", "mine\n")


def test_the_twin_of_a_hard_link_is_not_changed(desk: Desk) -> None:
    desk.outside("a.txt", b"one\n")
    os.link(desk.tree.root / "a.txt", desk.tree.root / "twin.txt")
    desk.sees(A, "a.txt")
    desk.edit(A, Edit("a.txt", "one", "1"))
    assert files_below(desk.tree.root) == {"a.txt": b"1\n", "twin.txt": b"one\n"}
    with refused("stale"):
        desk.write(B, "twin.txt", "mine\n")


def test_a_link_is_deleted_itself_t11(desk: Desk) -> None:
    desk.outside("a.txt", b"one\n")
    (desk.tree.root / "link").symlink_to("a.txt")
    with refused("stale"):
        desk.delete(A, "link")
    desk.sees(A, "a.txt")
    assert desk.delete(A, "link") == "Deleted: link"
    assert files_below(desk.tree.root) == {"a.txt": b"one\n"}
    assert not (desk.tree.root / "link").is_symlink()


@pytest.mark.parametrize("target", ["nowhere", "/etc/hostname", "loop"])
def test_a_link_that_leads_to_no_file_may_be_deleted_t11(desk: Desk, target: str) -> None:
    (desk.tree.root / "loop").symlink_to(target)
    assert desk.delete(A, "loop") == "Deleted: loop"
    assert list(desk.tree.root.iterdir()) == []


def test_a_dangling_link_inside_is_written_through(desk: Desk) -> None:
    (desk.tree.root / "link").symlink_to("d/target")
    desk.write(A, "link", "x\n")
    assert files_below(desk.tree.root) == {"d/target": b"x\n"}


def test_a_deletion_is_told_to_others_once(desk: Desk) -> None:
    desk.write(A, "a.txt", "one\n")
    desk.sees(B, "a.txt")
    desk.delete(A, "a.txt")
    with refused("stale"):
        desk.delete(B, "a.txt")
    with refused("not_found"):
        desk.delete(B, "a.txt")


def test_observations_are_bounded_oldest_first_40(tree: Tree) -> None:
    desk = Desk(tree, observations=2)
    for name in ("a", "b", "c"):
        desk.write(A, name, "1")
    with refused("stale"):
        desk.write(A, "a", "2")
    desk.write(A, "b", "2")
    desk.write(A, "c", "2")
    desk.close()


@pytest.mark.parametrize(
    ("live", "content", "stored"),
    [
        (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n"),
        (b"a\r\nb\r\n", "x\r\ny\n", b"x\r\ny\r\n"),
        (b"a\r\nb\r\nc\r\nd\n", "x\ny", b"x\r\ny"),
        (b"a\r\nb\nc\n", "x\r\ny\n", b"x\ny\n"),
        (b"a\r\nb\n", "x\r\n", b"x\n"),
        (b"\xef\xbb\xbfa\n", "x\n", b"\xef\xbb\xbfx\n"),
        (b"\xef\xbb\xbfa\n", "\ufeffx\n", b"\xef\xbb\xbfx\n"),
        ("\ufeffa\r\n".encode("utf-16-le"), "ä\n", "\ufeffä\r\n".encode("utf-16-le")),
        (b"\xff\x00\xfe", "x\r\ny\n", b"x\r\ny\n"),
        (None, "x\r\ny\n", b"x\r\ny\n"),
    ],
)
def test_a_write_keeps_the_form_of_the_file_34_35(
    desk: Desk, live: bytes | None, content: str, stored: bytes
) -> None:
    if live is not None:
        desk.outside("a.txt", live)
        desk.sees(A, "a.txt")
    desk.write(A, "a.txt", content)
    assert desk.tree.read("a.txt").data == stored


def test_an_edit_changes_no_byte_beside_its_span(desk: Desk) -> None:
    mixed = b"\xef\xbb\xbfone\r\ntwo\nthree\r\nfour \x0c five\r\nsix"
    desk.outside("a.txt", mixed)
    desk.sees(A, "a.txt")
    desk.edit(A, Edit("a.txt", "three", "3"))
    assert desk.tree.read("a.txt").data == mixed.replace(b"three", b"3")


def test_the_difference_of_a_refusal_is_bounded(desk: Desk) -> None:
    desk.outside("a.txt", LONG.encode() * 100)
    with refused("stale") as caught:
        desk.write(A, "a.txt", "short\n")
    assert len(str(caught.value).splitlines()) < 210


def test_a_file_that_keeps_changing_is_given_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write(A, "a.txt", "one\n")
    publish = desk.publisher.publish

    def overtaken(changes: Sequence[Change]) -> dict[str, Identity]:
        desk.outside("a.txt", b"late\n")
        return publish(changes)

    monkeypatch.setattr(desk.publisher, "publish", overtaken)
    with refused("stale"):
        desk.write(A, "a.txt", "mine\n")
    assert desk.tree.read("a.txt").data == b"late\n"


def test_a_patch_may_make_a_program(desk: Desk) -> None:
    text = (
        "diff --git a/run.sh b/run.sh\nnew file mode 100755\n"
        "--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+#!/bin/sh\n"
    )
    before = os.umask(0o027)
    try:
        desk.patch(A, text)
    finally:
        os.umask(before)
    assert (desk.tree.root / "run.sh").stat().st_mode & 0o777 == 0o750


def test_an_ambiguous_edit_tells_count_and_lines_t5(desk: Desk) -> None:
    desk.write(A, "a.txt", "same\nother\nsame\n")
    with pytest.raises(EditMissed, match=r"^\[ERROR\] a\.txt: .* 2 times.* lines 1, 3"):
        desk.edit(A, Edit("a.txt", "same", "x"))
    with pytest.raises(EditMissed, match=r"^\[ERROR\] old_string not found in a\.txt: neither"):
        desk.edit(A, Edit("a.txt", "unknown", "x"))


class FoldingTree(Tree):
    """A tree on a file system that ignores case, as macOS has: paths stay as they are spelled."""

    @contextmanager
    def place(self, path: str, *, follow: bool = True) -> Generator[Place]:
        with super().place(path.lower(), follow=follow) as place:
            yield replace(place, path=path)


def test_spellings_in_another_case_are_one_file_where_case_is_ignored_t9(tree: Tree) -> None:
    desk = Desk(FoldingTree(tree.root))
    desk.outside("a.txt", b"one two\n")
    desk.sees(A, "a.txt")
    desk.edit(A, Edit("a.txt", "one", "1"), Edit("A.TXT", "two", "2"))
    assert files_below(tree.root) == {"a.txt": b"1 2\n"}
    desk.sees(B, "a.txt")
    assert desk.write(B, "A.txt", "whole\n") == "Written: A.txt"
    with refused("stale"):
        desk.write(A, "a.TXT", "mine\n")
    desk.close()


def test_unicode_forms_of_a_name_are_one_file_t9(desk: Desk) -> None:
    composed, apart = "caf\u00e9/\u00fc.txt", "cafe\u0301/u\u0308.txt"
    desk.outside(apart, b"one two\n")
    desk.sees(A, composed)
    desk.edit(A, Edit(composed, "one", "1"), Edit(apart, "two", "2"))
    assert files_below(desk.tree.root) == {apart: b"1 2\n"}
    with refused("stale"):
        desk.write(B, composed, "mine\n")
    desk.outside("caf\u00e9/\u00fc.txt", b"a file of its own\n")
    assert desk.sees(A, composed) == b"a file of its own\n"
    assert desk.sees(A, apart) == b"1 2\n"
