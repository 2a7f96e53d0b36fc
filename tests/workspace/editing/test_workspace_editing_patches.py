"""Unified diffs: read by counts, verified, applied byte for byte."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardwright.workspace.editing import (
    FilePatch,
    HunkContextError,
    HunkOverlapError,
    PatchSyntaxError,
    apply_file_patch,
    deleted_paths,
    is_pure_add,
    live_to_proposed,
    parse_patch,
    patch_label,
    render_file_patch,
    unified,
)

HEAD = "--- a/f\n+++ b/f\n"


def one(text: str) -> FilePatch:
    (patch,) = parse_patch(text)
    return patch


def applied(content: str, text: str) -> str:
    return apply_file_patch(content, one(text))


def broken(text: str) -> PatchSyntaxError:
    with pytest.raises(PatchSyntaxError) as caught:
        parse_patch(text)
    return caught.value


LINES = st.lists(
    st.sampled_from(
        [
            "a",
            "b",
            "",
            "-- x",
            "++ y",
            "--- a/f",
            "+++ b/f",
            "@@ -1 +1 @@",
            "x\r",
            "\f",
            "\u2028é",
            "\\ No newline",
            "diff --git a/f b/f",
            "c d",
        ]
    ),
    max_size=9,
)


def ended(lines: list[str], end: str) -> str:
    return "\n".join(lines) + end


TEXTS = st.builds(ended, LINES, st.sampled_from(["", "\n"]))


@given(TEXTS, TEXTS)
def test_a_generated_difference_gives_the_second_text_byte_for_byte(old: str, new: str) -> None:
    text = unified("dir/f", old, new)
    if old == new:
        assert text == ""
        return
    patch = one(text)
    assert patch.path == "dir/f"
    assert apply_file_patch(old, patch) == new
    assert one(render_file_patch(patch)) == patch


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_git_applies_what_is_generated_here(tmp_path: Path, old: str, new: str) -> None:
    text = unified("f", old, new)
    if not text:
        return
    (tmp_path / "f").write_bytes(old.encode())
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(
        command, cwd=tmp_path, input=(text + "\n").encode(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = tmp_path / "f"
    assert (found.read_bytes() if found.exists() else b"") == new.encode()


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS, st.integers(0, 4))
def test_what_git_generates_is_applied_here(
    tmp_path: Path, old: str, new: str, context: int
) -> None:
    (tmp_path / "old").write_bytes(old.encode())
    (tmp_path / "new").write_bytes(new.encode())
    command = ["git", "diff", "--no-index", "--no-renames", "--text", f"-U{context}", "old", "new"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    text = done.stdout.decode().replace("b/new", "b/old")
    if text:
        assert applied(old, text) == new


@given(TEXTS, TEXTS)
def test_no_line_of_a_hunk_is_lost(old: str, new: str) -> None:
    text = unified("f", old, new)
    if text:
        body = [line for hunk in one(text).hunks for line in hunk.lines]
        markers = sum(not line.text.endswith("\n") for line in body)
        headers = 2 + len(one(text).hunks)
        assert len(text.split("\n")) == len(body) + markers + headers


def test_33_an_omitted_count_is_one() -> None:
    hunk = one(f"{HEAD}@@ -2 +2 @@\n-b\n+B\n").hunks[0]
    assert (hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count) == (2, 1, 2, 1)
    assert applied("a\nb\nc\n", f"{HEAD}@@ -2 +2 @@\n-b\n+B\n") == "a\nB\nc\n"


def test_31_a_moved_block_is_found_once_and_refused_twice_with_its_lines() -> None:
    patch = f"{HEAD}@@ -1,2 +1,2 @@\n x\n-y\n+z\n"
    assert applied("1\n2\nx\ny\n", patch) == "1\n2\nx\nz\n"
    with pytest.raises(HunkContextError) as caught:
        applied("1\nx\ny\nx\ny\n", patch)
    assert (caught.value.occurrences, caught.value.lines) == (2, (2, 4))
    assert "lines 2, 4" in caught.value.text
    with pytest.raises(HunkContextError) as caught:
        applied("nothing\n", patch)
    assert caught.value.occurrences == 0


def test_31_the_stated_place_wins_over_others_like_it() -> None:
    assert applied("x\ny\nx\ny\n", f"{HEAD}@@ -3,2 +3,2 @@\n x\n-y\n+z\n") == "x\ny\nx\nz\n"


def test_32_later_hunks_use_the_frame_of_a_relocated_one() -> None:
    content = "new\nnew\na\nb\nx\nq\nq\nx\n"
    patch = f"{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -6 +6 @@\n-x\n+X\n"
    assert applied(content, patch) == "new\nnew\na\nB\nx\nq\nq\nX\n"


def test_29_nothing_parsed_is_an_error() -> None:
    assert "no file header" in broken("hello").text
    assert broken("").line == 1
    assert "no hunk" in broken(HEAD).text


def test_t6_lines_like_headers_are_content() -> None:
    patch = f"{HEAD}@@ -1,3 +1,3 @@\n a\n--- old\n+++ new\n b\n"
    assert applied("a\n-- old\nb\n", patch) == "a\n++ new\nb\n"


def test_t6_crlf_files_form_feeds_and_missing_final_newlines_are_kept() -> None:
    patch = f"{HEAD}@@ -1,2 +1,3 @@\n a\n-b\n+B\n+C\n"
    assert applied("a\r\nb\r\n", patch) == "a\r\nB\r\nC\r\n"
    assert applied("a\r\nb\r\n", patch.replace("\n", "\r\n")) == "a\r\nB\r\nC\r\n"
    assert applied("a\nb", patch) == "a\nB\nC"
    assert applied("x\f1\u2028\na\nb\n", patch) == "x\f1\u2028\na\nB\nC\n"


def test_t6_a_blank_context_line_may_have_lost_its_space() -> None:
    assert applied("a\n\nb\n", f"{HEAD}@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n") == "a\n\nc\n"


def test_t6_time_stamps_and_quotes_do_not_end_up_in_paths() -> None:
    patch = "--- a/f.txt\t2026-01-01 00:00:00\n+++ b/f.txt\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n"
    assert one(patch).path == "f.txt"
    patch = '--- "a/\\303\\244 \\"q\\".txt"\n+++ "b/\\303\\244 \\"q\\".txt"\n@@ -1 +1 @@\n-a\n+b\n'
    assert one(patch).path == 'ä "q".txt'
    assert one("--- b/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n").path == "b/x"


def test_t6_sections_of_one_file_are_merged_in_either_frame() -> None:
    content = "a\nb\nc\nd\n"
    first, second = f"{HEAD}@@ -1 +1 @@\n-a\n+A\n", f"{HEAD}@@ -4 +4 @@\n-d\n+D\n"
    assert applied(content, first + second) == "A\nb\nc\nD\n"
    chained = f"{HEAD}@@ -1,2 +1,2 @@\n A\n-b\n+B\n"
    assert applied(content, first + chained) == "A\nB\nc\nd\n"


def test_t6_renames_copies_binaries_modes_and_links_are_refused_clearly() -> None:
    git = "diff --git a/x b/y\n"
    assert "renames" in broken(f"{git}rename from x\nrename to y\n").text
    assert "renames" in broken("--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n").text
    assert "copies" in broken(f"{git}copy from x\ncopy to y\n").text
    assert "binary" in broken("diff --git a/x b/x\nGIT binary patch\nliteral 0\n").text
    assert "mode" in broken("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n").text
    assert "120000" in broken("diff --git a/x b/x\nnew file mode 120000\n").text


def test_t6_a_deletion_must_name_the_whole_content() -> None:
    patch = one("--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n")
    assert patch.kind == "delete"
    assert apply_file_patch("a\nb\n", patch) == ""
    with pytest.raises(HunkContextError):
        apply_file_patch("a\nb\nc\n", patch)


def test_new_and_deleted_files_with_git_headers() -> None:
    text = (
        "diff --git a/n.sh b/n.sh\nnew file mode 100755\nindex 0000000..1\n"
        "--- /dev/null\n+++ b/n.sh\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
        "diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n"
        "diff --git a/gone b/gone\ndeleted file mode 100644\nindex e69de29..0000000\n"
    )
    new, empty, gone = parse_patch(text)
    assert (new.path, new.kind, new.mode) == ("n.sh", "create", "100755")
    assert apply_file_patch("", new) == "a\nb"
    assert (empty.path, empty.kind, apply_file_patch("", empty)) == ("empty", "create", "")
    assert (gone.path, gone.kind) == ("gone", "delete")
    assert [patch_label(each) for each in (new, gone)] == ["created: n.sh", "deleted: gone"]
    assert (is_pure_add(new), is_pure_add(gone)) == (True, False)
    assert deleted_paths((new, empty, gone, gone)) == ("gone",)


def test_additions_to_an_existing_file_never_replace_it() -> None:
    patch = one(f"{HEAD}@@ -1,0 +2,2 @@\n+x\n+y\n")
    assert not is_pure_add(patch)
    assert apply_file_patch("a\nb\n", patch) == "a\nx\ny\nb\n"
    assert apply_file_patch("a", patch) == "a\nx\ny\n"
    assert apply_file_patch("a\r\nb\r\n", patch) == "a\r\nx\r\ny\r\nb\r\n"
    with pytest.raises(HunkContextError):
        apply_file_patch("", patch)


def test_overlapping_hunks_are_an_error() -> None:
    patch = f"{HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -2,2 +2,2 @@\n-b\n+X\n c\n"
    with pytest.raises(HunkOverlapError, match="line 2"):
        applied("a\nb\nc\n", patch)


def test_wrong_counts_of_a_clear_hunk_are_counted_anew() -> None:
    patch = f"{HEAD}@@ -1,9 +1,9 @@\n a\n-b\n+B\n+C\n@@ -3 +4 @@\n-c\n+D\n+E\n\n"
    assert applied("a\nb\nc\n", patch) == "a\nB\nC\nD\nE\n"
    assert [hunk.old_count for hunk in one(patch).hunks] == [2, 1]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("@@ -1 +1 @@\n-a\n+b\n", 1, "without"),
        (f"{HEAD}@@ foo @@\n-a\n", 3, "header must read"),
        (f"{HEAD}+stray\n@@ -1 +1 @@\n-a\n+b\n", 3, "belongs to no hunk"),
        (f"{HEAD}@@ -1,3 +1,3 @@\n a\nno prefix\n-b\n", 5, "begins with none"),
        (f"{HEAD}@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", 4, "before any"),
        ("--- /dev/null\n+++ b/f\n@@ -1 +1,2 @@\n a\n+b\n", 1, "new file"),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", 1, "name no file"),
        (f"{HEAD}@@ -1 +0,0 @@\n-a\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", 5, "at once"),
    ],
)
def test_a_broken_patch_names_its_line(text: str, line: int, reason: str) -> None:
    error = broken(text)
    assert reason in error.text
    assert error.line == line


def test_mails_and_fences_around_a_patch_are_no_part_of_it() -> None:
    patch = f"From: someone\nSubject: x\n\n- item\n---\n{HEAD}@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n\n"
    assert applied("a\n", patch) == "b\n"
    assert applied("a\n", f"```diff\n{HEAD}@@ -1 +1 @@\n-a\n+b\n```\n") == "b\n"


def test_several_files_keep_their_order() -> None:
    two = HEAD.replace("/f", "/g") + "@@ -1 +1 @@\n-a\n+b\n" + HEAD + "@@ -1 +1 @@\n-a\n+b\n"
    assert [patch.path for patch in parse_patch(two)] == ["g", "f"]


def test_a_refusal_shows_the_difference_from_live_to_proposed_up_to_the_cap() -> None:
    before, after = "".join(f"{i}\n" for i in range(500)), ""
    lines = live_to_proposed("f", before, after).split("\n")
    assert lines[:2] == ["--- live/f", "+++ proposed/f"]
    assert len(lines) == 201
    assert lines[-1] == "[... 303 more lines of the difference left out ...]"
    assert live_to_proposed("f", "a\n", "b\n").endswith("-a\n+b")


def test_huge_texts_without_anything_in_common_are_compared_in_bounded_time() -> None:
    before = "".join(f"a{i}\n" for i in range(30_000))
    after = "".join(f"b{i}\n" for i in range(30_000))
    assert apply_file_patch(before, one(unified("f", before, after))) == after
