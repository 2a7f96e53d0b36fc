"""Generated code under the tools that would read it: type checkers, linter, tests, round trips."""

import importlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any, cast

import pytest
from pydantic import BaseModel, TypeAdapter

from cardwright.core import ToolCard
from cardwright.tools import Tool
from cardwright.tools.schema import normalised
from cardwright_generator.emit.expected import expected_tool_schemas, expected_type_schema
from cardwright_generator.emit.scenarios import Setting, everything
from cardwright_generator.project import Project
from cardwright_generator.spec import Catalogue, LoadedCard

type Run = Callable[..., CompletedProcess[str]]

ROOT = Path(__file__).resolve().parents[2]
CARDS = ("awkward", "everything", "knowledge_graph", "model", "notification", "team", "workspace")


def loaded(catalogue: Catalogue, name: str) -> LoadedCard:
    return next(card for card in catalogue.cards if card.path == f"specs/{name}.yaml")


def card_class(card: LoadedCard) -> type[ToolCard]:
    module = importlib.import_module(f"sample_cards.{card.path[6:-5]}")
    return cast("type[ToolCard]", getattr(module, card.spec.card))


def made(card: LoadedCard, fields: dict[str, object] | None = None) -> ToolCard:
    """The card with every capability on all of its channels."""
    exposed: dict[str, object] = {
        key: {"expose": sorted({c for e in spec.endpoints.values() for c in e.channels})}
        for key, spec in card.spec.capabilities.items()
    }
    if card.path == "specs/everything.yaml":
        exposed["must"] = "#a"
        exposed["find"] = {**cast("dict[str, object]", exposed["find"]), "needed": ["x", "y"]}
    if card.path == "specs/awkward.yaml":
        exposed["other"] = {**cast("dict[str, object]", exposed["other"]), "must": "x"}
    for name, value in (fields or {}).items():
        capability, _, key = name.rpartition(".")
        target = cast("dict[str, object]", exposed[capability]) if capability else exposed
        target[key] = value
    return card_class(card).model_validate(exposed)


@pytest.mark.usefixtures("importable")
@pytest.mark.parametrize("name", CARDS)
def test_tools_are_sent_what_the_spec_says(catalogue: Catalogue, name: str) -> None:
    card = loaded(catalogue, name)
    tools = [Tool.from_function(function) for function in made(card).get_tools()]
    sent = {tool.name: tool.parameters_schema for tool in tools}
    said = expected_tool_schemas(card, catalogue)
    assert list(sent) == list(said)
    assert sent == {tool: normalised(schema) for tool, schema in said.items()}


@pytest.mark.usefixtures("importable")
def test_configuration_reaches_the_schema(catalogue: Catalogue) -> None:
    card = loaded(catalogue, "everything")
    fields: dict[str, object] = {
        "limit": 7,
        "find.top": 9,
        "find.mode": "slow",
        "find.summarizer": "some",
    }
    setting = Setting(card.spec, everything(card.spec).on, fields)
    sent = {
        tool.name: tool.parameters_schema
        for tool in [Tool.from_function(each) for each in made(card, fields).get_tools()]
    }
    said = expected_tool_schemas(card, catalogue, setting)
    assert sent == {tool: normalised(schema) for tool, schema in said.items()}
    text = json.dumps(sent["find_things"])
    assert 'at most 7 of \\"them\\"' in text
    assert '"width"' in text
    assert list(sent) == ["find_things", "summary", "change_things", "show_board"]


@pytest.mark.usefixtures("importable")
def test_types_are_what_the_spec_says(catalogue: Catalogue) -> None:
    card = loaded(catalogue, "everything")
    module = importlib.import_module("sample_cards.everything.types")
    for name, spec in card.spec.types.items():
        emitted: object = getattr(module, f"{name}Base" if spec.class_ else name)
        if isinstance(emitted, type) and issubclass(emitted, BaseModel):
            schema = emitted.model_json_schema()
        else:
            schema = TypeAdapter(cast("Any", emitted)).json_schema()
        assert normalised(schema) == normalised(expected_type_schema(name, card, catalogue)), name


@pytest.fixture(scope="module")
def configured(samples: Project) -> Project:
    """The sample project with the house's configuration of type checkers and linter."""
    runtime = str(ROOT / "runtime")
    (samples.root / "mypy.ini").write_text(
        "[mypy]\nstrict = true\nwarn_unreachable = true\nplugins = pydantic.mypy\n"
        "enable_error_code = ignore-without-code, redundant-expr, truthy-bool\n"
        f"mypy_path = generated:src:{runtime}\nexplicit_package_bases = true\n"
        "[pydantic-mypy]\ninit_forbid_extra = true\ninit_typed = true\n",
        "utf-8",
    )
    pyright = {
        "typeCheckingMode": "strict",
        "pythonVersion": "3.12",
        "include": ["generated", "src"],
        "extraPaths": ["generated", "src", runtime],
        "venvPath": str(ROOT),
        "venv": ".venv",
    }
    (samples.root / "pyrightconfig.json").write_text(json.dumps(pyright), "utf-8")
    rules = (ROOT / "pyproject.toml").read_text("utf-8")
    rules = rules.replace('"cardwright_cards",', '"cardwright_cards", "sample_cards",')
    (samples.root / "house").mkdir()
    (samples.root / "house" / "pyproject.toml").write_text(rules, "utf-8")
    return samples


@pytest.mark.parametrize(
    "tool",
    [
        # Other options than those of the projects that tests make, so a cache of its own.
        ("mypy", "--cache-dir", str(ROOT / ".mypy_cache/samples"), "generated", "src"),
        ("pyright", "-p", "pyrightconfig.json"),
        # A type without a description has no docstring of ours, which the model would be sent;
        # `get_tools` has one branch per capability, and the workspace has thirteen; the logic is
        # given a copy of a default list; a doc ends as the spec says.
        (
            *("ruff", "check", "--no-cache", "--config", "house/pyproject.toml"),
            *("--extend-ignore", "D101,D415,C901,B006", "generated"),
        ),
    ],
    ids=lambda tool: tool[0],
)
def test_checkers_have_nothing_to_say(
    configured: Project, python: Run, tool: tuple[str, ...]
) -> None:
    done = python("-m", *tool, cwd=configured.root)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wiring_tests_of_the_sample_card_pass(
    samples: Project, python: Run, tmp_path: Path
) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("awkward", "everything", "mcp"):
        shutil.copy(samples.root / f"generated/tests/test_{name}_wiring.py", tests)
    paths = f"{samples.root / 'generated'}:{samples.root / 'src'}"
    done = python(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "tests",
        "--deselect", "tests/test_mcp_wiring.py::test_the_logic_fits_its_contract",
        cwd=tmp_path, env={"PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout
