"""What the system forbids or has no room for: told as a refusal, with nothing half done.

Root may do everything, so the work is done in a child without rights.
"""

import json
import os
import resource
import shlex
import socket
import subprocess
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.workspace.workspace_support import Desk, files_below

from cardwright.workspace.files import Tree
from cardwright.workspace.finding import glob_files, grep, list_directory
from cardwright.workspace.gate import Edit
from cardwright.workspace.reading import expand_media_refs, read_page, render_view
from cardwright.workspace.refusals import Refusal

NOBODY = 65534

type Work = Callable[[Desk], dict[str, str]]


def in_child(trees: Path, work: Work, mounts: tuple[str, ...] = ()) -> dict[str, str]:
    """What `work` tells, done by a child that owns the tree and has no other right.

    With `mounts` it stays root, but sees the files after these commands to itself.
    """
    "".encode("utf-8-sig")  # the child may not read the library
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _done(trees, work, writing, mounts)
    os.close(writing)
    with os.fdopen(reading) as told:
        text = told.read()
    assert os.waitpid(child, 0)[1] == 0, text
    found: dict[str, str] = json.loads(text)
    if "skip" in found:
        pytest.skip(found["skip"])
    return found


def _done(trees: Path, work: Work, writing: int, mounts: tuple[str, ...]) -> None:
    try:
        if mounts:
            os.unshare(os.CLONE_NEWNS)
            for each in mounts:
                subprocess.run(shlex.split(each), check=True, timeout=30, capture_output=True)
        elif os.getuid() == 0:
            for path in (trees.parent, *trees.parent.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        text, code = json.dumps(work(Desk(Tree(trees / "box")))), 0
    except (PermissionError, subprocess.CalledProcessError) as forbidden:
        text, code = json.dumps({"skip": f"mounting is forbidden here: {forbidden}"}), 0
    except BaseException:  # noqa: BLE001 - the parent shows it
        text, code = traceback.format_exc(), 1
    os.write(writing, text.encode())
    os._exit(code)


def told(work: Callable[[], object]) -> str:
    """The answer, or the refusal after its failure."""
    try:
        return str(work())
    except Refusal as refused:
        return f"{refused.failure}: {refused}"


def staged(desk: Desk) -> str:
    return str([each for each in files_below(desk.tree.private) if not each.endswith("lock")])


@pytest.mark.usefixtures("tree")
def test_a_file_and_a_directory_that_are_closed(trees: Path) -> None:
    def work(desk: Desk) -> dict[str, str]:
        tree, root = desk.tree, desk.tree.root
        for path in ("closed.txt", "open.txt", "locked/in.txt"):
            desk.write("A", path, "words\n")
        (root / "closed.txt").chmod(0)
        (root / "locked").chmod(0)
        return {
            "read": told(lambda: read_page(tree, "closed.txt").text),
            "read below": told(lambda: read_page(tree, "locked/in.txt").text),
            "write": told(lambda: desk.write("A", "closed.txt", "new")),
            "edit": told(lambda: desk.edit("A", Edit("closed.txt", "words", "new"))),
            "delete": told(lambda: desk.delete("A", "closed.txt")),
            "write below": told(lambda: desk.write("A", "locked/new.txt", "new")),
            "list": told(lambda: list_directory(tree, "locked", 1)),
            "list all": told(lambda: list_directory(tree, "", 0)),
            "glob": told(lambda: glob_files(tree, "**/*.txt", "", max_results=9)),
            "grep": told(lambda: grep(tree, "words")),
            "staged": staged(desk),
        }

    found = in_child(trees, work)
    for call in ("read", "read below", "write", "edit", "delete", "write below", "list"):
        assert found[call].startswith("denied: The path "), (call, found[call])
        assert "permission denied" in found[call]
    assert "open.txt" in found["list all"]
    for call in ("glob", "grep"):
        assert "open.txt" in found[call]
        assert "locked" in found[call]
    assert "closed.txt" in found["grep"]
    assert found["staged"] == "[]"
    (trees / "box/locked").chmod(0o700)
    (trees / "box/closed.txt").chmod(0o600)
    assert set(files_below(trees / "box").values()) == {b"words\n"}


@pytest.mark.usefixtures("tree")
def test_a_directory_that_may_only_be_read_keeps_the_whole_batch_out(trees: Path) -> None:
    def work(desk: Desk) -> dict[str, str]:
        for path in ("a.txt", "fixed/b.txt"):
            desk.write("A", path, "words\n")
        (desk.tree.root / "fixed").chmod(0o555)
        edits = [Edit(path, "words", "new") for path in ("a.txt", "fixed/b.txt")]
        patch = "--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+c\n"
        patch += "--- a/fixed/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-words\n"
        return {
            "multi_edit": told(lambda: desk.edit("A", *edits)),
            "patch": told(lambda: desk.patch("A", patch)),
            "write": told(lambda: desk.write("A", "fixed/new/deep.txt", "x")),
            "mkdir": told(lambda: desk.mutations.mkdir("fixed/new")),
            "delete": told(lambda: desk.delete("A", "fixed/b.txt")),
            "staged": staged(desk),
        }

    found = in_child(trees, work)
    for call in ("multi_edit", "patch", "write", "mkdir", "delete"):
        assert found[call].startswith("denied: "), (call, found[call])
    assert found["staged"] == "[]"
    assert files_below(trees / "box") == {"a.txt": b"words\n", "fixed/b.txt": b"words\n"}


@pytest.mark.usefixtures("tree")
def test_without_room_nothing_is_changed_and_nothing_stays(trees: Path) -> None:
    def work(desk: Desk) -> dict[str, str]:
        for path in ("a.txt", "b.txt"):
            desk.write("A", path, "words\n")
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        edits = [Edit("a.txt", "words", "new"), Edit("b.txt", "words", "x" * 60_000)]
        answers = {
            "write": told(lambda: desk.write("A", "a.txt", "x" * 60_000)),
            "new": told(lambda: desk.write("A", "d/new.txt", "x" * 60_000)),
            "multi_edit": told(lambda: desk.edit("A", *edits)),
            "staged": staged(desk),
        }
        return answers | {"small": told(lambda: desk.write("A", "b.txt", "small\n"))}

    found = in_child(trees, work)
    for call in ("write", "new", "multi_edit"):
        assert found[call].startswith("denied: "), (call, found[call])
        assert "file too large" in found[call]
    assert found["staged"] == "[]"
    assert files_below(trees / "box") == {"a.txt": b"words\n", "b.txt": b"small\n"}
    assert not (trees / "box/d").exists()


def writing_much(desk: Desk) -> dict[str, str]:
    return {
        "large": told(lambda: desk.write("A", "a.txt", "x" * 3_000_000)),
        "staged": staged(desk),
        "small": told(lambda: desk.write("A", "a.txt", "small")),
        "other": told(lambda: desk.write("A", "b.txt", "small")),
    }


@pytest.mark.usefixtures("tree")
def test_a_full_disk_is_told_and_then_there_is_room_again(trees: Path) -> None:
    full = (f"mount -t tmpfs -o size=1m none {trees}", f"mkdir {trees}/box")
    found = in_child(trees, writing_much, full)
    assert found.pop("large").endswith("refused this operation on it: no space left on device.")
    assert found == {"staged": "[]", "small": "Written: a.txt", "other": "Written: b.txt"}


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("fixed", [False, True])
def test_a_tree_that_is_mounted_by_itself_or_read_only_is_told(trees: Path, *, fixed: bool) -> None:
    alone = f"mount --bind {trees}/box {trees}/box"
    remounted = (f"mount -o remount,ro,bind {trees}/box",) if fixed else ()
    found = in_child(trees, writing_much, (alone, *remounted))
    assert found.pop("staged") == "[]"
    reason = "a file system of its own" if not fixed else ""
    for answer in found.values():
        assert answer.startswith("denied: ")
        assert reason in answer
    assert files_below(trees / "box") == {}


def test_pipes_sockets_and_devices_hold_nothing_up(desk: Desk) -> None:
    tree, root = desk.tree, desk.tree.root
    desk.write("A", "a.txt", "words\n")
    for name in ("pipe.txt", "pipe.png", "pipe.pdf"):
        os.mkfifo(root / name)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(root / "s.txt"))
        if os.getuid() == 0:
            os.mknod(root / "null.txt", 0o20666, os.makedev(1, 3))
        for name in ("pipe.txt", "pipe.pdf", "s.txt"):
            assert told(partial(read_page, tree, name)).startswith("unsuitable: ")
            assert told(partial(desk.write, "A", name, "x")).startswith("unsuitable: ")
            assert told(partial(desk.delete, "A", name)).startswith("unsuitable: ")
        assert told(lambda: render_view(tree, "pipe.png", max_dimension=9)).startswith("unsuit")
        (marker,) = (each for each in expand_media_refs(tree, "!!pipe.png") if each)
        assert "Error" in str(marker)
        assert grep(tree, "words") == "a.txt:1: words"
        assert glob_files(tree, "*.txt", "", max_results=9).splitlines()[0] == "a.txt"
        assert "pipe.txt" in list_directory(tree, "", 1)


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127, "𝄞" * 63, "a\nb", "a\tb", " ", "-rf", "*"])
def test_unusual_names_are_names(desk: Desk, name: str) -> None:
    desk.write("A", name, "words\n")
    desk.edit("A", Edit(name, "words", "other"))
    assert read_page(desk.tree, name).text == "1     other"
    assert "other" in grep(desk.tree, "other")
    desk.delete("A", name)
    assert files_below(desk.tree.root) == {}


