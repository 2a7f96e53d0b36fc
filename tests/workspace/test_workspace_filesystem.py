"""Contract 7.1: the tree for code of the host, contained, whole, and waiting for no command."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.workspace.workspace_support import Desk, files_below

from cardwright.workspace import (
    FileEntry,
    Filesystem,
    Observation,
    PathEscapeError,
    Precondition,
    TreeBackend,
    Workspace,
    WorkspaceBusyError,
    WriteEntry,
    get_workspace,
    write_and_diff,
)
from cardwright.workspace.files import RunClaim, Tree
from cardwright.workspace.gate import Verdict


@pytest.fixture
def files(tree: Tree) -> Workspace:
    return get_workspace("box")


def test_get_workspace_makes_and_opens_the_tree_of_that_name(trees: Path) -> None:
    files = get_workspace("new-one")
    assert isinstance(files, Workspace)
    assert isinstance(files, Filesystem)
    assert files.root == str(trees / "new-one")
    assert get_workspace("new-one").list() == []


@pytest.mark.parametrize("name", ["../x", "", ".hidden", "a/b", "x" * 129])
def test_get_workspace_refuses_what_names_no_tree(trees: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no name of a workspace"):
        get_workspace(name)
    assert list(trees.iterdir()) == []


def test_another_class_is_a_filesystem_by_its_methods_alone(files: Workspace) -> None:
    class Lent:
        read, read_bytes, write, delete = files.read, files.read_bytes, files.write, files.delete
        list, mkdir, exists = files.list, files.mkdir, files.exists

    assert isinstance(Lent(), Filesystem)
    assert not isinstance(TreeBackend("box"), Filesystem)


def test_files_are_written_read_listed_and_deleted(files: Workspace) -> None:
    files.write("d/a.txt", "one\r\n")
    files.write("d/b.bin", b"\xff\x00")
    files.mkdir("d/e/f")
    files.mkdir("d/e/f")
    assert files.read("d/a.txt") == "one\r\n"
    assert files.read_bytes("d/b.bin") == b"\xff\x00"
    assert files.list("d") == [
        FileEntry("a.txt", is_dir=False, size=5),
        FileEntry("b.bin", is_dir=False, size=2),
        FileEntry("e", is_dir=True, size=0),
    ]
    assert files.exists("d/e")
    files.delete("d/a.txt")
    files.remove("d/e")
    assert [entry.name for entry in files.list("d")] == ["b.bin"]
    files.close()
    files.write("again", "x")
    with get_workspace("box") as other:
        assert other.read("again") == "x"


@pytest.mark.parametrize(
    ("name", "arguments", "error"),
    [
        ("read", ("b.bin",), ValueError),
        ("read", ("none",), FileNotFoundError),
        ("read_bytes", ("d",), IsADirectoryError),
        ("read_bytes", ("b.bin/x",), NotADirectoryError),
        ("list", ("b.bin",), NotADirectoryError),
        ("list", ("none",), FileNotFoundError),
        ("write", ("d", "x"), IsADirectoryError),
        ("write", ("", "x"), IsADirectoryError),
        ("write", ("b.bin/x", "x"), NotADirectoryError),
        ("write", ("x\0", "x"), ValueError),
        ("delete", ("d",), IsADirectoryError),
        ("delete", ("none",), FileNotFoundError),
        ("remove", ("",), ValueError),
        ("mkdir", ("b.bin",), FileExistsError),
        ("read", ("x" * 300,), OSError),
        ("read_bytes", ("pipe",), OSError),
    ],
)
def test_errors_are_those_of_the_system(
    files: Workspace, name: str, arguments: tuple[str, ...], error: type[Exception]
) -> None:
    files.write("b.bin", b"\xff")
    files.mkdir("d")
    os.mkfifo(f"{files.root}/pipe")
    before = files_below(Path(files.root))
    with pytest.raises(error):
        getattr(files, name)(*arguments)
    assert files_below(Path(files.root)) == before


def test_edge_case_37_an_escaping_second_entry_leaves_nothing(
    files: Workspace, trees: Path
) -> None:
    files.write("kept", "old")
    with pytest.raises(PathEscapeError):
        files.write_many([WriteEntry("kept", b"new"), WriteEntry("../outside/secret.txt", b"new")])
    with pytest.raises(IsADirectoryError):
        files.write_many([WriteEntry("kept", b"new"), WriteEntry("", b"new")])
    assert files_below(trees) == {"box/kept": b"old", "outside/secret.txt": b"secret"} | {
        path: data for path, data in files_below(trees).items() if path.startswith(".cardwright/")
    }
    assert not [path for path in files_below(trees) if path.endswith((".new", ".old", ".tmp"))]
    files.write_many([WriteEntry("a", b"1"), WriteEntry("d/b", b"2"), WriteEntry("./a", b"3")])
    assert files_below(Path(files.root)) == {"a": b"3", "d/b": b"2", "kept": b"old"}


def test_edge_case_38_modes_umask_and_long_names(files: Workspace) -> None:
    file = Path(files.root, "run")
    file.write_text("old")
    file.chmod(0o755)
    files.write("run", "new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o755
    before = os.umask(0o027)
    try:
        files.write("x" * 244, "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path(files.root, "x" * 244).stat().st_mode) == 0o640


def test_links_inside_are_followed_and_deleted_themselves(files: Workspace, trees: Path) -> None:
    files.write("target", "old")
    (trees / "box/link").symlink_to("target")
    (trees / "box/out").symlink_to("../outside")
    files.write("link", "new")
    assert files.read("target") == "new"
    assert files.list()[0] == FileEntry("link", is_dir=False, size=3)
    assert files.list()[1] == FileEntry("out", is_dir=False, size=0)
    for attempt in (files.read_bytes, files.list, files.mkdir, files.exists):
        with pytest.raises(PathEscapeError):
            attempt("out/secret.txt")
    files.delete("link")
    files.delete("out")
    assert files_below(trees / "outside") == {"secret.txt": b"secret"}
    assert files.read("target") == "new"


async def test_nothing_is_changed_while_a_command_holds_the_tree(files: Workspace) -> None:
    files.write("a", "old")
    claim = RunClaim(files.tree.private)
    claim.take("@Anna", 60)
    backend = TreeBackend("box")
    changes: list[Callable[[], object]] = [
        lambda: files.write("a", "new"),
        lambda: files.delete("a"),
        lambda: files.remove("a"),
        lambda: files.mkdir("d"),
    ]
    for change in changes:
        with pytest.raises(WorkspaceBusyError, match="workspace busy: a command of @Anna") as busy:
            change()
        assert busy.value.errno == errno.EBUSY
    for doing in (
        backend.write_bytes(f"{files.root}/a", b"new"),
        backend.make_dir(f"{files.root}/d"),
        backend.remove(f"{files.root}/a"),
    ):
        with pytest.raises(WorkspaceBusyError):
            await doing
    assert files.read("a") == "old"
    assert await backend.read_bytes(f"{files.root}/a") == b"old"
    claim.release()
    files.write("a", "new")
    await backend.remove(f"{files.root}/a")
    assert files.list() == []


def test_write_and_diff_keeps_the_form_of_the_text(files: Workspace) -> None:
    assert write_and_diff(files, "new", "one\n") == "--- a/new\n+++ b/new\n@@ -0,0 +1 @@\n+one"
    assert write_and_diff(files, "new", "one\n") == ""
    files.write("old", "\ufeffone\r\ntwo\r\n".encode("utf-16-le"))
    assert "-two\r\n+2\r" in write_and_diff(files, "old", "one\n2\n")
    assert files.read_bytes("old") == "\ufeffone\r\n2\r\n".encode("utf-16-le")
    files.write("binary", b"\xff")
    with pytest.raises(ValueError, match="binary: This is no text"):
        write_and_diff(files, "binary", "x")


def test_a_precondition_is_what_the_gate_judges(desk: Desk) -> None:
    """The table of contract 3.9, cell by cell."""
    desk.outside("a", b"one\n")
    live = desk.tree.read("a")
    full = Observation(live.sha, full=True)
    page = Observation(live.sha, full=False)
    other = Observation("0" * 64, full=True)
    table = [
        (None, None, Verdict.ABSENT, Verdict.ABSENT),
        (None, live, Verdict.UNREAD, Verdict.UNREAD),
        (full, live, Verdict.CLEAR, Verdict.CLEAR),
        (page, live, Verdict.PARTIAL, Verdict.CLEAR),
        (other, live, Verdict.CHANGED, Verdict.EXACT),
        (full, None, Verdict.DELETED, Verdict.DELETED),
    ]
    for seen, there, whole, anchored in table:
        assert Precondition(seen, whole=True).judge(there) is whole
        assert Precondition(seen, whole=False).judge(there) is anchored
