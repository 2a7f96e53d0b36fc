"""Changes appear whole, keep what a file is, and never land on what nobody has seen."""

import errno
import os
import stat
import time

import pytest
from tests.workspace.workspace_support import files_below

from cardwright.workspace.files import (
    Change,
    Overtaken,
    Publisher,
    Tree,
    TreeLock,
    is_staging_name,
    make_directory,
    recover,
    sweep,
)
from cardwright.workspace.files.steps import Stepper


def replacing(tree: Tree, path: str, data: bytes | None) -> Change:
    return Change(path, tree.read(path), data)


def test_a_new_file_gets_its_directories_and_the_mask_of_the_process_38(
    tree: Tree, publisher: Publisher
) -> None:
    before = os.umask(0o027)
    try:
        publisher.publish([Change("a/b/c.txt", None, b"x")])
    finally:
        os.umask(before)
    made = tree.root / "a/b/c.txt"
    assert made.read_bytes() == b"x"
    assert stat.S_IMODE(made.stat().st_mode) == 0o640


def test_a_replaced_file_keeps_its_mode_38(tree: Tree, publisher: Publisher) -> None:
    script = tree.root / "run.sh"
    script.write_bytes(b"old")
    script.chmod(0o755)
    publisher.publish([replacing(tree, "run.sh", b"new")])
    assert (script.read_bytes(), stat.S_IMODE(script.stat().st_mode)) == (b"new", 0o755)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_replaced_file_keeps_its_owner(tree: Tree, publisher: Publisher) -> None:
    file = tree.root / "a"
    file.write_bytes(b"old")
    os.chown(file, 12345, 12346)
    file.chmod(0o4755)
    publisher.publish([replacing(tree, "a", b"new")])
    found = file.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 12346, 0o4755)


def test_a_name_of_244_bytes_is_written_38(tree: Tree, publisher: Publisher) -> None:
    publisher.publish([Change("n" * 244, None, b"x")])
    assert tree.read("n" * 244).data == b"x"


def test_nothing_of_the_staging_is_inside_the_tree(tree: Tree, publisher: Publisher) -> None:
    publisher.publish([Change("a", None, b"1"), Change("b/c", None, b"2")])
    assert files_below(tree.root) == {"a": b"1", "b/c": b"2"}
    publisher.close()
    assert [path.name for path in tree.private.rglob("*") if path.is_file()] == ["lock"]


def test_a_file_that_changed_after_the_check_is_not_replaced(
    tree: Tree, publisher: Publisher
) -> None:
    (tree.root / "a").write_bytes(b"seen")
    change = replacing(tree, "a", b"new")
    (tree.root / "a").write_bytes(b"late")
    with pytest.raises(Overtaken):
        publisher.publish([change])
    assert files_below(tree.root) == {"a": b"late"}


def test_a_file_that_appeared_after_the_check_is_not_replaced(
    tree: Tree, publisher: Publisher
) -> None:
    (tree.root / "a").write_bytes(b"late")
    with pytest.raises(Overtaken):
        publisher.publish([Change("a", None, b"new")])
    assert files_below(tree.root) == {"a": b"late"}


def test_a_file_that_changed_after_the_check_is_not_deleted(
    tree: Tree, publisher: Publisher
) -> None:
    (tree.root / "a").write_bytes(b"seen")
    change = replacing(tree, "a", None)
    (tree.root / "a").write_bytes(b"late")
    with pytest.raises(Overtaken):
        publisher.publish([change])
    assert files_below(tree.root) == {"a": b"late"}


def test_a_batch_that_fails_in_the_middle_leaves_everything_as_it_was_37(
    tree: Tree, publisher: Publisher
) -> None:
    for name in ("a", "b", "gone"):
        (tree.root / name).write_text(f"old {name}")
    before = files_below(tree.root)
    changes = [
        replacing(tree, "a", b"new a"),
        Change("made/deep/file", None, b"new"),
        replacing(tree, "gone", None),
        replacing(tree, "b", b"new b"),
    ]
    (tree.root / "b").write_text("late b")
    with pytest.raises(Overtaken):
        publisher.publish(changes)
    assert files_below(tree.root) == {**before, "b": b"late b"}
    assert not (tree.root / "made").exists()


def test_a_file_gives_way_to_a_directory_in_one_batch(tree: Tree, publisher: Publisher) -> None:
    (tree.root / "a").write_bytes(b"file")
    publisher.publish([Change("a/b", None, b"inside"), replacing(tree, "a", None)])
    assert files_below(tree.root) == {"a/b": b"inside"}


def test_a_hard_link_outside_keeps_the_old_content(tree: Tree, publisher: Publisher) -> None:
    twin = tree.root.parent / "outside" / "twin"
    twin.write_bytes(b"old")
    os.link(twin, tree.root / "a")
    publisher.publish([replacing(tree, "a", b"new")])
    assert (twin.read_bytes(), tree.read("a").data) == (b"old", b"new")


def test_a_link_that_comes_between_check_and_change_is_not_followed(
    tree: Tree, publisher: Publisher
) -> None:
    (tree.root / "d").mkdir()
    (tree.root / "d" / "secret.txt").write_bytes(b"seen")
    change = replacing(tree, "d/secret.txt", b"overwritten")
    (tree.root / "d").rename(tree.root / "moved")
    (tree.root / "d").symlink_to(tree.root.parent / "outside")
    with pytest.raises((Overtaken, PermissionError)):
        publisher.publish([change])
    assert (tree.root.parent / "outside" / "secret.txt").read_text() == "secret"


def test_mkdir_makes_parents_once_36(tree: Tree) -> None:
    assert make_directory(tree, "a/./b//c") == "a/b/c"
    assert make_directory(tree, "a/b/c") == "a/b/c"
    (tree.root / "file").touch()
    with pytest.raises(FileExistsError):
        make_directory(tree, "file")


def test_only_old_staged_files_are_swept_39(tree: Tree) -> None:
    staged = ".a.txt." + "0" * 32 + ".tmp"
    young = ".a.txt." + "1" * 32 + ".tmp"
    for name in (staged, young, ".notes.tmp"):
        (tree.root / name).write_bytes(b"")
    old = time.time() - 60
    os.utime(tree.root / staged, (old, old))
    os.utime(tree.root / ".notes.tmp", (old, old))
    assert sweep(tree) == 1
    assert sorted(files_below(tree.root)) == sorted([young, ".notes.tmp"])
    assert is_staging_name(staged)
    assert not is_staging_name(".notes.tmp")


def test_what_cannot_be_put_back_at_once_is_put_back_at_the_next_start(
    tree: Tree, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tree.root / name).write_text(f"old {name}")
    changes = [replacing(tree, "a", b"new a"), replacing(tree, "b", b"new b")]
    (tree.root / "b").write_text("late b")

    def failing(*_: object) -> None:
        raise OSError(errno.EIO, "no")

    with monkeypatch.context() as broken:
        broken.setattr(Stepper, "take_back", failing)
        with pytest.raises(Overtaken):
            publisher.publish(changes)
    assert files_below(tree.root) == {"a": b"new a", "b": b"late b"}
    publisher.publish([Change("c", None, b"goes on")])
    (tree.root / "b").write_text("old b")
    recover(tree, TreeLock(tree.private))
    assert files_below(tree.root) == {"a": b"old a", "b": b"old b", "c": b"goes on"}
