"""How the files of this project look: short modules, named rooms, nothing of one machine."""

import ast
import importlib
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 500
TOP_LEVEL = {
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "generated",
    "generator",
    "pyproject.toml",
    "runtime",
    "specs",
    "tests",
}
# Written in two parts, so that this file does not name what it looks for.
OF_ONE_MACHINE = ["/" + "home/", "/" + "root/", "/" + "Users/", "/" + "work/", "/opt/" + "pypi"]
REGISTRIES = ["pypi." + "org", "pythonhosted." + "org", "registry.npmjs" + ".org"]


def tracked(*patterns: str) -> list[Path]:
    """Files that git knows or would add."""
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = sorted(set(done.stdout.split("\0")) - {""})
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def rooms() -> list[Path]:
    """Every package folder of the sources and of the catalogue."""
    sources = ["runtime/cardwright", "generator/cardwright_generator"]
    return sorted(p for source in sources for p in (ROOT / source).rglob("__init__.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_top_level_folders() -> None:
    found = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in found if not name.startswith(".")} <= TOP_LEVEL


def test_no_module_is_too_long() -> None:
    long = {
        relative(p): n
        for p in tracked("*.py")
        if not relative(p).startswith("generated/")
        and (n := len(p.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert not long


def test_no_module_is_a_drawer() -> None:
    drawers = {"utils.py", "util.py", "helpers.py", "misc.py"}
    assert [relative(p) for p in tracked("*.py") if p.name in drawers] == []


@pytest.mark.parametrize("path", rooms(), ids=relative)
def test_a_room_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    lines = [line for line in docstring.splitlines() if line.strip()]
    assert 1 <= len(lines) <= 8, (
        "a package docstring says in about three lines what the room is for"
    )


@pytest.mark.parametrize("path", rooms(), ids=relative)
def test_exports_are_declared_and_real(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    public = {
        alias.asname or alias.name
        for node in imports
        if node.module and (node.level or node.module.startswith("cardwright"))
        for alias in node.names
        if not (alias.asname or alias.name).startswith("_")
    }
    source_root = ROOT / relative(path).split("/")[0]
    name = ".".join(path.parent.relative_to(source_root).parts)
    module = importlib.import_module(name)
    exported: list[str] = list(getattr(module, "__all__", []))
    assert len(exported) == len(set(exported))
    public = {entry for entry in public if not isinstance(getattr(module, entry), ModuleType)}
    assert public <= set(exported), f"not in __all__: {sorted(public - set(exported))}"
    assert [entry for entry in exported if not hasattr(module, entry)] == []


def test_nothing_names_one_machine_or_a_registry() -> None:
    found: list[str] = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [
            f"{relative(path)}:{number}: {line.strip()[:80]}"
            for number, line in enumerate(text.splitlines(), 1)
            if any(word in line for word in OF_ONE_MACHINE + REGISTRIES)
        ]
    assert not found, "\n".join(found)


def test_lock_files_are_not_committed() -> None:
    assert [relative(p) for p in tracked("uv.lock", "pylock.toml", "**/uv.lock")] == []


def test_specs_sources_and_templates_are_unix_text() -> None:
    assert [
        relative(p)
        for p in tracked("*.py", "*.yaml", "*.jinja", "*.md", "*.toml")
        if b"\r" in p.read_bytes()
    ] == []