def test_a_name_that_is_too_long_makes_no_directory_either(desk: Desk) -> None:
    for attempt in (
        lambda: desk.write("A", f"d/e/{'x' * 256}", "x"),
        lambda: desk.mutations.mkdir(f"d/e/{'x' * 256}/f"),
    ):
        assert told(attempt).startswith("invalid: A name in the path is too long")
        assert list(desk.tree.root.iterdir()) == []


@pytest.mark.parametrize("name", ["x" * 256, "é" * 128, "x" * 256 + "/a"])
def test_names_that_are_too_long_are_refused(desk: Desk, name: str) -> None:
    for attempt in (
        lambda: desk.write("A", name, "x"),
        lambda: desk.delete("A", name),
        lambda: read_page(desk.tree, name),
        lambda: desk.mutations.mkdir(name),
    ):
        assert told(attempt).startswith("invalid: A name in the path is too long")
    assert files_below(desk.tree.root) == {}
    assert list(desk.tree.root.iterdir()) == []


def test_names_that_differ_in_case_alone_are_two_files_here(desk: Desk) -> None:
    desk.write("A", "a.txt", "small\n")
    desk.write("A", "A.txt", "large\n")
    desk.edit("A", Edit("a.txt", "small", "s"), Edit("A.txt", "large", "L"))
    assert files_below(desk.tree.root) == {"a.txt": b"s\n", "A.txt": b"L\n"}
    desk.outside("A.txt", b"other\n")
    assert told(lambda: desk.write("A", "A.txt", "x")).startswith("stale: ")
    assert desk.write("A", "a.txt", "x") == "Written: a.txt"
