"""Patches that put a directory where a file was or the other way round: all or nothing."""

import os
from pathlib import Path

import pytest
from tests.workspace.workspace_support import Desk, Team, files_below

from cardwright.workspace.files import Tree, TreeLock, recover
from cardwright.workspace.files.manifest import Step
from cardwright.workspace.files.steps import Stepper
from cardwright.workspace.gate import EditMissed, MutationStatus
from cardwright.workspace.journal.history import History
from cardwright.workspace.refusals import Refusal

FILE_TO_DIRECTORY = """--- a/x
+++ /dev/null
@@ -1 +0,0 @@
-old
--- /dev/null
+++ b/x/deep/y
@@ -0,0 +1 @@
+new
"""
DIRECTORY_TO_FILE = """--- /dev/null
+++ b/d
@@ -0,0 +1 @@
+new
--- a/d/a
+++ /dev/null
@@ -1 +0,0 @@
-one
--- a/d/e/b
+++ /dev/null
@@ -1 +0,0 @@
-two
"""


def test_a_file_becomes_a_directory(desk: Desk) -> None:
    desk.outside("x", b"old\n")
    desk.sees("A", "x")
    assert desk.patch("A", FILE_TO_DIRECTORY) == "deleted: x\ncreated: x/deep/y"
    assert files_below(desk.tree.root) == {"x/deep/y": b"new\n"}
    assert desk.write("A", "x/deep/y", "newer\n") == "Written: x/deep/y"


def test_a_directory_becomes_a_file_in_whatever_order_the_patch_says_so(desk: Desk) -> None:
    desk.outside("d/a", b"one\n")
    desk.outside("d/e/b", b"two\n")
    (desk.tree.root / "d/empty/inner").mkdir(parents=True)
    for path in ("d/a", "d/e/b"):
        desk.sees("A", path)
    assert desk.patch("A", DIRECTORY_TO_FILE) == "created: d\ndeleted: d/a\ndeleted: d/e/b"
    assert files_below(desk.tree.root) == {"d": b"new\n"}
    assert desk.patch("A", "--- a/d\n+++ b/d\n@@ -1 +1 @@\n-new\n+newer\n") == "updated: d"


@pytest.mark.parametrize("kept", ["file", "link", "pipe"])
def test_a_directory_that_holds_anything_else_stays(desk: Desk, kept: str) -> None:
    desk.outside("d/a", b"one\n")
    desk.outside("d/e/b", b"two\n")
    for path in ("d/a", "d/e/b"):
        desk.sees("A", path)
    match kept:
        case "file":
            desk.outside("d/e/kept", b"")
        case "link":
            (desk.tree.root / "d/e/kept").symlink_to("nowhere")
        case _:
            os.mkfifo(desk.tree.root / "d/e/kept")
    with pytest.raises(Refusal, match="d is a directory"):
        desk.patch("A", DIRECTORY_TO_FILE)
    assert files_below(desk.tree.root)["d/a"] == b"one\n"


def test_what_was_not_read_does_not_make_room(desk: Desk) -> None:
    desk.outside("x", b"old\n")
    with pytest.raises(Refusal, match="have not read"):
        desk.patch("A", FILE_TO_DIRECTORY)
    desk.sees("A", "x")
    desk.outside("x", b"changed\n")
    with pytest.raises((Refusal, EditMissed)):
        desk.patch("A", FILE_TO_DIRECTORY)
    assert files_below(desk.tree.root) == {"x": b"changed\n"}


@pytest.mark.parametrize("path", ["x/../y", "x/..", "x/"])
def test_only_what_is_really_below_is_free(desk: Desk, path: str) -> None:
    desk.outside("x", b"old\n")
    desk.sees("A", "x")
    with pytest.raises(Refusal):
        desk.patch("A", FILE_TO_DIRECTORY.replace("x/deep/y", path))
    assert files_below(desk.tree.root) == {"x": b"old\n"}


