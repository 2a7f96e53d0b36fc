"""Grep: with and without ripgrep, the same lines."""

import os
import string
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cardwright.workspace.files import Blob, Tree
from cardwright.workspace.finding import grep, grepping, ripgrep
from cardwright.workspace.finding.bounds import Bounds, LeftOut
from cardwright.workspace.finding.dialect import wider
from cardwright.workspace.refusals import Refusal

type Put = Callable[..., Path]


def refused(tree: Tree, *arguments: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        grep(tree, *arguments)
    return caught.value


def test_lines_come_with_path_and_number_from_the_newest_file(
    tree: Tree, put: Put, engine: str
) -> None:
    os.utime(put("old.txt", "x one\nno\nx two\n"), (1, 1))
    os.utime(put("d/new.txt", "x three"), (2, 2))
    assert grep(tree, "^x") == "d/new.txt:1: x three\nold.txt:1: x one\nold.txt:3: x two"
    assert grep(tree, "^y") == "No matches found."


def test_16_paths_stay_relative_to_the_root(tree: Tree, put: Put, engine: str) -> None:
    put("d/e/a.txt", "x\n")
    put("b.txt", "x\n")
    assert grep(tree, "x", "d") == "d/e/a.txt:1: x"
    assert grep(tree, "x", "d/e/a.txt") == "d/e/a.txt:1: x"


def test_17_lines_are_cut_and_the_cap_is_total_and_announced(
    tree: Tree, put: Put, engine: str
) -> None:
    os.utime(put("a", "x" * 50 + "\n" + "x\n" * 9), (2, 2))
    os.utime(put("b", "x\n" * 9), (1, 1))
    lines = grep(tree, "x", max_results=12, max_line_length=10).split("\n")
    assert lines[0] == "a:1: xxxxxxxxx…"
    assert lines[11] == "b:2: x"
    assert lines[12:] == [
        "[... truncated: more lines match, showing the first 12 of the newest files ...]"
    ]
    assert "truncated" not in grep(tree, "x", max_results=19)


def test_include_is_a_glob_on_names_or_on_paths(tree: Tree, put: Put, engine: str) -> None:
    for name in ("a.py", "d/b.PY", "d/c.txt", "src/e/f.py"):
        put(name, "x\n")

    def files(include: str, path: str = "") -> set[str]:
        return {line.split(":")[0] for line in grep(tree, "x", path, include).split("\n")}

    assert files("*.py") == {"a.py", "d/b.PY", "src/e/f.py"}
    assert files("*.{py,txt}", "d") == {"d/b.PY", "d/c.txt"}
    assert files("src/**/*.py") == {"src/e/f.py"}
    assert files("e/*.py", "src") == {"src/e/f.py"}


def test_t13_nothing_outside_is_searched(tree: Tree, root: Path, put: Put, engine: str) -> None:
    (root.parent / "secret.txt").write_text("token\n")
    (root / "out.txt").symlink_to(root.parent / "secret.txt")
    (root / "up").symlink_to(root.parent)
    put("in.txt", "token\n")
    assert grep(tree, "token") == "in.txt:1: token"
    for path in ("..", "up", "out.txt", "/etc"):
        assert refused(tree, "token", path).failure == "outside"
    for include in ("../*", "/etc/*", "{a,..}/*"):
        assert refused(tree, "token", "", include).failure == "outside"


def test_t15_a_pattern_is_never_an_option(
    tree: Tree, root: Path, put: Put, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("a.txt", "--pre=touch -e x\n-v\n")
    assert grep(tree, "--pre=touch") == "a.txt:1: --pre=touch -e x"
    assert grep(tree, "-v") == "a.txt:2: -v"
    config = root.parent / "config"
    config.write_text("--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(config))
    assert grep(tree, "-v") == "a.txt:2: -v"


def test_t15_ignore_files_hide_nothing(tree: Tree, root: Path, put: Put, engine: str) -> None:
    (root.parent / ".git").mkdir()
    (root.parent / ".gitignore").write_text("*\n")
    put(".ignore", "*.log\n")
    put(".hidden/a.log", "x\n")
    assert grep(tree, "^x") == ".hidden/a.log:1: x"


def test_t15_names_with_colons_and_breaks_stay_whole(tree: Tree, put: Put, engine: str) -> None:
    put("a:1:\nb", "x\n")
    assert grep(tree, "x") == "a:1:\\nb:1: x"


def test_invalid_expressions_are_refused(tree: Tree, engine: str) -> None:
    for pattern in ("(", "[a", "*", "", "x" * 3000, "(?P<n>a)(?P<n>b", "a{99999999999}b"):
        assert refused(tree, pattern).failure == "invalid"
    assert refused(tree, "x", "none").failure == "not_found"


def test_what_is_left_out_is_named(
    tree: Tree, put: Put, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grepping, "LARGEST_FILE", 100)
    put("bin", b"\0\nxyz\n")
    put("big", "xyz\n" * 50)
    put("no", "xyz\n")

    class Closed(Tree):
        def read(self, path: str, *, limit: int | None = None) -> Blob:
            if path == "no":
                raise Refusal("denied", "no")
            return super().read(path, limit=limit)

    assert grep(Closed(tree.root), "y").split("\n") == [
        "No matches found.",
        "[... no: files cannot be read ...]",
        "[... big: files are too large to be searched ...]",
        "[... bin: binary files match and are not shown ...]",
    ]


def test_an_expression_that_would_take_for_ever_is_stopped(
    tree: Tree, put: Put, engine: str
) -> None:
    put("a", "a" * 60 + "b\n")
    text = grep(tree, "(a|a)*$", bounds=Bounds(seconds=0.3))
    assert "stopped after 0.3 s" in text


def test_ripgrep_that_fails_is_done_without(
    tree: Tree, put: Put, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("a", "x\n")
    broken = root.parent / "rg"
    broken.write_text("#!/bin/sh\necho 'regex parse error' >&2\nexit 2\n")
    broken.chmod(0o755)
    for program in (str(broken), str(root / "a")):
        monkeypatch.setattr(ripgrep, "program", lambda program=program: program)
        assert grep(tree, "x") == "a:1: x"


def test_files_ripgrep_cannot_read_are_named(
    tree: Tree, put: Put, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("a", "x\n")
    part = root.parent / "rg"
    part.write_text(
        "#!/bin/sh\nprintf './a\\0'\n"
        "echo './b: Permission denied (os error 13)' >&2\n"
        "echo './c: No such file or directory (os error 2)' >&2\nexit 2\n"
    )
    part.chmod(0o755)
    monkeypatch.setattr(ripgrep, "program", lambda: str(part))
    assert grep(tree, "x") == "a:1: x\n[... b: files cannot be read ...]"


ATOMS = st.sampled_from(
    [
        *"abkS .-",
        "é",
        "\u212a",
        "\ufffd",
        r"\d",
        r"\w",
        r"\W",
        r"\s",
        r"\S",
        r"\b",
        "^",
        "$",
        "[a-c]",
        "[^b]",
        r"[\w-]",
        r"\.",
        "(?=a)",
        "(?<!b)",
        r"\x41",
        "(?i:s)",
        "\t",
    ]
)


def combined(parts: tuple[str, str, str]) -> str:
    first, link, second = parts
    return f"(?:{first}){link}" if link[0] in "*+?{" else f"{first}{link}{second}"


PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.tuples(
        inner, st.sampled_from(["*", "+?", "{0,2}", "?", "|", "()", "(?:)"]), inner
    ).map(combined),
    max_leaves=5,
)
CONTENTS = st.lists(
    st.sampled_from(
        [
            b"a",
            b"k",
            b"S",
            b"b1",
            b" ",
            b"\n",
            b"\r\n",
            b"\r",
            b"\xff",
            b"\xc3",
            "é".encode(),
            "\u212a".encode(),
            "½".encode(),
            b"-.",
            b"\t",
            b"\xef\xbb\xbf",
            b"\x1c",
            b"aab",
        ]
    ),
    max_size=12,
).map(b"".join)
FILES = st.dictionaries(
    st.text(string.ascii_letters[:4], min_size=1, max_size=2).map(str.lower),
    st.one_of(
        CONTENTS,
        CONTENTS.map(lambda data: b"\0" + data),
        CONTENTS.map(lambda data: data.decode(errors="replace").encode("utf-16")),
    ),
    max_size=4,
)


@pytest.mark.skipif(ripgrep.program() is None, reason="ripgrep is not installed")
@given(FILES, PATTERNS, st.booleans())
@example({"a": "½\n".encode()}, r"\w", False)
@example({"a": b"x\rfoo\r\n"}, "^foo$", False)
@example({"a": "\u212a".encode()}, "k", True)
def test_ripgrep_and_python_answer_alike(
    files: dict[str, bytes], pattern: str, folded: bool
) -> None:
    pattern = f"(?i){pattern}" if folded else pattern
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        tree = Tree(Path(folder))
        try:
            fast = grep(tree, pattern)
        except Refusal as refusal:
            fast = str(refusal)
        patch.setattr(ripgrep, "program", lambda: None)
        try:
            plain = grep(tree, pattern)
        except Refusal as refusal:
            plain = str(refusal)
        assert fast == plain


@pytest.mark.skipif(ripgrep.program() is None, reason="ripgrep is not installed")
@pytest.mark.parametrize(
    "pattern", ["needle", r"def \w+\(", "(?i)Todo", r"^\s*class .*:$", r"a(?=b)", r"(x)\1", "é+"]
)
def test_ripgrep_takes_what_models_search_for(tree: Tree, put: Put, pattern: str) -> None:
    put("a", "needle\ndef f(x):\nTODO\nclass A:\nab\nxx\né\n")
    put("b", "nothing\n")
    assert wider(pattern) is not None
    found = ripgrep.candidates(tree, "", pattern, None, LeftOut(), Bounds())
    assert [path for _, path in found or []] == ["a"]


@pytest.mark.parametrize("pattern", ["a{e<=1}", "[[:alpha:]]", r"\p{L}", "(", "[a||b]", r"\X"])
def test_expressions_read_differently_elsewhere_are_searched_without_ripgrep(pattern: str) -> None:
    assert wider(pattern) is None
