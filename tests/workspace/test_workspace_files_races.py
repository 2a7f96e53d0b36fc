"""Somebody outside saves while a change is being made, or undone: the last save is what stays."""

import os
from collections.abc import Callable
from itertools import count

import pytest

from cardwright.workspace.files import Change, Overtaken, Publisher, Tree, steps, swapping
from cardwright.workspace.files.manifest import Step


class Editor:
    """Saves as editors do, by renaming; the first saves just before each step of a writer."""

    def __init__(self, tree: Tree, paths: list[str], saves: int) -> None:
        self.tree, self.paths, self.left, self.numbers = tree, paths, saves, count(1)
        self.last = dict[str, bytes]()

    def before[**P, R](self, step: Callable[P, R]) -> Callable[P, R]:
        def stepped(*args: P.args, **kwargs: P.kwargs) -> R:
            if self.left:
                self.left -= 1
                self.save()
            return step(*args, **kwargs)

        return stepped

    def save(self) -> None:
        for path in self.paths:
            self.last[path] = f"save {next(self.numbers)}".encode()
            draft = self.tree.root / "draft"
            draft.write_bytes(self.last[path])
            os.replace(draft, self.tree.root / path)  # noqa: PTH105 - as an editor does


@pytest.fixture(params=[True, False], ids=["exchange", "link-and-rename"])
def exchanging(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    if not request.param:
        monkeypatch.setattr(swapping, "_renameat2", lambda: None)
    return bool(request.param)


def changed(tree: Tree, path: str, data: bytes | None) -> Change:
    return Change(path, tree.read(path), data)


@pytest.mark.usefixtures("exchanging")
@pytest.mark.parametrize("saves", [1, 2, 3, 4])
def test_of_several_saves_in_the_middle_of_a_change_the_last_one_stays(
    tree: Tree, publisher: Publisher, saves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree.root / "a.txt").write_bytes(b"seen")
    editor = Editor(tree, ["a.txt"], saves)
    monkeypatch.setattr(steps, "swap", editor.before(swapping.swap))
    with pytest.raises(Overtaken):
        publisher.publish([changed(tree, "a.txt", b"ours")])
    assert (tree.root / "a.txt").read_bytes() == editor.last["a.txt"]


@pytest.mark.usefixtures("exchanging")
@pytest.mark.parametrize("first", [b"ours", None], ids=["replaced", "deleted"])
@pytest.mark.parametrize("saves", [1, 2, 3])
def test_a_batch_that_is_undone_leaves_what_was_saved_meanwhile(
    tree: Tree,
    publisher: Publisher,
    first: bytes | None,
    saves: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("a.txt", "b.txt"):
        (tree.root / name).write_bytes(b"seen")
    changes = [changed(tree, "a.txt", first), changed(tree, "b.txt", b"ours")]
    editor = Editor(tree, ["a.txt", "b.txt"], saves)
    taking = steps.Stepper._displace

    def displaced(self: steps.Stepper, step: Step, *rest: object) -> None:
        if step.path == "b.txt":  # the first file has been taken
            editor.save()
            monkeypatch.setattr(steps, "swap", editor.before(swapping.swap))
        taking(self, step, *rest)  # type: ignore[arg-type]  # handed through

    monkeypatch.setattr(steps.Stepper, "_displace", displaced)
    with pytest.raises(Overtaken):
        publisher.publish(changes)
    found = {name: (tree.root / name).read_bytes() for name in ("a.txt", "b.txt")}
    assert found == editor.last


@pytest.mark.parametrize("made_by", ["nobody", "somebody"])
def test_a_created_file_that_somebody_made_theirs_is_not_withdrawn(
    tree: Tree, publisher: Publisher, made_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree.root / "b.txt").write_bytes(b"seen")
    changes = [Change("a.txt", None, b"ours"), changed(tree, "b.txt", b"ours")]
    (tree.root / "b.txt").write_bytes(b"overtaken")
    editor = Editor(tree, ["a.txt"], int(made_by == "somebody"))
    monkeypatch.setattr(steps, "move", editor.before(swapping.move))  # after the look at the file
    with pytest.raises(Overtaken):
        publisher.publish(changes)
    assert (tree.root / "a.txt").exists() is (made_by == "somebody")
    assert (tree.root / "b.txt").read_bytes() == b"overtaken"


def test_a_file_that_is_removed_in_the_middle_stays_removed(
    tree: Tree, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tree.root / "a.txt"
    file.write_bytes(b"seen")
    change = changed(tree, "a.txt", b"ours")
    file.write_bytes(b"saved")
    real, calls = swapping.swap, count()

    def swapped(*names: tuple[int, str]) -> None:
        if next(calls) == 1:
            file.unlink()
        real(*names)

    monkeypatch.setattr(steps, "swap", swapped)
    with pytest.raises(Overtaken):
        publisher.publish([change])
    assert not file.exists()