def test_a_file_that_appears_meanwhile_keeps_the_directory(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the check and the exchange somebody writes into the directory: nothing changes."""
    desk.outside("d/a", b"one\n")
    desk.outside("d/e/b", b"two\n")
    for path in ("d/a", "d/e/b"):
        desk.sees("A", path)
    take = Stepper.take

    def slow(self: Stepper, step: Step, made: list[str], before: bytes | None) -> None:
        if step.path == "d":
            desk.outside("d/late", b"late\n")
        take(self, step, made, before)

    monkeypatch.setattr(Stepper, "take", slow)
    with pytest.raises(Refusal):
        desk.patch("A", DIRECTORY_TO_FILE)
    assert files_below(desk.tree.root) == {
        "d/a": b"one\n",
        "d/e/b": b"two\n",
        "d/late": b"late\n",
    }


@pytest.mark.parametrize("broken", ["undone", "left to the next start"])
@pytest.mark.parametrize("patch", [FILE_TO_DIRECTORY, DIRECTORY_TO_FILE])
def test_what_cannot_be_finished_is_undone_now_or_at_the_next_start(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, patch: str, broken: str
) -> None:
    for path, data in (("x", b"old\n"), ("d/a", b"one\n"), ("d/e/b", b"two\n")):
        desk.outside(path, data)
        desk.sees("A", path)
    before = files_below(desk.tree.root)
    take, back = Stepper.take, Stepper.take_back

    def failing(self: Stepper, step: Step, made: list[str], before: bytes | None) -> None:
        if step.path == "zz":
            raise PermissionError
        take(self, step, made, before)

    def refused(self: Stepper, step: Step, made: list[str]) -> None:
        raise PermissionError

    with monkeypatch.context() as patched:
        patched.setattr(Stepper, "take", failing)
        if broken != "undone":
            patched.setattr(Stepper, "take_back", refused)
        with pytest.raises(Refusal, match="refused this operation"):
            desk.patch("A", patch + "--- /dev/null\n+++ b/zz\n@@ -0,0 +1 @@\n+z\n")
    assert Stepper.take_back is back
    if broken != "undone":
        assert files_below(desk.tree.root) != before
        recover(desk.tree, TreeLock(desk.tree.private))
    assert files_below(desk.tree.root) == before


@pytest.mark.parametrize("patch", [FILE_TO_DIRECTORY, DIRECTORY_TO_FILE])
@pytest.mark.parametrize("point", range(1, 12))
def test_killed_anywhere_it_is_done_or_not(tree: Tree, patch: str, point: int) -> None:
    """A child that dies at its `point`-th move leaves a tree that the next start makes whole."""
    desk = Desk(tree)
    for path, data in (("x", b"old\n"), ("d/a", b"one\n"), ("d/e/b", b"two\n")):
        desk.outside(path, data)
    before = files_below(tree.root)
    desk.close()
    child = os.fork()
    if not child:
        _dying(tree, patch, point)
    os.waitpid(child, 0)
    recover(tree, TreeLock(tree.private))
    after = dict(before)
    if patch is FILE_TO_DIRECTORY:
        del after["x"]
        after["x/deep/y"] = b"new\n"
    else:
        del after["d/a"], after["d/e/b"]
        after["d"] = b"new\n"
    assert files_below(tree.root) in (before, after)
    assert not list((tree.private / "staging").iterdir())


def _dying(tree: Tree, patch: str, point: int) -> None:
    """Apply the patch in this process and end it without cleaning up at the given system call."""
    calls = 0
    fsync = os.fsync

    def dying(opened: int) -> None:
        nonlocal calls
        calls += 1
        if calls == point:
            os._exit(9)
        fsync(opened)

    try:
        setattr(os, "fsync", dying)  # noqa: B010 - the type of its argument is private
        desk = Desk(tree)
        for path in ("x", "d/a", "d/e/b"):
            desk.sees("A", path)
        desk.patch("A", patch)
    finally:
        os._exit(0)


def test_where_two_names_cannot_be_exchanged_it_works_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardwright.workspace.files.swapping._renameat2", lambda: None)
    desk.outside("d/a", b"one\n")
    desk.outside("d/e/b", b"two\n")
    for path in ("d/a", "d/e/b"):
        desk.sees("A", path)
    desk.patch("A", DIRECTORY_TO_FILE)
    assert files_below(desk.tree.root) == {"d": b"new\n"}


def test_both_are_journaled_as_one_commit(trees: Path, team: Team) -> None:
    (trees / "box/d/e").mkdir(parents=True)
    for path, text in (("x", "old\n"), ("d/a", "one\n"), ("d/e/b", "two\n")):
        (trees / "box" / path).write_text(text)
    actor = team.tree()
    tree = Tree(trees / "box")
    desk = Desk(tree)
    for path in ("x", "d/a", "d/e/b"):
        desk.sees("id-a", path)
        seen = desk.gate.observations.get("id-a", path)
        assert seen is not None
        actor.record_observation("id-a", path, seen)
    desk.close()
    outcome = actor.apply_patch("id-a", FILE_TO_DIRECTORY + DIRECTORY_TO_FILE)
    assert outcome.status is MutationStatus.ACCEPTED, outcome.message
    history = History(tree)
    newest, *_ = history.log()
    assert newest.subject == "patch: 5 files"
    assert "x/deep/y" in history.show(newest.id)
    assert (trees / "box/d").read_bytes() == b"new\n"
    assert team.tree().apply_write("id-a", "d", "more\n").status is MutationStatus.ACCEPTED
    assert [each.author for each in history.log(limit=2)] == ["@Anna", "@Anna"]
