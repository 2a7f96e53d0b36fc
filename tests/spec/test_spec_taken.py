"""The tables of taken names hold what emitted modules import, define and use."""

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

import cardwright_generator
from cardwright_generator.emit.generate import generate
from cardwright_generator.project import Project
from cardwright_generator.spec import Catalogue, load_specs, taken
from cardwright_generator.spec.language import CardSpec, TypeSpec

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests/spec/cards", ROOT / "tests/emit/data/specs")
TEMPLATES = Path(cardwright_generator.__file__).parent / "emit" / "templates"
FORMATS = frozenset({"date", "datetime", "now", "time", "uuid4"})


@dataclass(frozen=True)
class Listed:
    """What a project lists for `python:`."""

    python_modules: tuple[str, ...] = ("cardwright.actors.messages",)


def _load(folder: Path) -> Catalogue:
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.yaml")}
    return load_specs(files, Listed())


@pytest.fixture(scope="module")
def catalogues() -> list[Catalogue]:
    """The specs of the contracts, and those that the tests of the emission use."""
    return [_load(folder) for folder in FOLDERS]


@pytest.fixture(scope="module")
def own(catalogues: list[Catalogue]) -> set[str]:
    """Every name that the specs declare."""
    found: set[str] = set()
    for catalogue in catalogues:
        for card in catalogue.cards:
            found |= {*_of_card(card.spec), *_of_types(card.spec.types)}
        for common in catalogue.commons:
            found |= set(_of_types(common.spec.types))
    return found


def _of_card(card: CardSpec) -> Iterator[str]:
    stem = card.card.removesuffix("Tool")
    yield from (card.card, f"{stem}Contract", f"{stem}Failure", f"{stem}Logic", *card.fields)
    if not isinstance(card.observer, str):
        yield from (card.observer.name, *card.observer.members)
    for key, capability in card.capabilities.items():
        yield from (key, f"{key}_", capability.param, *capability.config)
        for name, endpoint in capability.endpoints.items():
            yield from (name, endpoint.name or name, *endpoint.arguments)


def _of_types(types: Mapping[str, TypeSpec]) -> Iterator[str]:
    for name, spec in types.items():
        yield from (name, f"{name}Base", *(spec.properties or {}))


@pytest.fixture(scope="module")
def modules(catalogues: list[Catalogue]) -> dict[str, ast.Module]:
    """The emitted modules, parsed, by path."""
    project = Project(root=ROOT / "nowhere", package="samples")
    return {
        f"{index}/{path}": ast.parse(text)
        for index, catalogue in enumerate(catalogues)
        for path, text in generate(catalogue, project).items()
        if path.endswith(".py")
    }


def _bound(tree: ast.Module) -> Iterator[str]:
    """Names at the top of a module, imports for type checkers included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.ClassDef):
            yield node.name
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def _loaded(nodes: list[ast.AST]) -> set[str]:
    inner = (one for node in nodes for one in ast.walk(node))
    return {one.id for one in inner if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}


def _headers(body: list[ast.stmt]) -> list[ast.AST]:
    """What of a body is evaluated in it: decorators, signatures and fields, not what runs later."""
    found: list[ast.AST] = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
        else:
            found.append(node)
    return found


def test_the_specs_are_right(catalogues: list[Catalogue]) -> None:
    assert [found for catalogue in catalogues for found in catalogue.diagnostics] == []


def test_classes_that_modules_bind_are_taken(modules: dict[str, ast.Module], own: set[str]) -> None:
    found = {name for tree in modules.values() for name in _bound(tree) if name[0].isupper()}
    classes = {name for name in found - own if re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)}
    named = {"Message"}  # by `python:`, and so declared
    assert classes - taken.CLASSES <= named


def test_imports_in_lower_case_are_taken(modules: dict[str, ast.Module]) -> None:
    for path, tree in modules.items():
        if "/tests/" in path or "wiring" in path or path.endswith("__init__.py"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module != "__future__":
                lower = [alias.name for alias in node.names if alias.name.islower()]
                assert all(taken.IMPORTED.get(name) == node.module for name in lower), path


@pytest.mark.parametrize(
    ("module", "table"),
    [
        ("card.py", taken.CARD_BODY | {"served"}),
        ("contract.py", taken.CONTRACT_BODY),
        ("observer.py", taken.OBSERVER_BODY),
        ("types.py", taken.TYPES),
    ],
)
def test_what_bodies_of_classes_use_is_taken(
    modules: dict[str, ast.Module], own: set[str], module: str, table: frozenset[str]
) -> None:
    trees = [tree for path, tree in modules.items() if path.endswith(f"/{module}")]
    bodies = [node.body for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    assert bodies
    used = {name for body in bodies for name in _loaded(_headers(body)) if name.islower()}
    assert used - table - FORMATS <= own


def test_what_functions_of_cards_use_is_taken(
    modules: dict[str, ast.Module], own: set[str]
) -> None:
    trees = [tree for path, tree in modules.items() if path.endswith("/card.py")]
    methods = [
        one
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.name.startswith("_")
    ]
    used = {name for name in _loaded([*methods]) if name.islower()}
    assert used - taken.DEFINED_FUNCTIONS - FORMATS - own == set()


def test_imports_written_in_templates_are_taken() -> None:
    for path in TEMPLATES.glob("*.py.jinja"):
        if path.name == "wiring.py.jinja":
            continue
        lines = re.findall(r"^from [\w.]+ import ([\w, ]+)$", path.read_text("utf-8"), re.MULTILINE)
        names = {name for line in lines for name in line.split(", ")}
        classes = {name for name in names if re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)}
        assert classes <= taken.CLASSES | {"CARDS"}, path


def test_classes_written_in_the_template_of_wiring_tests_are_taken() -> None:
    text = (TEMPLATES / "wiring.py.jinja").read_text(encoding="utf-8")
    imported = ", ".join(re.findall(r"^from [\w.]+ import ([\w, ]+)$", text, re.MULTILINE))
    defined = re.findall(r"^ *class (\w+)|^([A-Z]\w*) = ", text, re.MULTILINE)
    names = {*imported.split(", "), *(name for pair in defined for name in pair)}
    classes = {name for name in names if re.fullmatch(r"[A-Z][A-Za-z0-9]*", name)}
    assert classes <= taken.CLASSES
    assert {"CASES", "Stub", "Nobody"} <= classes


def test_the_tables_of_builtins_hold_only_builtins() -> None:
    assert set(dir(builtins)) >= taken.TYPES
