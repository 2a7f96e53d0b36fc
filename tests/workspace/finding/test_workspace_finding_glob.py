"""Glob: the meaning of patterns, order, bounds, containment."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.workspace.files import Tree, sweep
from cardwright.workspace.finding import glob_files, grep, list_directory
from cardwright.workspace.finding.bounds import Bounds
from cardwright.workspace.finding.patterns import PathPattern, expanded
from cardwright.workspace.refusals import Refusal

type Put = Callable[..., Path]


def found(tree: Tree, pattern: str, path: str = "") -> set[str]:
    return set(glob_files(tree, pattern, path).splitlines())


def refused(tree: Tree, pattern: str, path: str = "") -> Refusal:
    with pytest.raises(Refusal) as caught:
        glob_files(tree, pattern, path)
    return caught.value


def test_14_braces_multiply_out_once_each() -> None:
    assert expanded("a.{py,py}") == ["a.py"]
    assert expanded("{src,lib}/**/*.{py,js}") == [
        "src/**/*.py",
        "src/**/*.js",
        "lib/**/*.py",
        "lib/**/*.js",
    ]
    assert expanded("*.{py, js}") == ["*.py", "*.js"]
    assert expanded("{a,b{c,d}}") == ["a", "bc", "bd"]
    assert expanded("{a}{") == ["{a}{"]


@pytest.mark.parametrize(
    ("pattern", "path", "matching"),
    [
        ("*.py", "a.py", True),
        ("*.py", "d/a.py", False),
        ("**/*.py", "a.py", True),
        ("**/*.py", "d/e/A.PY", True),
        ("**.py", "d/a.py", True),
        ("**.{py,ts}", "d/a.ts", True),
        ("src/**.ts", "src/d/a.ts", True),
        ("src/**.ts", "a.ts", False),
        ("SRC/*", "src/x", True),
        ("src/", "src/d/x", True),
        ("src/**", "src/x", True),
        ("src/**", "src", False),
        ("a**z", "a/b/z", True),
        ("a**z", "abz", True),
        ("**/d/**/x", "d/x", True),
        ("**/d/**/x", "a/d/b/c/x", True),
        ("**/d/**/x", "a/b/x", False),
        ("./x//y", "x/y", True),
        ("[ab]?.txt", "bc.txt", True),
        ("*", ".hidden", True),
        ("***", "a/b", True),
    ],
)
def test_15_what_a_pattern_means(pattern: str, path: str, *, matching: bool) -> None:
    assert PathPattern.of(pattern).matches(path) is matching


def reference(names: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """The meaning of `**` and `*`, tried out in every way."""
    if not names or not path:
        return not names and not path
    if names[0] == "**":
        return reference(names[1:], path) or reference(names, path[1:])
    return names[0] in {"*", path[0]} and reference(names[1:], path[1:])


NAMES = st.lists(st.sampled_from(["a", "b", "*", "**"]), min_size=1, max_size=5)
PATHS = st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=5)


@given(NAMES, PATHS)
def test_patterns_mean_what_trying_everything_says(names: list[str], path: list[str]) -> None:
    wanted = (*names, "*") if names[-1] == "**" else tuple(names)
    assert PathPattern.of("/".join(names)).matches("/".join(path)) == reference(wanted, tuple(path))


def test_16_paths_are_relative_to_the_root_and_newest_first(tree: Tree, put: Put) -> None:
    for age, name in enumerate(["sub/new.py", "sub/deep/old.py", "top.py"]):
        os.utime(put(name), (1000 - age, 1000 - age))
    assert glob_files(tree, "**/*.py", "sub") == "sub/new.py\nsub/deep/old.py"
    assert glob_files(tree, "**.py") == "sub/new.py\nsub/deep/old.py\ntop.py"


def test_more_than_the_limit_shows_the_newest_and_the_total(tree: Tree, put: Put) -> None:
    for number in range(5):
        os.utime(put(f"{number}.txt"), (number, number))
    lines = glob_files(tree, "*", max_results=2).split("\n")
    assert lines == ["4.txt", "3.txt", "[... truncated: 5 files match, showing the 2 newest ...]"]


def test_nothing_found_and_directories_are_no_files(tree: Tree, put: Put) -> None:
    put("d/x")
    assert glob_files(tree, "*") == "No files found."
    assert refused(tree, "*", "nope").args == ("Directory not found: nope",)
    assert refused(tree, "*", "d/x").args == ("Directory not found: d/x",)


def test_ignore_files_hide_nothing(tree: Tree, put: Put) -> None:
    put(".gitignore", "*.log\n")
    put("a.log")
    assert found(tree, "*.log") == {"a.log"}


def test_t12_t13_hostile_patterns_are_refused(tree: Tree) -> None:
    for pattern in ("", " ", "a\0b"):
        assert refused(tree, pattern).failure == "invalid"
    for pattern in ("../*", "a/../../b", "/etc/*", "{a,..}/x", "{/etc,b}/*"):
        assert refused(tree, pattern).failure == "outside"
    assert refused(tree, "*", "../..").failure == "outside"
    assert refused(tree, "{a,b}" * 12).failure == "invalid"


def test_t13_links_are_shown_only_if_they_stay_inside(tree: Tree, root: Path, put: Put) -> None:
    outside = root.parent / "secret"
    outside.mkdir()
    (outside / "key.txt").write_text("x")
    put("real/a.txt")
    targets: dict[str, Path | str] = {
        "out": outside,
        "out.txt": outside / "key.txt",
        "dead.txt": root / "none",
        "loop": root,
        "in.txt": root / "real" / "a.txt",
        "self.txt": "self.txt",
    }
    for name, target in targets.items():
        (root / name).symlink_to(target)
    assert found(tree, "**/*.txt") == {"real/a.txt", "in.txt"}
    assert found(tree, "out/*") == {"No files found."}


def test_names_that_are_no_text_stay_on_their_line(tree: Tree, root: Path) -> None:
    for name in (b"a\nb.txt", b"\xff.txt", "ü.txt".encode()):
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).touch()
    assert found(tree, "*.txt") == {"a\\nb.txt", "\\xff.txt", "ü.txt"}


def test_directories_that_cannot_match_are_not_opened(tree: Tree, put: Put) -> None:
    put("src/a.py")
    put("node_modules/x/y/b.py")
    opened: list[str] = []

    class Watched(Tree):
        def _scan_plain(self, path: str) -> list[object]:  # type: ignore[override]  # counts only
            opened.append(path)
            return super()._scan_plain(path)  # type: ignore[return-value]  # as above

    assert found(Watched(tree.root), "src/*.py") == {"src/a.py"}
    assert opened == ["src"]


def test_a_search_that_runs_out_of_time_says_so(tree: Tree, put: Put) -> None:
    put("a")
    text = glob_files(tree, "*", bounds=Bounds(seconds=0))
    assert text.startswith("No files found.\n[... stopped after 0 s")


def test_names_that_are_no_utf_8_are_walked_like_others(tree: Tree, root: Path) -> None:
    """A command may make them; neither a search nor the start of the actor may fail on them."""
    folder = os.fsencode(root) + b"/d\xff"
    os.mkdir(folder)  # noqa: PTH102 - bytes
    Path(os.fsdecode(folder + b"/f.txt")).write_text("needle\n")
    (root / "link").symlink_to(os.fsdecode(b"d\xff"))
    assert glob_files(tree, "**/*.txt", "", max_results=9) == "d\\xff/f.txt"
    for pattern in ("needle", "(?<=n)eedle"):
        found = grep(tree, pattern, "", "", max_results=9, max_line_length=99)
        assert found == "d\\xff/f.txt:1: needle"
    assert "f.txt (7 bytes)" in list_directory(tree, "", 0)
    assert sweep(tree, -1) == 0
