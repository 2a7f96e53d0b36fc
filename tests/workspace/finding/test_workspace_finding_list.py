"""Listing: format, order, links, bounds."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cardwright.workspace.files import Tree
from cardwright.workspace.finding import list_directory, listing
from cardwright.workspace.finding.bounds import Bounds
from cardwright.workspace.refusals import Refusal

type Put = Callable[..., Path]


def test_directories_come_first_then_files_by_name(tree: Tree, put: Put) -> None:
    put("b.txt", "12")
    put("a.txt")
    put(".hidden", "1")
    put("z/x")
    put("m/x")
    assert list_directory(tree) == "m/\nz/\n.hidden (1 bytes)\na.txt (0 bytes)\nb.txt (2 bytes)"


def test_a_tree_has_connectors_and_the_levels_asked_for(tree: Tree, put: Put) -> None:
    put("a/b/c.txt", "1")
    put("a/d.txt")
    put("e.txt")
    two = ".\n├── a/\n│   ├── b/\n│   └── d.txt (0 bytes)\n└── e.txt (0 bytes)"
    assert list_directory(tree, depth=2) == two
    assert list_directory(tree, depth=0) == two.replace(
        "│   ├── b/\n", "│   ├── b/\n│   │   └── c.txt (1 bytes)\n"
    )
    assert list_directory(tree, "a", 2) == (
        ".\n├── b/\n│   └── c.txt (1 bytes)\n└── d.txt (0 bytes)"
    )


@pytest.mark.parametrize("depth", [0, 1, 3])
def test_an_empty_directory_says_so_at_any_depth(tree: Tree, depth: int) -> None:
    assert list_directory(tree, depth=depth) == "Empty directory."


def test_what_is_no_directory_is_refused(tree: Tree, put: Put) -> None:
    put("f")
    for path, failure in {"f": "unsuitable", "none": "not_found", "..": "outside"}.items():
        with pytest.raises(Refusal) as caught:
            list_directory(tree, path)
        assert caught.value.failure == failure
    with pytest.raises(Refusal, match="Directory not found: f"):
        list_directory(tree, "f")
    with pytest.raises(Refusal, match="depth"):
        list_directory(tree, depth=-1)


def test_t11_t13_links_are_named_and_never_followed(tree: Tree, root: Path, put: Put) -> None:
    put("real/a.txt", "123")
    (root / "dead").symlink_to("nowhere")
    (root / "out").symlink_to(root.parent)
    (root / "loop").symlink_to(root)
    (root / "near.txt").symlink_to("real/a.txt")
    os.mkfifo(root / "pipe")
    lost = "(link that leads nowhere or out of the workspace)"
    assert list_directory(tree, depth=0).split("\n") == [
        ".",
        "├── loop/ (link)",
        "├── real/",
        "│   └── a.txt (3 bytes)",
        f"├── dead {lost}",
        "├── near.txt (3 bytes, link)",
        f"├── out {lost}",
        "└── pipe (neither file nor directory)",
    ]


def test_long_listings_are_cut_and_say_so(
    tree: Tree, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_ENTRIES", 3)
    for number in range(5):
        put(f"d/{number}")
    flat = list_directory(tree, "d").split("\n")
    assert flat[3:] == ["[... truncated: 5 entries, showing the first 3 ...]"]
    assert list_directory(tree, depth=0).split("\n")[4:] == [
        "[... truncated: more entries, showing the first 3 ...]"
    ]


def test_a_deep_tree_and_a_late_one_are_no_errors(tree: Tree, root: Path) -> None:
    deep = root
    for _ in range(300):
        deep /= "d"
    deep.mkdir(parents=True)
    assert len(list_directory(tree, depth=0).split("\n")) == 301
    late = list_directory(tree, depth=0, bounds=Bounds(seconds=0))
    assert late.split("\n")[-1].startswith("[... stopped after 0 s")
