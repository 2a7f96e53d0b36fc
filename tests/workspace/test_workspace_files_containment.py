"""Nothing outside is read, listed or written, whatever paths and links say and when they change."""

import os
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.workspace_support import files_below, quick_folder

from cardwright.workspace.files import Change, Kind, Overtaken, Publisher, Tree, make_directory
from cardwright.workspace.files.errors import InvalidPathError
from cardwright.workspace.refusals import Refusal

SECRET = "secret"


def readers(tree: Tree, path: str) -> list[Callable[[], object]]:
    return [
        lambda: tree.read(path).data,
        lambda: tree.facts(path),
        lambda: [entry.path for entry in tree.scan(path)],
        lambda: [entry.path for entry in tree.walk(path)],
        lambda: tree.locate(path),
    ]


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.txt",
        "a/../../outside/secret.txt",
        "/etc/passwd",
        "/",
        "//etc/passwd",
        "..",
        "../box-twin/secret.txt",
        "out/secret.txt",
        "out",
        "deep/out/secret.txt",
        "secret-link",
        "chain/secret.txt",
        "root-link/etc/passwd",
        "self/../../outside/secret.txt",
        "proc-link/cwd",
    ],
)
def test_paths_that_lead_outside_are_refused(tree: Tree, path: str) -> None:
    twin = tree.root.parent / "box-twin"
    twin.mkdir()
    (twin / "secret.txt").write_text(SECRET)
    (tree.root / "a").mkdir()
    (tree.root / "deep").mkdir()
    (tree.root / "out").symlink_to("../outside")
    (tree.root / "deep/out").symlink_to(tree.root.parent / "outside")
    (tree.root / "secret-link").symlink_to("../outside/secret.txt")
    (tree.root / "chain").symlink_to("deep/out")
    (tree.root / "root-link").symlink_to("/")
    (tree.root / "self").symlink_to(tree.root)
    (tree.root / "proc-link").symlink_to("/proc/self")
    for attempt in readers(tree, path):
        with pytest.raises(Refusal) as caught:
            attempt()
        assert caught.value.failure == "outside"
        assert SECRET not in str(caught.value).replace(path, "")
    publisher = Publisher(tree)
    try:
        with pytest.raises((PermissionError, Overtaken)):
            publisher.publish([Change(path, None, b"owned")])
        with pytest.raises(PermissionError):
            make_directory(tree, f"{path}/made")
    finally:
        publisher.close()
    assert files_below(tree.root.parent / "outside") == {"secret.txt": b"secret"}
    assert not (tree.root.parent / "outside" / "made").exists()


def test_absolute_paths_inside_are_accepted(tree: Tree) -> None:
    (tree.root / "a").write_text("x")
    assert tree.read(str(tree.root / "a")).path == "a"


def test_a_root_that_is_reached_through_a_link_has_two_spellings(trees: Path) -> None:
    (trees / "real").mkdir()
    (trees / "real" / "a").write_text("x")
    (trees / "alias").symlink_to("real")
    tree = Tree(trees / "alias")
    assert tree.read(str(trees / "alias" / "a")).path == "a"
    assert tree.read(str(trees / "real" / "a")).path == "a"


@pytest.mark.parametrize(
    ("target", "path"), [("a", "loop"), ("loop", "loop"), ("b", "pair"), ("loop/x", "loop/x")]
)
def test_links_in_a_circle_end(tree: Tree, target: str, path: str) -> None:
    (tree.root / "loop").symlink_to("loop")
    (tree.root / "a").symlink_to("b")
    (tree.root / "b").symlink_to("a")
    (tree.root / "pair").symlink_to(target)
    with pytest.raises(Refusal) as caught:
        tree.read(path if path != "pair" else "pair")
    assert caught.value.failure == "invalid"


@pytest.mark.parametrize("path", ["a\0b", "\ud800", "x" * 300, "/".join(["y" * 200] * 30)])
def test_names_no_file_can_have_are_refused_t12(tree: Tree, path: str) -> None:
    with pytest.raises(Refusal) as caught:
        tree.read(path)
    assert caught.value.failure in {"invalid", "not_found"}


