"""What finding costs in a large tree, next to ripgrep itself."""

import subprocess
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import pytest

from cardwright.workspace.files import Tree
from cardwright.workspace.finding import glob_files, grep, list_directory, ripgrep

type Measure = Callable[..., float]
type Keep = Callable[..., None]

FILES = 20_000
MANY = 50_000


def filled(root: Path, files: int, lines: int) -> Tree:
    for number in range(files):
        folder = root / f"d{number // 500}" / f"e{number // 50}"
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(f"line {line} of file {number} = {line * number}\n" for line in range(lines))
        (folder / f"f{number}.{'py' if number % 2 else 'txt'}").write_text(text)
    return Tree(root)


@pytest.fixture(scope="module")
def tree() -> Iterator[Tree]:
    with TemporaryDirectory() as folder:
        yield filled(Path(folder), FILES, 40)


@pytest.fixture(scope="module")
def large() -> Iterator[Tree]:
    with TemporaryDirectory() as folder:
        yield filled(Path(folder), MANY, 0)


def times(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """The shortest of seven rounds each, taken in turns."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(7):
        for function, into in ((one, found[0]), (other, found[1])):
            start = perf_counter()
            function()
            into.append(perf_counter() - start)
    return min(found[0]), min(found[1])


@pytest.mark.skipif(ripgrep.program() is None, reason="ripgrep is not installed")
@pytest.mark.parametrize("pattern", ["line 39 of file 1999[0-9]", r"file 77\d\d = 0$", "absent"])
def test_grep_takes_at_most_one_and_a_half_times_ripgrep(
    tree: Tree, measure: Measure, note: Keep, pattern: str
) -> None:
    command = ["rg", "--no-config", "-uuu", "-n", "-e", pattern, "."]

    def bare() -> None:
        subprocess.run(command, cwd=tree.root, capture_output=True, check=False)

    def ours() -> str:
        return grep(tree, pattern)

    measure(ours, rounds=1)
    mine, theirs = times(ours, bare)
    note(ratio=mine / theirs)
    assert mine < 1.5 * theirs


@pytest.mark.parametrize("kind", ["glob", "tree", "flat"])
def test_fifty_thousand_files_are_walked_in_bounded_time_and_memory(
    large: Tree, measure: Measure, note: Keep, kind: str
) -> None:
    searches: dict[str, Callable[[], str]] = {
        "glob": lambda: glob_files(large, "**/*.py"),
        "tree": lambda: list_directory(large, depth=0),
        "flat": lambda: list_directory(large),
    }
    search = searches[kind]
    seconds = measure(search, rounds=2)
    tracemalloc.start()
    text = search()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    note(peak_megabytes=peak / 1e6)
    assert seconds < 3
    assert peak < 20_000_000
    assert len(text) < 500_000
