"""Turns of the tree's actor: deadlines, repeated calls, and a tree that was removed."""

import shutil
from pathlib import Path
from time import monotonic

import pytest
from tests.workspace.workspace_support import Team

from cardwright.core import CallContext
from cardwright.workspace.files import TreeLock
from cardwright.workspace.gate import Edit, MutationStatus

A = "id-a"


def test_a_call_whose_deadline_has_passed_changes_nothing(trees: Path, team: Team) -> None:
    tree = team.tree(journal=False)
    late = CallContext("run", "call", deadline=monotonic() - 1)
    outcome = tree.apply_write(A, "a.txt", "x", late)
    assert (outcome.status, outcome.failure) == (MutationStatus.REJECTED, "lost")
    assert not (trees / "box/a.txt").exists()


def test_a_repeated_call_is_answered_again_and_applied_once(trees: Path, team: Team) -> None:
    tree = team.tree(journal=False)
    tree.apply_write(A, "a.txt", "one\n")
    call = CallContext("run", "call")
    first = tree.apply_edit(A, Edit("a.txt", "one", "one one"), call)
    assert tree.apply_edit(A, Edit("a.txt", "one", "one one"), call) == first
    assert (trees / "box/a.txt").read_text() == "one one\n"


@pytest.mark.parametrize("call_id", ["call_0", ""])
def test_one_id_for_several_changes_loses_none(trees: Path, team: Team, call_id: str) -> None:
    tree = team.tree(journal=False)
    call = CallContext("run", call_id)
    for name in ("a", "b", "c"):
        tree.apply_write(A, name, "x", call)
    assert sorted(path.name for path in (trees / "box").iterdir()) == ["a", "b", "c"]


def test_a_refused_call_may_be_sent_again(trees: Path, team: Team) -> None:
    tree = team.tree(journal=False)
    (trees / "box/a.txt").write_text("one\n")
    call = CallContext("run", "call")
    assert tree.apply_delete(A, "a.txt", call).status is MutationStatus.REJECTED
    (trees / "box/a.txt").unlink()
    assert tree.apply_delete(A, "a.txt", call).failure == "not_found"


def test_a_tree_that_was_removed_is_made_again(trees: Path, team: Team) -> None:
    tree = team.tree(journal=False)
    shutil.rmtree(trees / "box")
    assert tree.apply_write(A, "a.txt", "x").status is MutationStatus.ACCEPTED


def test_a_tree_that_another_process_holds_is_refused_in_the_end(
    trees: Path, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TreeLock.__init__, "__defaults__", (0.1,))
    tree = team.tree(journal=False)
    with TreeLock(trees / ".cardwright/box")():
        outcome = tree.apply_write(A, "a.txt", "x")
    assert (outcome.status, outcome.failure) == (MutationStatus.REJECTED, "lost")
    assert tree.apply_write(A, "a.txt", "x").status is MutationStatus.ACCEPTED