def test_pipes_sockets_and_devices_are_no_files(tree: Tree) -> None:
    os.mkfifo(tree.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(tree.root)
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
    for name in ("pipe", "socket"):
        with pytest.raises(Refusal) as caught:
            tree.read(name)
        assert caught.value.failure == "unsuitable"
    assert {entry.name: entry.kind for entry in tree.scan()} == {
        "pipe": Kind.OTHER,
        "socket": Kind.OTHER,
    }


def test_a_walk_never_enters_links_and_tells_where_they_lead(tree: Tree) -> None:
    (tree.root / "d").mkdir()
    (tree.root / "d/file").write_text("x")
    (tree.root / "inside").symlink_to("d/file")
    (tree.root / "outside").symlink_to("../outside")
    (tree.root / "nowhere").symlink_to("nothing")
    entries = {entry.path: entry for entry in tree.walk()}
    assert sorted(entries) == ["d", "d/file", "inside", "nowhere", "outside"]
    inside = tree.within(entries["inside"])
    assert inside is not None
    assert inside.kind is Kind.FILE
    assert tree.within(entries["outside"]) is None
    assert tree.within(entries["nowhere"]) is None


@contextmanager
def flipping(tree: Tree) -> Generator[None]:
    """Somebody keeps exchanging `d`, a directory, with a link that leads outside."""
    (tree.root / "d").mkdir()
    (tree.root / "d/secret.txt").write_text("harmless")
    (tree.root / "link").symlink_to(tree.root.parent / "outside")
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            for source, target in (("d", "kept"), ("link", "d"), ("d", "link"), ("kept", "d")):
                (tree.root / source).rename(tree.root / target)

    thread = threading.Thread(target=flip)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_a_link_swapped_in_between_check_and_use_is_never_followed(
    tree: Tree, publisher: Publisher
) -> None:
    seen = set[str]()
    with flipping(tree):
        for _ in range(700):
            with suppress(Refusal):
                seen.add(tree.read("d/secret.txt").data.decode())
            with suppress(Refusal):
                seen.update(entry.path for entry in tree.walk("d"))
            with suppress(Refusal, OSError, Overtaken):
                blob = tree.read("d/secret.txt")
                publisher.publish([Change("d/secret.txt", blob, b"harmless")])
    assert SECRET not in seen
    assert "harmless" in seen
    assert files_below(tree.root.parent / "outside") == {"secret.txt": b"secret"}


PARTS = st.sampled_from(
    ["..", ".", "", "a", "b", "out", "in", "up", "abs", "loop", "file", "new", "secret.txt"]
)


@given(parts=st.lists(PARTS, max_size=7), absolute=st.booleans())
def test_no_combination_of_links_and_dots_leads_outside(parts: list[str], absolute: bool) -> None:
    with quick_folder() as base:
        (base / "out").mkdir()
        (base / "out/secret.txt").write_text(SECRET)
        root = base / "box"
        (root / "a/b").mkdir(parents=True)
        (root / "a/file").write_text("mine")
        (root / "a/out").symlink_to("../../out")
        (root / "a/up").symlink_to("..")
        (root / "a/b/up").symlink_to("../..")
        (root / "abs").symlink_to(base / "out")
        (root / "in").symlink_to(root / "a")
        (root / "loop").symlink_to("loop")
        tree = Tree(root)
        path = ("/" if absolute else "") + "/".join(parts)
        with suppress(Refusal):
            assert tree.read(path).data == b"mine"
        with suppress(Refusal):
            assert "secret.txt" not in {entry.name for entry in tree.walk(path)}
        with suppress(Refusal):
            real = os.path.realpath(root / tree.locate(path))
            assert real == str(root) or real.startswith(f"{root}/")
        with suppress(OSError, InvalidPathError):
            make_directory(tree, path)
        assert files_below(base / "out") == {"secret.txt": b"secret"}
        assert sorted(path.name for path in base.iterdir()) == ["box", "out"]


def test_deep_trees_are_walked_without_running_out_of_descriptors(tree: Tree) -> None:
    deep = "/".join(["d"] * 300)
    make_directory(tree, deep)
    assert sum(1 for _ in tree.walk()) == 300
