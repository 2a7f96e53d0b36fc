"""A writer that is killed at any moment leaves old files or new ones, and nothing behind."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.workspace.workspace_support import files_below

from cardwright.workspace.files import Change, Publisher, Tree, TreeLock, recover, swapping

# Whatever the writer does to the disk goes through these.
TOUCHING = ("rename", "fsync", "open", "write", "link", "unlink", "mkdir", "rmdir", "fchmod")

OLD = {"a.txt": b"old a\n" * 50, "b.txt": b"old b\n", "sub/gone.txt": b"going\n"}


def dying_at(moment: int, work: Callable[[], None]) -> bool:
    """Run `work` in a child that is killed before its n-th step; False if it ended before."""
    child = os.fork()
    if child == 0:
        try:
            _count_down(moment)
            work()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def _count_down(moment: int) -> None:
    left = [moment]

    def mortal[**P, R](function: Callable[P, R]) -> Callable[P, R]:
        def called(*args: P.args, **kwargs: P.kwargs) -> R:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*args, **kwargs)

        return called

    for name in TOUCHING:
        setattr(os, name, mortal(getattr(os, name)))
    swapping._renamed = mortal(swapping._renamed)


def reset(root: Path) -> None:
    for path in sorted(root.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    for name, data in OLD.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(data)


def single_replacement(tree: Tree) -> list[Change]:
    return [Change("a.txt", tree.read("a.txt"), b"new a\n" * 70)]


def creation(tree: Tree) -> list[Change]:
    return [Change("made/here/c.txt", None, b"new\n")]


def deletion(tree: Tree) -> list[Change]:
    return [Change("sub/gone.txt", tree.read("sub/gone.txt"), None)]


def batch(tree: Tree) -> list[Change]:
    return [
        *single_replacement(tree),
        *creation(tree),
        *deletion(tree),
        Change("b.txt", tree.read("b.txt"), b"new b\n"),
    ]


def expected(changes: list[Change]) -> dict[str, bytes]:
    after = dict(OLD)
    for change in changes:
        if change.data is None:
            del after[change.path]
        else:
            after[change.path] = change.data
    return after


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("exchanging", [True, False], ids=["exchange", "link-and-rename"])
@pytest.mark.parametrize("prepare", [single_replacement, creation, deletion, batch])
def test_every_moment_of_a_change_may_be_the_last(
    tree: Tree,
    prepare: Callable[[Tree], list[Change]],
    exchanging: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not exchanging:
        monkeypatch.setattr(swapping, "_renameat2", lambda: None)

    def work() -> None:
        publisher = Publisher(tree)
        publisher.publish(prepare(tree))

    moment, seen = 0, set[bool]()
    while True:
        moment += 1 if exchanging else 2
        reset(tree.root)
        after = expected(prepare(tree))
        died = dying_at(moment, work)
        recover(tree, TreeLock(tree.private))
        found = files_below(tree.root)
        assert found in (OLD, after), f"a mix after a death at step {moment}"
        assert list(tree.private.glob("staging/*")) == []
        seen.add(found == after)
        if not died:
            break
    assert moment > 5
    assert seen == {True, False}


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_an_unfinished_batch_never_replaces_what_came_later(tree: Tree) -> None:
    def work() -> None:
        publisher = Publisher(tree)
        publisher.publish(batch(tree))

    half_done = 0
    for moment in range(1, 200, 2):
        reset(tree.root)
        after = expected(batch(tree))
        if not dying_at(moment, work):
            break
        (tree.root / "b.txt").write_bytes(b"written by somebody after the crash\n")
        before = files_below(tree.root)
        recover(tree, TreeLock(tree.private))
        found = files_below(tree.root)
        assert found.pop("b.txt") == b"written by somebody after the crash\n"
        rest = [{k: v for k, v in state.items() if k != "b.txt"} for state in (OLD, after)]
        assert found in rest
        half_done += {k: v for k, v in before.items() if k != "b.txt"} not in rest
    assert half_done > 0
